/** Whether an element has come into sight, or near it, once: what costs a request waits for that. */
import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const NEAR = '400px'

export function useInSight(element: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (isSeen || element.current === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
      },
      { rootMargin: NEAR },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isSeen])
  return isSeen
}
