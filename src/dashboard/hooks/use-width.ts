/** The width of an element, for what is laid out or drawn by it. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** 0 until it is known, which is before anything is painted. */
export function useWidth(element: RefObject<Element | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const measure = () => setWidth(Math.floor(current.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}
