/** Much writing in turns, so that others get the lock in between. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../queries/dialect.js'
import { onlyOnce } from '../retry.js'
import { StoreUnavailable } from '../errors.js'
import { LONGEST_PAUSE_MS, whileBusy } from './busy.js'
import type { Connection } from './connection.js'

/** A little of the work; some milliseconds, as the event loop stands still meanwhile. */
export type WriteStep = (db: Database) => Promise<void>

/** For how long a turn goes on to the next step. */
const TURN_MS = 100

/** Everybody who waits for the lock asks at least once in this time. */
const GAP_MS = LONGEST_PAUSE_MS + 5

/** Others hold the lock for moments; what waits here cannot begin anew. */
const BUSY_MS = 60_000

export class WriteTurns {
  readonly #connection: Connection
  readonly #isClosing: () => boolean
  #lastEnd = -Infinity

  /** @param isClosing asked before each turn */
  constructor(connection: Connection, isClosing: () => boolean) {
    this.#connection = connection
    this.#isClosing = isClosing
  }

  /**
   * Takes all steps in order, as many in a transaction as a turn has time for.
   * @param turnMs for how long a turn goes on to the next step
   * @throws StoreUnavailable when the lock cannot be had or the store is closing; earlier turns stay
   */
  async take(steps: Iterator<WriteStep> | AsyncIterator<WriteStep>, turnMs = TURN_MS): Promise<void> {
    let step = await steps.next()
    while (step.done !== true) {
      if (this.#isClosing()) throw new StoreUnavailable('shutting down')
      await this.#gap()
      const turn = onlyOnce(async (db: Database) => {
        const end = performance.now() + turnMs
        while (step.done !== true) {
          await step.value(db)
          step = await steps.next()
          if (performance.now() >= end) return
          await setImmediate()
        }
      })
      await whileBusy(BUSY_MS, () => this.#connection.db.transaction().execute(turn))
      this.#lastEnd = performance.now()
    }
  }

  async #gap(): Promise<void> {
    const wait = this.#lastEnd + GAP_MS - performance.now()
    if (wait > 0) await sleep(wait)
  }
}
