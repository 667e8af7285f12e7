import type { LiveDocument } from '../../documents/ladder.js'
import { GatehouseError } from '../../errors.js'
import type { Gatehouse } from '../gatehouse.js'
import { readLive } from './ladders.js'

export interface WatchOptions {
  /** How often a ladder that somebody waits for is read; the store's notices of its own would not pass a pooler. */
  readonly everyMs?: number
  readonly maxWaiters?: number
}

interface Waiter {
  readonly generation: number
  readonly answer: (live: LiveDocument | null) => void
}

/**
 * Those who wait for the live version of a ladder to change. However many wait, one poller a ladder and instance reads
 * the store: it sees what any other instance writes.
 */
export class LiveWatch {
  readonly #gatehouse: Pick<Gatehouse, 'store' | 'log'>
  readonly #everyMs: number
  readonly #maxWaiters: number
  readonly #waiters = new Map<string, Set<Waiter>>()
  #count = 0
  #closed = false

  constructor(
    gatehouse: Pick<Gatehouse, 'store' | 'log'>,
    { everyMs = 100, maxWaiters = 1_000 }: WatchOptions = {},
  ) {
    this.#gatehouse = gatehouse
    this.#everyMs = everyMs
    this.#maxWaiters = maxWaiters
  }

  /**
   * Waits until the generation moves past the one given.
   * @param signal aborted when nobody waits for the answer any more
   * @returns null where it did not within the time, or waiting is over for all
   * @throws GatehouseError unavailable, where too many wait already
   */
  async past(
    ladder: string,
    generation: number,
    forMs: number,
    signal?: AbortSignal,
  ): Promise<LiveDocument | null> {
    if (this.#closed || signal?.aborted === true) return null
    if (this.#count >= this.#maxWaiters) {
      throw new GatehouseError(
        'unavailable',
        `${this.#maxWaiters} requests are waiting for a live version already; ask again, without wait if need be`,
      )
    }
    this.#count += 1
    let leave = () => {}
    try {
      return await new Promise<LiveDocument | null>((resolve) => {
        const timer = setTimeout(() => resolve(null), forMs)
        const abandon = () => resolve(null)
        signal?.addEventListener('abort', abandon)
        const waiter = { generation, answer: resolve }
        const isFirst = this.#join(ladder, waiter)
        leave = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', abandon)
          this.#leave(ladder, waiter)
        }
        if (isFirst) this.#poll(ladder)
      })
    } finally {
      this.#count -= 1
      leave()
    }
  }

  /** Answers all who wait, at once, and lets nobody wait from now on. */
  close(): void {
    this.#closed = true
    for (const waiters of this.#waiters.values()) for (const { answer } of waiters) answer(null)
  }

  #join(ladder: string, waiter: Waiter): boolean {
    const waiters = this.#waiters.get(ladder)
    if (waiters) {
      waiters.add(waiter)
      return false
    }
    this.#waiters.set(ladder, new Set([waiter]))
    return true
  }

  #leave(ladder: string, waiter: Waiter): void {
    this.#waiters.get(ladder)?.delete(waiter)
  }

  /** Ends, and forgets the ladder, when nobody waits for it any more. */
  #poll(ladder: string): void {
    setTimeout(() => {
      const waiters = this.#waiters.get(ladder)
      if (waiters === undefined) return
      if (waiters.size === 0 || this.#closed) {
        this.#waiters.delete(ladder)
        return
      }
      this.#look(ladder, waiters)
        .catch((error: unknown) => {
          this.#gatehouse.log.warn(
            { err: error, ladder },
            'a live version that is waited for could not be read',
          )
        })
        .finally(() => this.#poll(ladder))
    }, this.#everyMs).unref()
  }

  async #look(ladder: string, waiters: ReadonlySet<Waiter>): Promise<void> {
    const live = await readLive(this.#gatehouse, ladder)
    for (const { generation, answer } of waiters) if (live.generation > generation) answer(live)
  }
}
