/** A few connections, each lent to one transaction at a time, in the order of asking. */
import { StoreUnavailable } from '../errors.js'

export class Lanes<T> {
  readonly #open: () => T
  readonly #size: number
  readonly #all: T[]
  readonly #idle: T[]
  readonly #waiting: Array<(lane: T) => void> = []
  #whenIdle: (() => void) | null = null

  /**
   * @param open makes one more connection when all are lent and there are fewer than `size`
   * @param opened those that there are already
   */
  constructor(size: number, open: () => T, opened: readonly T[] = []) {
    this.#size = size
    this.#open = open
    this.#all = [...opened]
    this.#idle = [...opened]
  }

  /**
   * Lends a connection for as long as `work` takes.
   * @param deadline (of `performance.now()`) after which it no longer waits for one
   * @throws StoreUnavailable when it waited in vain
   */
  async lend<R>(deadline: number, work: (lane: T) => Promise<R>): Promise<R> {
    const lane = await this.#take(deadline)
    try {
      return await work(lane)
    } finally {
      this.#give(lane)
    }
  }

  /** Connections that are open, those lent to nobody, and how many wait for one. */
  get use(): { readonly size: number; readonly idle: number; readonly waiting: number } {
    return { size: this.#all.length, idle: this.#idle.length, waiting: this.#waiting.length }
  }

  /** Resolves with every connection that was opened when none is lent any more. Nobody may ask for one afterwards. */
  async drain(): Promise<readonly T[]> {
    if (this.#idle.length < this.#all.length) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve
      })
    }
    return this.#all
  }

  #take(deadline: number): Promise<T> | T {
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#all.length < this.#size) {
      const lane = this.#open()
      this.#all.push(lane)
      return lane
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          this.#waiting.splice(this.#waiting.indexOf(take), 1)
          reject(new StoreUnavailable('too many transactions are waiting for the database'))
        },
        Math.max(0, deadline - performance.now()),
      )
      const take = (lane: T) => {
        clearTimeout(timer)
        resolve(lane)
      }
      this.#waiting.push(take)
    })
  }

  #give(lane: T): void {
    const next = this.#waiting.shift()
    if (next !== undefined) return next(lane)
    this.#idle.push(lane)
    if (this.#idle.length === this.#all.length) this.#whenIdle?.()
  }
}
