/** Which rows of a long list are in sight of the window, and some beyond, so that a flick of the wheel finds them. */
import type { RefObject } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Rows are drawn this many windows ahead and behind. */
const AHEAD = 1.5
/** Rows under the sticky head and the frame's header do not count as in sight. */
const COVERED_PX = 96

export interface WindowRange {
  readonly start: number
  readonly end: number
  /** Scrolls the row into sight, and calls back once it exists. */
  readonly reveal: (index: number, then: () => void) => void
}

export function useWindowRange(
  body: RefObject<HTMLElement | null>,
  length: number,
  height: number,
): WindowRange {
  const [range, setRange] = useState({ start: 0, end: Math.min(length, 40) })
  const after = useRef<(() => void) | null>(null)

  const measure = useCallback(() => {
    const element = body.current
    if (element === null) return
    const { top } = element.getBoundingClientRect()
    const start = Math.max(0, Math.floor((-top - AHEAD * innerHeight) / height))
    const end = Math.max(0, Math.min(length, Math.ceil((-top + (1 + AHEAD) * innerHeight) / height)))
    setRange((before) => {
      // Drawn anew only when what is left ahead gets thin.
      const slack = Math.ceil((innerHeight * AHEAD) / 2 / height)
      const isEnough =
        Math.abs(before.start - start) < slack && Math.abs(before.end - end) < slack && before.end <= length
      const touchesEnd =
        (start === 0) !== (before.start === 0) || (end === length) !== (before.end === length)
      return isEnough && !touchesEnd ? before : { start, end }
    })
  }, [body, length, height])

  useLayoutEffect(measure, [measure])
  useEffect(() => {
    addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    return () => {
      removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  }, [measure])
  useLayoutEffect(() => {
    after.current?.()
    after.current = null
  })

  const reveal = useCallback(
    (index: number, then: () => void) => {
      const element = body.current
      if (element === null) return
      const top = element.getBoundingClientRect().top + index * height
      if (top < COVERED_PX) scrollBy(0, top - COVERED_PX)
      else if (top + height > innerHeight) scrollBy(0, top + height - innerHeight)
      after.current = then
      setRange((before) =>
        index >= before.start && index < before.end
          ? { ...before }
          : { start: Math.max(0, index - 60), end: Math.min(length, index + 60) },
      )
    },
    [body, height, length],
  )
  return { start: Math.min(range.start, length), end: Math.min(range.end, length), reveal }
}
