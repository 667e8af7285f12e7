/** The store on PostgreSQL 15 or newer, hosted ones included; any number of instances may share it. */
import type pg from 'pg'
import type { Timestamp } from '../../gate/run.js'
import { copySome } from '../queries/copies.js'
import type { Database } from '../queries/dialect.js'
import { pruneAll, pruneKeys, pruneVerdicts } from '../queries/prune.js'
import { createReader, createWriter } from '../queries/reader.js'
import { onlyOnce, retryWithin } from '../retry.js'
import {
  StoreUnavailable,
  type HistoryReader,
  type HistoryWriter,
  type ImportedRun,
  type ImportResult,
  type MetricHistoryStore,
  type PruneCutoffs,
  type ReadOptions,
  type Readiness,
} from '../store.js'
import { leaveCopiesToTriggers } from './copies.js'
import { postgresDialect } from './dialect.js'
import { importRuns } from './import.js'
import { beginReading, beginWriting, createPool, longLimits, type PoolLimits } from './pool.js'
import { checkSchema } from './schema-check.js'
import { asking, transact } from './session.js'

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
  readonly #retryForMs: number
  readonly #onQuery: ((sql: string) => void) | undefined
  readonly #primary: pg.Pool
  readonly #replica: pg.Pool
  readonly #askPrimary: HistoryReader
  readonly #askReplica: HistoryReader
  readonly #longLimits: PoolLimits
  readonly #longPrimary: pg.Pool
  readonly #longReplica: pg.Pool
  #closing: Promise<void> | null = null

  constructor(options: PostgresOptions) {
    this.#limits = {
      poolSize: options.poolSize ?? 10,
      connectTimeoutMs: options.connectTimeoutMs ?? 8_000,
      statementTimeoutMs: options.statementTimeoutMs ?? 10_000,
      lockTimeoutMs: options.lockTimeoutMs ?? 5_000,
      idleInTransactionMs: options.idleInTransactionMs ?? 30_000,
    }
    this.#longLimits = longLimits(this.#limits)
    this.#retryForMs = options.retryForMs ?? 12_000
    this.#onQuery = options.onQuery
    const onPoolError = options.onPoolError ?? (() => undefined)
    const open = (url: string, limits: PoolLimits) => createPool(url, limits, onPoolError)
    const { url, readUrl } = options
    this.#primary = open(url, this.#limits)
    this.#replica = readUrl === undefined ? this.#primary : open(readUrl, this.#limits)
    const ask = (pool: pg.Pool) => createReader(asking(pool, this.#onQuery), postgresDialect)
    this.#askPrimary = ask(this.#primary)
    this.#askReplica = ask(this.#replica)
    this.#longPrimary = open(url, this.#longLimits)
    this.#longReplica = readUrl === undefined ? this.#longPrimary : open(readUrl, this.#longLimits)
  }

  read<T>(
    work: (reader: HistoryReader) => Promise<T>,
    { replica = false, long = false, single = false }: ReadOptions = {},
  ): Promise<T> {
    const reading = (db: Database) => work(createReader(db, postgresDialect))
    if (single) return this.#trying(() => work(replica ? this.#askReplica : this.#askPrimary))
    if (!long) {
      return this.#retrying(replica ? this.#replica : this.#primary, beginReading(this.#limits), reading)
    }
    const pool = replica ? this.#longReplica : this.#longPrimary
    return this.#retrying(pool, beginReading(this.#longLimits), onlyOnce(reading))
  }

  write<T>(work: (writer: HistoryWriter, attempt: number) => Promise<T>): Promise<T> {
    let attempt = 0
    return this.#retrying(this.#primary, beginWriting(this.#limits), (db) =>
      work(createWriter(db, postgresDialect), ++attempt),
    )
  }

  importRuns(
    runs: AsyncIterable<ImportedRun>,
    onProgress: (runs: number) => void = () => undefined,
  ): Promise<ImportResult> {
    const work = (db: Database) => importRuns(db, runs, onProgress, () => this.#closing !== null)
    return this.#retrying(this.#longPrimary, beginWriting(this.#longLimits), onlyOnce(work))
  }

  copySome(): Promise<number> {
    return this.#retrying(this.#primary, beginWriting(this.#limits), async (db) => {
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
      const begin = beginReading(this.#limits)
      return await Promise.race([transact(this.#primary, begin, deadline, this.#onQuery, checkSchema), late])
    } catch (error) {
      const reason = (error as { reason?: unknown }).reason
      return { ready: false, reason: typeof reason === 'string' ? reason : String(error) }
    } finally {
      clearTimeout(timer)
    }
  }

  prune(cutoffs: PruneCutoffs): Promise<{ keys: number; verdicts: number }> {
    const batch = (prune: typeof pruneKeys, before: Timestamp) => () =>
      this.#retrying(this.#primary, beginWriting(this.#limits), (db) => prune(db, postgresDialect, before))
    return pruneAll(batch(pruneKeys, cutoffs.keysBefore), batch(pruneVerdicts, cutoffs.verdictsBefore))
  }

  /** Lets running transactions finish, each of which is bounded. */
  close(): Promise<void> {
    this.#closing ??= Promise.all(
      [...new Set([this.#primary, this.#replica, this.#longPrimary, this.#longReplica])].map((pool) =>
        pool.end(),
      ),
    ).then(() => undefined)
    return this.#closing
  }

  #retrying<T>(pool: pg.Pool, begin: string, work: (db: Database) => Promise<T>): Promise<T> {
    return this.#trying((deadline) => transact(pool, begin, deadline, this.#onQuery, work))
  }

  async #trying<T>(attempt: (deadline: number) => Promise<T>): Promise<T> {
    const isClosed = () => this.#closing !== null
    if (isClosed()) throw new StoreUnavailable('shutting down')
    return retryWithin(
      { forMs: this.#retryForMs, firstPauseMs: 50, longestPauseMs: 1_000 },
      attempt,
      isClosed,
    )
  }
}
