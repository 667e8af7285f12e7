/** The store on one SQLite file: the embedded default. Several processes may share the file. */
import { resolve } from 'node:path'
import type { Timestamp } from '../../gate/run.js'
import { copySome } from '../queries/copies.js'
import type { Database, Dialect } from '../queries/dialect.js'
import { pruneAll, pruneCredentials, pruneKeys, pruneVerdicts } from '../queries/prune.js'
import { createReader, createWriter } from '../queries/reader.js'
import { onlyOnce } from '../retry.js'
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
import { whileBusy } from './busy.js'
import { Checkpoints } from './checkpoints.js'
import { connect, type Connection, type ConnectionOptions } from './connection.js'
import { risingClock, sqliteDialect } from './dialect.js'
import { openFile } from './file.js'
import { hasStaged } from './import-staging.js'
import { importRuns, recoverImport, type ImportContext } from './import.js'
import { Lanes } from './lanes.js'
import type { OpenedFile } from './opened-file.js'
import { SCHEMA_VERSION } from './schema.js'
import { WriteGroups } from './write-groups.js'

export interface SqliteOptions extends ConnectionOptions {
  /** The database file; it and its directory are made when missing. */
  readonly path: string
  /** How long a transaction waits for others, of this process or another; 5 seconds. */
  readonly busyTimeoutMs?: number
  readonly clock?: () => Date
}

/** Reads wait for no writer. Each connection has a page cache, so they are few. */
const READERS = 4

/** Exports and the like, which keep their connection as long as their client reads. */
const LONG_READERS = 4

/**
 * Opens the store, and creates or upgrades its schema.
 * @throws StoreRefused when the file is another program's or newer than this one; it stays as it is
 * @throws StoreUnavailable when the file cannot be opened, or is locked for longer than the bound
 */
export async function openSqliteStore(options: SqliteOptions): Promise<MetricHistoryStore> {
  if (options.path === '' || options.path === ':memory:') {
    throw new Error('the SQLite store needs a file: its readers and its writer are connections of their own')
  }
  const path = resolve(options.path)
  const busyTimeoutMs = options.busyTimeoutMs ?? 5_000
  const writer = await whileBusy(busyTimeoutMs, () => Promise.resolve(openFile(path, options)))
  const store = new SqliteStore(options, path, writer, busyTimeoutMs)
  store.recoverImport()
  return store
}

class SqliteStore implements MetricHistoryStore {
  readonly backend = 'sqlite'
  readonly #writers: Lanes<Connection>
  readonly #groups: WriteGroups
  readonly #readers: Lanes<Connection>
  readonly #longReaders: Lanes<Connection>
  readonly #dialect: Dialect
  readonly #busyTimeoutMs: number
  readonly #file: OpenedFile
  readonly #checkpoints: Checkpoints
  readonly #imports: ImportContext
  /** Imports that are under way, and what cleans up after others. */
  readonly #importing = new Set<Promise<unknown>>()
  #closing: Promise<void> | null = null

  constructor(options: SqliteOptions, path: string, writer: Connection, busyTimeoutMs: number) {
    const openReader = () => connect(path, 'begin', options, writer.file)
    this.#writers = new Lanes(1, () => writer, [writer])
    this.#groups = new WriteGroups(this.#writers, (db) => createWriter(db, this.#dialect))
    this.#readers = new Lanes(READERS, openReader)
    this.#longReaders = new Lanes(LONG_READERS, openReader)
    this.#dialect = sqliteDialect(risingClock(options.clock ?? (() => new Date())))
    this.#busyTimeoutMs = busyTimeoutMs
    this.#file = writer.file
    this.#checkpoints = new Checkpoints(writer.file, (work) => this.#lend(this.#writers, work))
    writer.watch(this.#checkpoints)
    this.#imports = {
      watcher: this.#checkpoints,
      file: writer.file,
      dialect: this.#dialect,
      options,
      isClosing: () => this.#closing !== null,
    }
  }

  read<T>(
    work: (reader: HistoryReader) => Promise<T>,
    { long = false, single = false }: ReadOptions = {},
  ): Promise<T> {
    const reading = (db: Database) => work(createReader(db, this.#dialect))
    if (single === true) return this.#lend(this.#readers, ({ asking }) => reading(asking))
    return long
      ? this.#transact(this.#longReaders, onlyOnce(reading))
      : this.#transact(this.#readers, reading)
  }

  async write<T>(work: (writer: HistoryWriter, attempt: number) => Promise<T>): Promise<T> {
    this.#assertOpen()
    return this.#groups.write(work, this.#busyTimeoutMs)
  }

  importRuns(
    runs: AsyncIterable<ImportedRun>,
    onProgress: (runs: number) => void = () => undefined,
  ): Promise<ImportResult> {
    return this.#tracked(() => importRuns(this.#imports, runs, onProgress))
  }

  /** Begins to clean up what a process that was killed left of its import; nobody waits for it. */
  recoverImport(): void {
    this.#tracked(async () => {
      const isLeft = await this.#lend(this.#readers, ({ handle }) => Promise.resolve(hasStaged(handle)))
      if (isLeft) await recoverImport(this.#imports)
    }).catch(() => undefined)
  }

  copySome(): Promise<number> {
    return this.#transact(this.#writers, (db) => copySome(db, this.#dialect))
  }

  async checkReady(): Promise<Readiness> {
    const reason = this.#file.lost() ?? this.#file.readOnly()
    if (reason !== null) return { ready: false, reason }
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

  async prune(cutoffs: PruneCutoffs): Promise<{ keys: number; verdicts: number }> {
    const batch = (prune: typeof pruneKeys, before: Timestamp) => () =>
      this.#transact(this.#writers, (db) => prune(db, this.#dialect, before))
    this.recoverImport()
    // On PostgreSQL this is the retention job's: the server's role may delete no credential.
    await this.#transact(this.#writers, (db) => pruneCredentials(db, this.#dialect, cutoffs.keysBefore))
    return pruneAll(batch(pruneKeys, cutoffs.keysBefore), batch(pruneVerdicts, cutoffs.verdictsBefore))
  }

  pools(): readonly PoolUse[] {
    const { size, idle, waiting } = this.#writers.use
    return [
      { name: 'writer', gate: true, size, idle, waiting: waiting + this.#groups.waiting },
      { name: 'readers', gate: true, ...this.#readers.use },
      { name: 'long_readers', gate: false, ...this.#longReaders.use },
    ]
  }

  /** Lets running transactions finish; an import ends with the one it is at. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      // The field is set first, which is what an import looks at.
      await Promise.resolve()
      await Promise.allSettled(this.#importing)
      await this.#groups.drain()
      await this.#checkpoints.close()
      for (const lanes of [this.#readers, this.#longReaders, this.#writers]) {
        for (const connection of await lanes.drain()) await connection.close()
      }
    })()
    return this.#closing
  }

  async #tracked<T>(work: () => Promise<T>): Promise<T> {
    this.#assertOpen()
    const working = work()
    this.#importing.add(working)
    try {
      return await working
    } finally {
      this.#importing.delete(working)
    }
  }

  #transact<T>(lanes: Lanes<Connection>, work: (db: Database) => Promise<T>): Promise<T> {
    return this.#lend(lanes, ({ db }) => db.transaction().execute(work))
  }

  /** Waiting for a connection and for the file's lock is within one bound. */
  async #lend<T>(lanes: Lanes<Connection>, work: (connection: Connection) => Promise<T>): Promise<T> {
    this.#assertOpen()
    const deadline = performance.now() + this.#busyTimeoutMs
    return lanes.lend(deadline, (connection) =>
      whileBusy(deadline - performance.now(), () => work(connection)),
    )
  }

  #assertOpen(): void {
    if (this.#closing !== null) throw new StoreUnavailable('shutting down')
  }
}
