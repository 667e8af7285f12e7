/** A primary and a streaming replica, of the system's own PostgreSQL: the embedded one has no pg_basebackup. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'
import pg from 'pg'
import { clusterFolder, freePort, prepare, type TestPostgres } from './embedded-postgres.js'
import { unmet } from './requires.js'

export interface PostgresPair {
  readonly primary: TestPostgres
  /** The same database on the replica. */
  onReplica(url: string): string
  /** One statement on the replica, as superuser. */
  askReplica(text: string): Promise<unknown[]>
  /** Resolves when the replica has replayed all that the primary has committed so far. */
  caughtUp(): Promise<void>
  /** Stops it as a crash does. */
  stopReplica(): Promise<void>
  startReplica(): Promise<void>
  stop(): Promise<void>
}

/** Where Debian and Ubuntu put what a version brings. */
const VERSIONS = '/usr/lib/postgresql'
const OLDEST = 15
const START_WITHIN_MS = 30_000

/** For tap's `skip` option: false where there is a PostgreSQL to make a pair of. */
export function needsPostgresPair(): string | false {
  return (
    programs() === null && unmet(`needs PostgreSQL ${OLDEST} or newer in ${VERSIONS}, with pg_basebackup`)
  )
}

/** The folder of the newest installed version; null where none is. */
function programs(): string | null {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number) : []
  const [newest] = versions.filter((version) => version >= OLDEST).sort((a, b) => b - a)
  const folder = join(VERSIONS, String(newest), 'bin')
  return existsSync(join(folder, 'pg_basebackup')) && existsSync(join(folder, 'postgres')) ? folder : null
}

/** @param durable whether commits wait for the disk, as in earnest */
export async function startPostgresPair({ durable = false } = {}): Promise<PostgresPair> {
  const settings = durable ? {} : { fsync: 'off', full_page_writes: 'off' }
  const primary = new Cluster(await freePort(), durable, { ...settings, autovacuum: 'off' })
  // Queries on the replica give way soon to what the primary has vacuumed, so that a test can see it.
  const replica = new Cluster(await freePort(), durable, {
    ...settings,
    max_standby_streaming_delay: '200ms',
  })
  const stop = async () => {
    await replica.remove()
    await primary.remove()
  }
  try {
    await primary.run('initdb', [
      '-D',
      primary.folder,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-sync',
    ])
    await primary.start()
    const from = `host=127.0.0.1 port=${primary.port} user=postgres`
    const copy = ['-D', replica.folder, '-d', from, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
    await replica.run('pg_basebackup', copy)
    await replica.start()
    const lsn = async () => {
      const [row] = await ask(primary.url, 'select pg_current_wal_lsn()::text as lsn')
      return (row as { lsn: string }).lsn
    }
    const prepared = await prepare(primary.url, stop)
    return {
      primary: prepared,
      onReplica(url) {
        const other = new URL(url)
        other.port = String(replica.port)
        return other.href
      },
      askReplica: (text) => ask(replica.url, text),
      async caughtUp() {
        const behind = `select pg_last_wal_replay_lsn() < '${await lsn()}'::pg_lsn as behind`
        const isBehind = async () => ((await ask(replica.url, behind))[0] as { behind: boolean }).behind
        await waitUntil('the replica caught up', async () => !(await isBehind()))
      },
      stopReplica: () => replica.stop('SIGQUIT'),
      startReplica: () => replica.start(),
      stop: () => prepared.stop(),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

class Cluster {
  readonly folder: string
  readonly port: number
  readonly #settings: Readonly<Record<string, string>>
  readonly #log: string[] = []
  #process: ChildProcess | null = null

  constructor(port: number, durable: boolean, settings: Readonly<Record<string, string>>) {
    this.port = port
    this.folder = clusterFolder(durable)
    this.#settings = settings
    mkdirSync(this.folder, { mode: 0o700 })
    if (IS_ROOT) chownSync(this.folder, NOBODY, NOBODY)
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`
  }

  async run(program: string, parameters: readonly string[]): Promise<void> {
    await promisify(execFile)(join(programs()!, program), [...parameters], { cwd: '/', ...AS_NOBODY })
  }

  async start(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: '',
      shared_buffers: '32MB',
      ...this.#settings,
    }
    const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(join(programs()!, 'postgres'), ['-D', this.folder, ...parameters], {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      ...AS_NOBODY,
    })
    child.stderr?.on('data', (text: Buffer) => this.#log.push(text.toString()))
    this.#process = child
    const answers = () => ask(this.url, 'select 1').then(Boolean, () => false)
    await waitUntil('PostgreSQL started', async () => child.exitCode !== null || (await answers()))
    if (child.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${this.#log.join('')}`)
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process
    this.#process = null
    if (child === null || child.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  async remove(): Promise<void> {
    await this.stop('SIGQUIT')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Debian's `nobody`: PostgreSQL refuses to run as root. */
const NOBODY = 65_534
const IS_ROOT = userInfo().uid === 0
const AS_NOBODY = IS_ROOT ? { uid: NOBODY, gid: NOBODY } : {}

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(text)).rows as unknown[]
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function waitUntil(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + START_WITHIN_MS
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within ${START_WITHIN_MS} ms: ${what}`)
    await sleep(30)
  }
}
