/** Trying again while another connection has the lock; meanwhile the event loop is free. */
import { retryWithin } from '../retry.js'
import { explain } from './failures.js'

/** Whoever leaves the lock free for longer than this lets those who wait for it have it. */
export const LONGEST_PAUSE_MS = 25

export function whileBusy<T>(forMs: number, attempt: () => Promise<T>): Promise<T> {
  return retryWithin({ forMs, firstPauseMs: 2, longestPauseMs: LONGEST_PAUSE_MS }, async () => {
    try {
      return await attempt()
    } catch (error) {
      throw explain(error)
    }
  })
}
