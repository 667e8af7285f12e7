/** A list of which some are shown, and more when asked. */
import { useState } from 'preact/hooks'
import { count } from '../../parts/number'

const AT_A_TIME = 8

export interface Some<T> {
  readonly shown: readonly T[]
  readonly rest: number
  readonly more: () => void
}

export function useSome<T>(items: readonly T[], atATime = AT_A_TIME): Some<T> {
  const [most, setMost] = useState(atATime)
  return {
    shown: items.slice(0, most),
    rest: Math.max(0, items.length - most),
    more: () => setMost((before) => before + atATime),
  }
}

/** @param total how many there are, which may be more than the API listed */
export function ShowMore<T>({ of: { shown, rest, more }, total }: { of: Some<T>; total: number }) {
  if (rest > 0) {
    return (
      <button type="button" class="button show-more" onClick={more}>
        Show more of {count(total)}
      </button>
    )
  }
  return total > shown.length ? (
    <p class="muted small show-more">
      The report lists {count(shown.length)} of {count(total)}.
    </p>
  ) : null
}
