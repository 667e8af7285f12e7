/**
 * Transactions that wait to write share one, each within a savepoint of its own: a commit waits for the disk, and
 * sixteen that wait for one disk each take sixteen times as long. Nobody hears anything before the commit, not even of
 * a refusal, which may rest on what another of the group wrote.
 */
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../queries/dialect.js'
import { StoreUnavailable } from '../errors.js'
import type { HistoryWriter } from '../store.js'
import { whileBusy } from './busy.js'
import type { Connection } from './connection.js'
import { explain } from './failures.js'
import type { Lanes } from './lanes.js'

/** @param attempt 1, and one more each time that an earlier attempt came to nothing or its commit is in doubt */
type Work = (writer: HistoryWriter, attempt: number) => Promise<unknown>

interface Waiting {
  readonly work: Work
  /** Of `performance.now()`: when it has waited long enough for its turn. */
  readonly deadline: number
  readonly timer: NodeJS.Timeout
  attempts: number
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

interface Taken {
  readonly waiting: Waiting
  /** Tells its outcome. */
  settle: () => void
}

/** After this long a group takes in no more: others wait for the lock, and the first of the group for its answer. */
const GROUP_MS = 20

/** The group cannot go on; each of its works is tried by itself, where whatever fails is its own. */
class GroupBroke extends Error {}

export class WriteGroups {
  readonly #lanes: Lanes<Connection>
  readonly #writerOf: (db: Database) => HistoryWriter
  readonly #waiting: Waiting[] = []
  #working: Promise<void> | null = null

  /**
   * @param lanes the connection that writes
   * @param writerOf makes what works write by, in a transaction
   */
  constructor(lanes: Lanes<Connection>, writerOf: (db: Database) => HistoryWriter) {
    this.#lanes = lanes
    this.#writerOf = writerOf
  }

  /** How many wait for a group to take them. */
  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * @param waitMs how long it may wait for its turn and for the file's lock
   * @throws what the work throws, when the transaction that it was in is committed; StoreUnavailable
   */
  write<T>(work: (writer: HistoryWriter, attempt: number) => Promise<T>, waitMs: number): Promise<T> {
    return new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(new StoreUnavailable('too many transactions are waiting for the database'))
      }, waitMs)
      const deadline = performance.now() + waitMs
      const waiting: Waiting = { work, deadline, timer, attempts: 0, resolve, reject }
      this.#waiting.push(waiting)
      this.#working ??= this.#workOff()
    }) as Promise<T>
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    await this.#working
  }

  async #workOff(): Promise<void> {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const { deadline } = first
      try {
        await this.#lanes.lend(deadline, (connection) => this.#group(connection, deadline))
      } catch (error) {
        // Neither connection nor lock could be had for as long as the first may wait; the others may wait longer.
        if (this.#waiting[0] === first) this.#next()
        first.reject(error)
      }
      // Other processes find the lock free while those who were answered ask again.
      await setImmediate()
    }
    this.#working = null
  }

  /** @throws StoreUnavailable where the transaction could not begin; nobody was taken in then */
  async #group(connection: Connection, deadline: number): Promise<void> {
    const taken: Taken[] = []
    const attempt = async () => {
      try {
        await connection.db.transaction().execute((db) => this.#takeIn(connection, db, taken))
      } catch (error) {
        throw taken.length === 0
          ? error
          : new GroupBroke('the transaction of a group failed', { cause: error })
      }
    }
    try {
      await whileBusy(deadline - performance.now(), attempt)
    } catch (error) {
      if (!(error instanceof GroupBroke)) throw error
      for (const { waiting } of taken) await this.#alone(connection, waiting)
      return
    }
    for (const { settle } of taken) settle()
  }

  async #takeIn(connection: Connection, db: Database, taken: Taken[]): Promise<void> {
    const end = performance.now() + GROUP_MS
    const writer = this.#writerOf(db)
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const member: Taken = { waiting: next, settle: () => undefined }
      taken.push(member)
      member.settle = await within(connection, writer, next)
      // Those who come meanwhile can still join, and a commit takes some milliseconds of its own.
      await setImmediate()
      if (performance.now() >= end) return
    }
  }

  async #alone({ db }: Connection, waiting: Waiting): Promise<void> {
    const { deadline, work, resolve, reject } = waiting
    const attempt = () => db.transaction().execute((alone) => work(this.#writerOf(alone), ++waiting.attempts))
    try {
      resolve(await whileBusy(deadline - performance.now(), attempt))
    } catch (error) {
      reject(error)
    }
  }

  /** Whoever is taken waits for no turn any more. */
  #next(): Waiting | undefined {
    const next = this.#waiting.shift()
    clearTimeout(next?.timer)
    return next
  }
}

/** @returns what tells its outcome */
async function within({ handle }: Connection, writer: HistoryWriter, waiting: Waiting): Promise<() => void> {
  handle.exec('savepoint work')
  try {
    const result = await waiting.work(writer, ++waiting.attempts)
    handle.exec('release work')
    return () => waiting.resolve(result)
  } catch (error) {
    // After some failures (a full disk) SQLite has rolled back everything, the savepoint with it.
    if (explain(error) !== error || error instanceof StoreUnavailable || !handle.inTransaction)
      throw new GroupBroke('a work of the group failed on the store', { cause: error })
    handle.exec('rollback to work; release work')
    return () => waiting.reject(error)
  }
}
