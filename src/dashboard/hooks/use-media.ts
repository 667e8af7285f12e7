/** Whether a media query holds now; NARROW is the width of a phone. */
import { useEffect, useState } from 'preact/hooks'

export const NARROW = '(max-width: 720px)'

export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const follow = () => setHolds(list.matches)
    follow()
    list.addEventListener('change', follow)
    return () => list.removeEventListener('change', follow)
  }, [query])
  return holds
}
