/** The connections of a pool, lent to one transaction at a time; only those that may still be alive. */
import type { Socket } from 'node:net'
import type pg from 'pg'
import { Transient } from '../retry.js'
import type { PoolUse } from '../store.js'
import { explainConnecting } from './failures.js'

export interface Lent {
  readonly client: pg.PoolClient
  /** Whether it was idle for a while: a network may have forgotten it without a word to either end. */
  readonly rested: boolean
  readonly standing: Standing
}

/**
 * Whether a connection is one process of the server for as long as it lasts, or a pooler puts another one behind it for
 * each transaction: `unknown` until asked. What is prepared or set on one's `own` stays; on one that is `settled` all is
 * set that a transaction otherwise sets for itself.
 */
export type Standing = 'unknown' | 'shared' | 'own' | 'settled'

/**
 * No connection rests so long in a busy server, where the first answer may have to wait in a pooler's queue; shorter than
 * the pauses of what asks regularly.
 */
const RESTED_AFTER_MS = 100

export class Connections {
  readonly #pool: pg.Pool
  readonly #returnedAt = new WeakMap<pg.PoolClient, number>()
  /** Those that are lent, each with what is told that it is taken away. */
  readonly #lent = new Map<pg.PoolClient, (error: Error) => void>()
  /** Those who wait for a connection, to be told that they wait in vain. */
  readonly #waiting = new Set<() => void>()
  #brokenAt = -Infinity
  readonly #standings = new WeakMap<pg.PoolClient, Standing>()
  #trustsNone = false

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /**
   * @param deadline (of `performance.now()`) after which it no longer waits for a connection
   * @throws Transient, StoreUnavailable
   */
  async lend(deadline: number): Promise<Lent> {
    for (;;) {
      const client = await this.#acquire(deadline)
      const returnedAt = this.#returnedAt.get(client) ?? performance.now()
      if (returnedAt > this.#brokenAt) {
        this.#lent.set(client, () => undefined)
        const rested = performance.now() - returnedAt > RESTED_AFTER_MS
        return { client, rested, standing: this.#standingOf(client) }
      }
      client.release(true)
    }
  }

  /** @param tell told when what is lent is taken away; then it is to be given back as broken */
  whenTaken(client: pg.PoolClient, tell: (error: Error) => void): void {
    this.#lent.set(client, tell)
  }

  /**
   * @param broken closed and not used again. Whatever broke it may have broken all that are idle, and nobody should find
   *   that out one by one, each after its own patience: they are not used again either
   */
  giveBack(client: pg.PoolClient, broken: boolean): void {
    this.#lent.delete(client)
    const now = performance.now()
    if (broken) {
      this.#brokenAt = now
      cutOff(client)
    } else {
      this.#returnedAt.set(client, now)
      client.release()
    }
  }

  /** Of a connection that is lent: what was found out about it. */
  learn(client: pg.PoolClient, standing: Standing): void {
    this.#standings.set(client, standing)
  }

  /** From now on each connection passes for one of a pooler's. */
  trustNone(): void {
    this.#trustsNone = true
  }

  #standingOf(client: pg.PoolClient): Standing {
    return this.#trustsNone ? 'shared' : (this.#standings.get(client) ?? 'unknown')
  }

  /** How busy they are at this moment. */
  use(): Pick<PoolUse, 'size' | 'idle' | 'waiting'> {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { size: totalCount, idle: idleCount, waiting: waitingCount }
  }

  /** Lends nothing more; resolves when all is given back. */
  end(): Promise<void> {
    return this.#pool.end()
  }

  /**
   * Takes away what is lent, and tells those who wait. The driver's own end of a connection was rejected: with statements
   * under way it waits for their answers.
   */
  takeAway(): void {
    for (const take of this.#lent.values()) take(new Error('the connection is taken away'))
    for (const tell of this.#waiting) tell()
  }

  async #acquire(deadline: number): Promise<pg.PoolClient> {
    const connecting = this.#pool.connect()
    let giveUp = () => {}
    const late = new Promise<never>((_resolve, reject) => {
      giveUp = () => reject(new Transient('the database cannot be reached'))
    })
    const timer = setTimeout(giveUp, Math.max(0, deadline - performance.now()))
    this.#waiting.add(giveUp)
    try {
      return await Promise.race([connecting, late])
    } catch (error) {
      // Nobody waits for it any more when it comes after all.
      connecting.then((client) => client.release()).catch(() => undefined)
      throw error instanceof Transient ? error : explainConnecting(error)
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(giveUp)
    }
  }
}

/** Ends a connection at once. Left to itself a client that pipelines waits for its answers first, however long. */
function cutOff(client: pg.PoolClient): void {
  streamOf(client).destroy()
  client.release(true)
}

/** The server's process, as it was told when the connection was made. Poolers make it up. */
export function processOf(client: pg.PoolClient): number | null {
  return (client as unknown as { processID: number | null }).processID
}

/** The socket, of which the driver's types do not tell. */
export function streamOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}
