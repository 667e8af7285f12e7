/**
 * What a row of a table loads for itself while it is in sight, kept by its key: scrolling back asks nothing, and cells
 * that need the same ask once. `undefined` while it is coming, null where it could not be had, which is no reason to
 * spoil a whole table; what may be had later is asked for again after a while.
 */
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../api/client'
import { pooled } from '../api/pool'

const MOST = 2_000
/** Rows that only fly by ask for nothing. */
const SETTLED_MS = 60
/** A server that is away is asked again so often, by the rows in sight. */
const RETRY_MS = 15_000

interface Coming {
  users: number
  readonly giveUp: AbortController
  /** Settles when the key is kept; never rejects. */
  readonly done: Promise<void>
}

const kept = new Map<string, unknown>()
const coming = new Map<string, Coming>()

export function useKept<T>(key: string, load: (signal: AbortSignal) => Promise<T>): T | null | undefined {
  const [failed, setFailed] = useState<string | null>(null)
  const [, setRound] = useState(0)
  useEffect(() => {
    if (kept.has(key)) return
    let joined: Coming | null = null
    let isAway = false
    let timer: ReturnType<typeof setTimeout>
    const ask = () => {
      joined = join(key, load)
      void joined.done.then(() => {
        joined = null
        if (isAway) return
        setFailed(kept.has(key) ? null : key)
        setRound((before) => before + 1)
        if (!kept.has(key)) timer = setTimeout(ask, RETRY_MS)
      })
    }
    timer = setTimeout(ask, SETTLED_MS)
    return () => {
      isAway = true
      clearTimeout(timer)
      if (joined !== null) leave(key, joined)
    }
  }, [key])
  if (failed === key && !kept.has(key)) return null
  return kept.get(key) as T | null | undefined
}

/** Forgets all: whoever looks from now on may be somebody else. */
export function forgetKept(): void {
  kept.clear()
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
    (thrown: unknown) => {
      if (giveUp.signal.aborted) return
      if (isFinal(thrown)) keep(key, null)
      else coming.delete(key)
    },
  )
  const begun = { users: 1, giveUp, done }
  coming.set(key, begun)
  return begun
}

/** A refusal that asking again does not change; unlike a server that is away, busy, or wants a credential first. */
function isFinal(thrown: unknown): boolean {
  return !(thrown instanceof ApiError) || thrown.status === 404 || thrown.status === 403
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
