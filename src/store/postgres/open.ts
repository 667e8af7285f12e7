/** The store on PostgreSQL 15 or newer, hosted ones included; any number of instances may share it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Timestamp } from '../../gate/run.js'
import { copySome } from '../queries/copies.js'
import type { Database } from '../queries/dialect.js'
import { pruneAll, pruneKeys, pruneVerdicts } from '../queries/prune.js'
import { createReader, createWriter } from '../queries/reader.js'
import { onlyOnce, retryWithin } from '../retry.js'
import { StoreUnavailable } from '../errors.js'
import type {
  HistoryReader,
  HistoryWriter,
  MetricHistoryStore,
  PoolUse,
  PruneCutoffs,
  ReadOptions,
  Readiness,
} from '../store.js'
import type { ImportedRun, ImportResult } from '../exchange.js'
import type { Connections } from './connections.js'
import { leaveCopiesToTriggers } from './copies.js'
import { postgresDialect } from './dialect.js'
import { importRuns } from './import.js'
import { answerWithin, beginnings, createPool, longLimits, type Beginnings, type PoolLimits } from './pool.js'
import { checkSchema } from './schema-check.js'
import { AskedMore, transact } from './session.js'

export interface PostgresOptions extends Partial<PoolLimits> {
  readonly url: string
  /** A replica, for reads that may be some seconds behind. */
  readonly readUrl?: string
  /** How long after its begin a transaction may be tried again; 12 seconds, twice the usual cold start. */
  readonly retryForMs?: number
  /** Told of failures of idle connections. */
  readonly onPoolError?: (error: Error) => void
  /** Told the SQL of every statement but those that begin and end transactions. */
  readonly onQuery?: (sql: string) => void
}

const READY_TIMEOUT_MS = 3_000

/** How long the ends of what was taken away are waited for. */
const TAKEN_AWAY_MS = 200

/**
 * Makes the store. It connects when first used, so that a database that is only starting up is no failure.
 * @throws Error when the URL is none
 */
export function openPostgresStore(options: PostgresOptions): Promise<MetricHistoryStore> {
  return Promise.resolve().then(() => new PostgresStore(options))
}

class PostgresStore implements MetricHistoryStore {
  readonly backend = 'postgres'
  readonly #limits: PoolLimits
  readonly #begin: Beginnings
  readonly #retryForMs: number
  readonly #onQuery: ((sql: string) => void) | undefined
  readonly #primary: Connections
  readonly #replica: Connections
  readonly #longLimits: PoolLimits
  readonly #longBegin: Beginnings
  readonly #longPrimary: Connections
  readonly #longReplica: Connections
  #closing: Promise<void> | null = null

  constructor(options: PostgresOptions) {
    this.#limits = {
      poolSize: options.poolSize ?? 10,
      connectTimeoutMs: options.connectTimeoutMs ?? 8_000,
      statementTimeoutMs: options.statementTimeoutMs ?? 10_000,
      lockTimeoutMs: options.lockTimeoutMs ?? 5_000,
      idleInTransactionMs: options.idleInTransactionMs ?? 30_000,
    }
    this.#begin = beginnings(this.#limits)
    this.#longLimits = longLimits(this.#limits)
    this.#longBegin = beginnings(this.#longLimits)
    this.#retryForMs = options.retryForMs ?? 12_000
    this.#onQuery = options.onQuery
    const onPoolError = options.onPoolError ?? (() => undefined)
    const open = (url: string, limits: PoolLimits) => createPool(url, limits, onPoolError)
    const { url, readUrl } = options
    this.#primary = open(url, this.#limits)
    this.#replica = readUrl === undefined ? this.#primary : open(readUrl, this.#limits)
    this.#longPrimary = open(url, this.#longLimits)
    this.#longReplica = readUrl === undefined ? this.#longPrimary : open(readUrl, this.#longLimits)
  }

  read<T>(
    work: (reader: HistoryReader) => Promise<T>,
    { replica = false, long = false, single = false }: ReadOptions = {},
  ): Promise<T> {
    const reading = (db: Database) => work(createReader(db, postgresDialect))
    if (!long) {
      const pool = replica ? this.#replica : this.#primary
      if (single === false) return this.#transact(pool, 'reading', reading)
      const asked = this.#transact(pool, 'asking', reading)
      if (single === true) return asked
      return asked.catch((error: unknown) => {
        if (!(error instanceof AskedMore)) throw error
        return this.#transact(pool, 'reading', reading)
      })
    }
    const pool = replica ? this.#longReplica : this.#longPrimary
    return this.#transact(pool, 'reading', onlyOnce(reading), true)
  }

  write<T>(work: (writer: HistoryWriter, attempt: number) => Promise<T>): Promise<T> {
    let attempt = 0
    return this.#transact(this.#primary, 'writing', (db) =>
      work(createWriter(db, postgresDialect), ++attempt),
    )
  }

  importRuns(
    runs: AsyncIterable<ImportedRun>,
    onProgress: (runs: number) => void = () => undefined,
  ): Promise<ImportResult> {
    const work = (db: Database) => importRuns(db, runs, onProgress, () => this.#closing !== null)
    return this.#transact(this.#longPrimary, 'writing', onlyOnce(work), true)
  }

  copySome(): Promise<number> {
    return this.#transact(this.#primary, 'writing', async (db) => {
      await leaveCopiesToTriggers(db)
      return copySome(db, postgresDialect)
    })
  }

  async checkReady(): Promise<Readiness> {
    if (this.#closing !== null) return { ready: false, reason: 'shutting down' }
    const deadline = performance.now() + READY_TIMEOUT_MS
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Readiness>((resolve) => {
      const reason = `the database did not answer within ${READY_TIMEOUT_MS / 1_000} seconds`
      timer = setTimeout(() => resolve({ ready: false, reason }), READY_TIMEOUT_MS)
    })
    try {
      const begin = this.#begin.reading
      const bounds = { connectBy: deadline, answerBy: deadline, answerMs: READY_TIMEOUT_MS }
      return await Promise.race([transact(this.#primary, begin, bounds, this.#onQuery, checkSchema), late])
    } catch (error) {
      const reason = (error as { reason?: unknown }).reason
      return { ready: false, reason: typeof reason === 'string' ? reason : String(error) }
    } finally {
      clearTimeout(timer)
    }
  }

  prune(cutoffs: PruneCutoffs): Promise<{ keys: number; verdicts: number }> {
    const batch = (prune: typeof pruneKeys, before: Timestamp) => () =>
      this.#transact(this.#primary, 'writing', (db) => prune(db, postgresDialect, before))
    return pruneAll(batch(pruneKeys, cutoffs.keysBefore), batch(pruneVerdicts, cutoffs.verdictsBefore))
  }

  pools(): readonly PoolUse[] {
    const named: ReadonlyArray<readonly [string, Connections]> = [
      ['primary', this.#primary],
      ['replica', this.#replica],
      ['long_primary', this.#longPrimary],
      ['long_replica', this.#longReplica],
    ]
    return named
      .filter(([, pool], place) => named.findIndex(([, other]) => other === pool) === place)
      .map(([name, pool]) => ({ name, gate: pool === this.#primary, ...pool.use() }))
  }

  close(patienceMs = Infinity): Promise<void> {
    this.#closing ??= this.#close(patienceMs)
    return this.#closing
  }

  async #close(patienceMs: number): Promise<void> {
    const pools = [...new Set([this.#primary, this.#replica, this.#longPrimary, this.#longReplica])]
    const ended = Promise.all(pools.map((pool) => pool.end())).then(() => undefined)
    if (patienceMs === Infinity) return ended
    await Promise.race([ended, sleep(patienceMs)])
    for (const pool of pools) pool.takeAway()
    // Not for connections that are only being made: they may wait for a database that says nothing.
    await Promise.race([ended, sleep(TAKEN_AWAY_MS)])
  }

  /**
   * A short work is bounded as a whole: what begins last has the time of one more statement. A long one is bounded by
   * what its client does, and by the bounds on each statement and pause.
   */
  async #transact<T>(
    pool: Connections,
    how: keyof Beginnings,
    work: (db: Database) => Promise<T>,
    long = false,
  ): Promise<T> {
    const isClosed = () => this.#closing !== null
    if (isClosed()) throw new StoreUnavailable('shutting down')
    const limits = long ? this.#longLimits : this.#limits
    const begin = (long ? this.#longBegin : this.#begin)[how]
    const answerMs = answerWithin(limits)
    return retryWithin(
      { forMs: this.#retryForMs, firstPauseMs: 50, longestPauseMs: 1_000 },
      (deadline) => {
        const bounds = { connectBy: deadline, answerBy: long ? Infinity : deadline + answerMs, answerMs }
        return transact(pool, begin, bounds, this.#onQuery, work)
      },
      isClosed,
    )
  }
}
