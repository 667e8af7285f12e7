/** Real servers to measure: one on each backend, each in a process of its own, with its store beside it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import pg from 'pg'
import { startPostgres } from '../test/support/embedded-postgres.js'
import { startServer, type Server } from '../test/support/server.js'

export const BACKENDS = ['sqlite', 'postgres'] as const
export type BackendName = (typeof BACKENDS)[number]

export interface Database {
  readonly backend: BackendName
  /** As DATABASE_URL has it. */
  readonly url: string
  /** Runs statements as the owner, as another writer or a DBA would. */
  execute(sql: string): Promise<void>
  /** A connection to PostgreSQL. */
  connect(as: 'superuser'): Promise<pg.Client>
}

export interface Target extends Database {
  readonly server: Server
}

/** Starts a server over an empty store of the given kind, and ends both after the work. */
export async function withTarget<T>(
  backend: BackendName,
  work: (target: Target) => Promise<T>,
  nodeArgs: readonly string[] = [],
): Promise<T> {
  return withDatabase(backend, (database) =>
    withServer(database, (server) => work({ ...database, server }), {}, nodeArgs),
  )
}

/** Starts a server on a database, and ends it after the work. */
export async function withServer<T>(
  { url }: Database,
  work: (server: Server) => Promise<T>,
  env: Readonly<Record<string, string>> = {},
  nodeArgs: readonly string[] = [],
): Promise<T> {
  const server = await startServer({ DATABASE_URL: url, ...env }, { nodeArgs })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

/** Makes an empty database with the schema, and drops it after the work. */
export async function withDatabase<T>(
  backend: BackendName,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return backend === 'sqlite' ? withSqlite(work) : withPostgres(work)
}

async function withSqlite<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const path = join(folder, 'bench.db')
  try {
    return await work({
      backend: 'sqlite',
      url: `sqlite:${path}`,
      execute: (sql) => {
        const handle = new BetterSqlite3(path)
        try {
          handle.exec(sql)
        } finally {
          handle.close()
        }
        return Promise.resolve()
      },
      connect: () => Promise.reject(new Error('SQLite has no server to connect to')),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withPostgres<T>(work: (database: Database) => Promise<T>): Promise<T> {
  // Durable, as in earnest: what a commit costs is part of what is measured.
  const postgres = await startPostgres({ durable: true })
  try {
    const { url, ownerUrl } = await postgres.createDatabase()
    return await work({
      backend: 'postgres',
      url,
      execute: async (sql) => {
        const client = new pg.Client({ connectionString: ownerUrl })
        await client.connect()
        try {
          await client.query(sql)
        } finally {
          await client.end()
        }
      },
      connect: async () => {
        const inDatabase = new URL(postgres.adminUrl)
        inDatabase.pathname = new URL(url).pathname
        const client = new pg.Client({ connectionString: inDatabase.href })
        await client.connect()
        return client
      },
    })
  } finally {
    await postgres.stop()
  }
}

/** The largest resident memory of a process so far, in MiB. */
export function peakMemoryMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
  if (kib === undefined) throw new Error('this system does not tell the peak memory of a process')
  return Math.round(Number(kib) / 1_024)
}

/** The processor time that a process has used so far, in seconds; tells the same on a busy machine as on an idle one. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const TICKS_PER_SECOND = 100
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
