/** A fresh store for a test, on each backend, with plain SQL beside it for what another writer would do. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import pg from 'pg'
import t from 'tap'
import { openPostgresStore, type PostgresOptions } from '../../src/store/postgres/open.js'
import { openSqliteStore, type SqliteOptions } from '../../src/store/sqlite/open.js'
import type { MetricHistoryStore } from '../../src/store/store.js'
import { startPostgres, type TestPostgres } from './embedded-postgres.js'

export type BackendName = MetricHistoryStore['backend']

/** What a test may set; each backend takes the options it knows. */
export type StoreOptions = Omit<SqliteOptions, 'path'> & Omit<PostgresOptions, 'url'>

export interface OpenedStore {
  readonly store: MetricHistoryStore
  /** The SQL of all statements of `store` so far, but for those that begin and end transactions; may be emptied. */
  readonly queries: string[]
  /** One statement of another writer, with `$1`, `$2`, … on both backends. */
  sql<Row = Record<string, unknown>>(text: string, parameters?: readonly unknown[]): Promise<Row[]>
  /** One more instance on the same database, as another process would have it. */
  openAnother(options?: StoreOptions): Promise<MetricHistoryStore>
  /** Where the database is: the file's path, or the URL of the server's role. */
  readonly location: string
  /** PostgreSQL's owner URL; null on SQLite. */
  readonly ownerUrl: string | null
}

/** Anything with tap's teardown: a test, or tap itself. */
export interface Teardown {
  teardown(work: () => Promise<unknown> | void): void
}

export type OpenStore = (test: Teardown, options?: StoreOptions) => Promise<OpenedStore>

/** Calls `suite` once for each backend. What `open` makes is closed and removed at the end of the test given to it. */
export function forEachBackend(suite: (name: BackendName, open: OpenStore) => void): void {
  suite('sqlite', openSqlite)
  suite('postgres', openPostgres)
}

export async function openSqlite(test: Teardown, options: StoreOptions = {}): Promise<OpenedStore> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  const path = join(folder, 'gatehouse.db')
  const queries: string[] = []
  const observed = observe(queries, options)
  const store = await openSqliteStore({ ...observed, path })
  const others: MetricHistoryStore[] = []
  const writer = new BetterSqlite3(path, { timeout: 5_000 })
  test.teardown(async () => {
    writer.close()
    for (const one of [store, ...others]) await one.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    store,
    queries,
    location: path,
    ownerUrl: null,
    sql: <Row>(text: string, parameters: readonly unknown[] = []) =>
      Promise.resolve(runOnSqlite(writer, text, parameters) as Row[]),
    async openAnother(otherOptions = {}) {
      const another = await openSqliteStore({ ...otherOptions, path })
      others.push(another)
      return another
    },
  }
}

/** @param postgres this process's, where not given */
export async function openPostgres(
  test: Teardown,
  options: StoreOptions = {},
  postgres?: TestPostgres,
): Promise<OpenedStore> {
  const { url, ownerUrl, drop } = await (postgres ?? (await sharedPostgres())).createDatabase()
  const queries: string[] = []
  const observed = observe(queries, options)
  const store = await openPostgresStore({ ...observed, url })
  const others: MetricHistoryStore[] = []
  const writer = new pg.Pool({ connectionString: ownerUrl, max: 2 })
  writer.on('error', () => undefined)
  test.teardown(async () => {
    await writer.end()
    for (const one of [store, ...others]) await one.close()
    await drop()
  })
  return {
    store,
    queries,
    location: url,
    ownerUrl,
    sql: async <Row>(text: string, parameters: readonly unknown[] = []) =>
      (await writer.query(text, [...parameters])).rows as Row[],
    async openAnother(otherOptions = {}) {
      const another = await openPostgresStore({ ...otherOptions, url })
      others.push(another)
      return another
    },
  }
}

let shared: Promise<TestPostgres> | undefined

/** This process's PostgreSQL, started when first needed and stopped with the last test. */
export function sharedPostgres(): Promise<TestPostgres> {
  shared ??= startPostgres().then((postgres) => {
    t.teardown(() => postgres.stop())
    return postgres
  })
  return shared
}

/** The URL of a superuser on the database of a store; of this process's PostgreSQL, where not given. */
export async function superuserUrl(location: string, postgres?: TestPostgres): Promise<string> {
  const url = new URL((postgres ?? (await sharedPostgres())).adminUrl)
  url.pathname = new URL(location).pathname
  return url.href
}

/** Ends the connections that servers have to this database; answers how many there were. */
export async function terminateAll(superuserUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'gatehouse'`,
  )
  await client.end()
  return rowCount ?? 0
}

function observe(queries: string[], options: StoreOptions): StoreOptions {
  return {
    ...options,
    onQuery(sql) {
      queries.push(sql)
      options.onQuery?.(sql)
    },
  }
}

function runOnSqlite(
  database: BetterSqlite3.Database,
  text: string,
  parameters: readonly unknown[],
): unknown[] {
  const bound: unknown[] = []
  const sql = text.replace(/\$(\d+)/g, (_match, place: string) => {
    const value = parameters[Number(place) - 1]
    bound.push(typeof value === 'boolean' ? Number(value) : value)
    return '?'
  })
  const statement = database.prepare(sql)
  if (statement.reader) return statement.all(bound)
  statement.run(bound)
  return []
}
