/**
 * What a row of a table loads for itself while it is in sight, kept by its key: scrolling back asks nothing. `undefined`
 * while it is coming, null where it could not be had, which is no reason to spoil a whole table.
 */
import { useEffect, useState } from 'preact/hooks'
import { pooled } from '../api/pool'

const MOST = 2_000
/** Rows that only fly by ask for nothing. */
const SETTLED_MS = 60
const kept = new Map<string, unknown>()

export function useKept<T>(key: string, load: (signal: AbortSignal) => Promise<T>): T | null | undefined {
  const [, setRound] = useState(0)
  useEffect(() => {
    if (kept.has(key)) return
    const giveUp = new AbortController()
    const timer = setTimeout(() => {
      pooled(giveUp.signal, () => load(giveUp.signal))
        .then(
          (data) => keep(key, data),
          () => {
            if (!giveUp.signal.aborted) keep(key, null)
          },
        )
        .then(
          () => {
            if (!giveUp.signal.aborted) setRound((before) => before + 1)
          },
          () => undefined,
        )
    }, SETTLED_MS)
    return () => {
      clearTimeout(timer)
      giveUp.abort()
    }
  }, [key])
  return kept.get(key) as T | null | undefined
}

function keep(key: string, data: unknown): void {
  if (kept.size >= MOST) {
    const oldest = kept.keys().next()
    if (!oldest.done) kept.delete(oldest.value)
  }
  kept.set(key, data)
}
