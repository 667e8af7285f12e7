/**
 * What a row of a table loads for itself while it is in sight, kept by its key: scrolling back asks nothing, and cells
 * that need the same ask once. `undefined` while it is coming, null where it could not be had, which is no reason to
 * spoil a whole table.
 */
import { useEffect, useState } from 'preact/hooks'
import { pooled } from '../api/pool'

const MOST = 2_000
/** Rows that only fly by ask for nothing. */
const SETTLED_MS = 60

interface Coming {
  users: number
  readonly giveUp: AbortController
  /** Settles when the key is kept; never rejects. */
  readonly done: Promise<void>
}

const kept = new Map<string, unknown>()
const coming = new Map<string, Coming>()

export function useKept<T>(key: string, load: (signal: AbortSignal) => Promise<T>): T | null | undefined {
  const [, setRound] = useState(0)
  useEffect(() => {
    if (kept.has(key)) return
    let joined: Coming | null = null
    let isAway = false
    const timer = setTimeout(() => {
      joined = join(key, load)
      void joined.done.then(() => {
        if (!isAway) setRound((before) => before + 1)
      })
    }, SETTLED_MS)
    return () => {
      isAway = true
      clearTimeout(timer)
      if (joined !== null) leave(key, joined)
    }
  }, [key])
  return kept.get(key) as T | null | undefined
}

function join(key: string, load: (signal: AbortSignal) => Promise<unknown>): Coming {
  const known = coming.get(key)
  if (known) {
    known.users++
    return known
  }
  const giveUp = new AbortController()
  const done = pooled(giveUp.signal, () => load(giveUp.signal)).then(
    (data) => keep(key, data),
    () => {
      if (!giveUp.signal.aborted) keep(key, null)
    },
  )
  const begun = { users: 1, giveUp, done }
  coming.set(key, begun)
  return begun
}

/** The last one that leaves gives up what nobody waits for. */
function leave(key: string, joined: Coming): void {
  if (--joined.users > 0 || coming.get(key) !== joined) return
  coming.delete(key)
  joined.giveUp.abort()
}

function keep(key: string, data: unknown): void {
  coming.delete(key)
  if (kept.size >= MOST) {
    const oldest = kept.keys().next()
    if (!oldest.done) kept.delete(oldest.value)
  }
  kept.set(key, data)
}
