/** Something that is loaded: what is there, whether more is coming, what went wrong. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../api/client'

export interface Resource<T> {
  readonly data: T | undefined
  readonly error: ApiError | undefined
  readonly isLoading: boolean
  /** When `data` came, in milliseconds. */
  readonly loadedAt: number | undefined
  readonly reload: () => void
}

interface Held<T> {
  readonly data?: T
  readonly error?: ApiError
  readonly isLoading: boolean
  readonly loadedAt?: number
}

/**
 * Loads when `key` changes, and again every `everyMs` while the page is in sight. Another key forgets what was there; a
 * reload keeps it until the new is there, and after a failure too.
 * @param key null loads nothing
 * @param load tells parts through `show` while more is coming
 */
export function useResource<T>(
  key: string | null,
  load: (signal: AbortSignal, show: (part: T) => void) => Promise<T>,
  { everyMs }: { everyMs?: number } = {},
): Resource<T> {
  const [held, setHeld] = useState<Held<T>>({ isLoading: key !== null })
  const [round, setRound] = useState(0)
  const loader = useRef(load)
  loader.current = load
  const shown = useRef<string | null>(null)

  useEffect(() => {
    if (key === null) return setHeld({ isLoading: false })
    const isOther = shown.current !== key
    shown.current = key
    const giveUp = new AbortController()
    setHeld((before) => (isOther ? { isLoading: true } : { ...before, isLoading: true }))
    const show = (data: T) => {
      if (!giveUp.signal.aborted && isOther) setHeld({ data, isLoading: true })
    }
    loader.current(giveUp.signal, show).then(
      (data) => {
        if (!giveUp.signal.aborted) setHeld({ data, isLoading: false, loadedAt: Date.now() })
      },
      (thrown: unknown) => {
        if (giveUp.signal.aborted) return
        const error = thrown instanceof ApiError ? thrown : unforeseen(thrown)
        setHeld(({ data, loadedAt }) => ({
          isLoading: false,
          error,
          ...(data !== undefined && { data }),
          ...(loadedAt !== undefined && { loadedAt }),
        }))
      },
    )
    return () => giveUp.abort()
  }, [key, round])

  const reload = useCallback(() => setRound((before) => before + 1), [])
  useEffect(() => {
    if (everyMs === undefined || key === null) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload()
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs, key, reload])

  return { data: held.data, error: held.error, isLoading: held.isLoading, loadedAt: held.loadedAt, reload }
}

/** A fault of the page itself; shown as the others are, since a blank page would tell nobody. */
function unforeseen(thrown: unknown): ApiError {
  const detail = thrown instanceof Error ? thrown.message : String(thrown)
  return new ApiError(0, { title: 'The page failed', detail })
}
