/** Trying again within a bound, alike for both backends. */
import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailable } from './errors.js'

/** A failure that may be gone in a moment: a busy lock, a lost connection, a deadlock. Never leaves the store. */
export class Transient extends Error {
  override readonly name = 'Transient'
  constructor(
    /** As `StoreUnavailable.reason`, which it becomes when the bound is reached. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options)
  }
}

export interface RetryLimits {
  /** How long after the first try another one may begin. */
  readonly forMs: number
  readonly firstPauseMs: number
  readonly longestPauseMs: number
}

/**
 * A work that has effects elsewhere, or reads what can be read once: tried again before it began, never afterwards.
 * @throws StoreUnavailable where another work would be tried again
 */
export function onlyOnce<In, Out>(work: (input: In) => Promise<Out>): (input: In) => Promise<Out> {
  let begun = false
  return async (input) => {
    if (begun) throw new StoreUnavailable('the connection to the database was lost')
    begun = true
    try {
      return await work(input)
    } catch (error) {
      throw error instanceof Transient ? new StoreUnavailable(error.reason, { cause: error }) : error
    }
  }
}

/**
 * Runs `attempt` until it succeeds, fails for good, or the bound is reached.
 * @param attempt is told the time (of `performance.now()`) by which it should have given up waiting
 * @param isClosed whether trying again has become pointless
 */
export async function retryWithin<T>(
  limits: RetryLimits,
  attempt: (deadline: number) => Promise<T>,
  isClosed: () => boolean = () => false,
): Promise<T> {
  const deadline = performance.now() + limits.forMs
  for (let pause = limits.firstPauseMs; ; pause = Math.min(pause * 2, limits.longestPauseMs)) {
    try {
      return await attempt(deadline)
    } catch (error) {
      if (!(error instanceof Transient)) throw error
      if (isClosed()) throw new StoreUnavailable('shutting down', { cause: error })
      // Jitter: those who failed together should not try again together.
      const wait = pause * (0.5 + Math.random() / 2)
      if (performance.now() + wait >= deadline) throw new StoreUnavailable(error.reason, { cause: error })
      await sleep(wait)
    }
  }
}
