/** The store on one SQLite file: the embedded default. Several processes may share the file. */
import { resolve } from 'node:path'
import type { Timestamp } from '../../gate/run.js'
import type { Database, Dialect } from '../queries/dialect.js'
import { pruneKeys, pruneVerdicts, pruneAll } from '../queries/prune.js'
import { createReader, createWriter } from '../queries/reader.js'
import { retryWithin } from '../retry.js'
import {
  StoreUnavailable,
  type HistoryReader,
  type HistoryWriter,
  type MetricHistoryStore,
  type PruneCutoffs,
  type Readiness,
} from '../store.js'
import { connect, type Connection } from './connection.js'
import { risingClock, sqliteDialect } from './dialect.js'
import { explain } from './failures.js'
import { openFile } from './file.js'
import { Lanes } from './lanes.js'
import { SCHEMA_VERSION } from './schema.js'

export interface SqliteOptions {
  /** The database file; it and its directory are made when missing. */
  readonly path: string
  /** How long a transaction waits for others, of this process or another; 5 seconds. */
  readonly busyTimeoutMs?: number
  readonly clock?: () => Date
  /** Told the SQL of every statement but begin, commit and rollback. */
  readonly onQuery?: (sql: string) => void
}

/** Reads wait for no writer, and a long one (an export) holds up no other. Each has a page cache, so they are few. */
const READERS = 4

/**
 * Opens the store, and creates or upgrades its schema.
 * @throws Error when the file is another program's or newer than this one; it stays as it is
 * @throws StoreUnavailable when the file cannot be opened, or is locked for longer than the bound
 */
export async function openSqliteStore(options: SqliteOptions): Promise<MetricHistoryStore> {
  if (options.path === '' || options.path === ':memory:') {
    throw new Error('the SQLite store needs a file: its readers and its writer are connections of their own')
  }
  const path = resolve(options.path)
  const busyTimeoutMs = options.busyTimeoutMs ?? 5_000
  const writer = await whileBusy(busyTimeoutMs, () => Promise.resolve(openFile(path, options.onQuery)))
  return new SqliteStore(
    new Lanes(1, () => writer, [writer]),
    new Lanes(READERS, () => connect(path, 'begin', options.onQuery)),
    sqliteDialect(risingClock(options.clock ?? (() => new Date()))),
    busyTimeoutMs,
  )
}

class SqliteStore implements MetricHistoryStore {
  readonly backend = 'sqlite'
  readonly #writers: Lanes<Connection>
  readonly #readers: Lanes<Connection>
  readonly #dialect: Dialect
  readonly #busyTimeoutMs: number
  #closing: Promise<void> | null = null

  constructor(
    writers: Lanes<Connection>,
    readers: Lanes<Connection>,
    dialect: Dialect,
    busyTimeoutMs: number,
  ) {
    this.#writers = writers
    this.#readers = readers
    this.#dialect = dialect
    this.#busyTimeoutMs = busyTimeoutMs
  }

  read<T>(work: (reader: HistoryReader) => Promise<T>): Promise<T> {
    return this.#transact(this.#readers, (db) => work(createReader(db, this.#dialect)))
  }

  write<T>(work: (writer: HistoryWriter, attempt: number) => Promise<T>): Promise<T> {
    let attempt = 0
    return this.#transact(this.#writers, (db) => work(createWriter(db, this.#dialect), ++attempt))
  }

  async checkReady(): Promise<Readiness> {
    try {
      const version = await this.#lend(this.#readers, ({ handle }) =>
        Promise.resolve(handle.pragma('user_version', { simple: true })),
      )
      if (version === SCHEMA_VERSION) return { ready: true }
      return {
        ready: false,
        reason: `the schema has version ${String(version)}, and this program needs ${SCHEMA_VERSION}`,
      }
    } catch (error) {
      return { ready: false, reason: error instanceof StoreUnavailable ? error.reason : String(error) }
    }
  }

  prune(cutoffs: PruneCutoffs): Promise<{ keys: number; verdicts: number }> {
    const batch = (prune: typeof pruneKeys, before: Timestamp) => () =>
      this.#transact(this.#writers, (db) => prune(db, this.#dialect, before))
    return pruneAll(batch(pruneKeys, cutoffs.keysBefore), batch(pruneVerdicts, cutoffs.verdictsBefore))
  }

  /** Lets running transactions finish. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      for (const lanes of [this.#readers, this.#writers]) {
        for (const { db, handle } of await lanes.drain()) {
          await db.destroy()
          // Kysely closes only what it has used.
          handle.close()
        }
      }
    })()
    return this.#closing
  }

  #transact<T>(lanes: Lanes<Connection>, work: (db: Database) => Promise<T>): Promise<T> {
    return this.#lend(lanes, ({ db }) => db.transaction().execute(work))
  }

  /** Waiting for a connection and for the file's lock is within one bound. */
  async #lend<T>(lanes: Lanes<Connection>, work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#closing !== null) throw new StoreUnavailable('shutting down')
    const deadline = performance.now() + this.#busyTimeoutMs
    return lanes.lend(deadline, (connection) =>
      whileBusy(deadline - performance.now(), () => work(connection)),
    )
  }
}

/** Tries again while another process has the lock; meanwhile the event loop is free. */
function whileBusy<T>(forMs: number, attempt: () => Promise<T>): Promise<T> {
  return retryWithin({ forMs, firstPauseMs: 2, longestPauseMs: 50 }, async () => {
    try {
      return await attempt()
    } catch (error) {
      throw explain(error)
    }
  })
}
