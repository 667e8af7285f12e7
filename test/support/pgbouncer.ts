/** Debian's pgbouncer between a server and PostgreSQL, in transaction mode. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './embedded-postgres.js'

export interface Pgbouncer {
  /** The given URL by way of the pooler. */
  readonly url: string
  /** Everything that it logged so far. */
  readonly log: readonly string[]
  stop(): Promise<void>
}

export const PGBOUNCER = '/usr/sbin/pgbouncer'

/** Of Debian's `nobody`; pgbouncer refuses to run as root. */
const NOBODY = 65_534

const START_WITHIN_MS = 5_000

/**
 * @param databaseUrl with user and password
 * @param poolSize its connections to the database
 */
export async function startPgbouncer(databaseUrl: string, poolSize: number): Promise<Pgbouncer> {
  const { hostname, port: databasePort, username, password } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const configuration = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  writeFileSync(users, `"${username}" "${password}"\n`)
  // The rest is as it comes: nothing of what a client asks for is ignored. But after a login that failed, as while the
  // database restarts, pgbouncer would let nobody through for 15 seconds, longer than the server tries again.
  writeFileSync(
    configuration,
    `[databases]
* = host=${hostname} port=${databasePort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
server_login_retry = 1
`,
  )
  const child = spawn(PGBOUNCER, [configuration], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(userInfo().uid === 0 && { uid: NOBODY, gid: NOBODY }),
  })
  const log: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => log.push(text.toString()))
  }
  const exited = once(child, 'exit')
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGQUIT')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  const deadline = performance.now() + START_WITHIN_MS
  while (!(await accepts(port))) {
    if (performance.now() > deadline || child.exitCode !== null) {
      await stop()
      throw new Error(`pgbouncer did not start:\n${log.join('')}`)
    }
    await sleep(50)
  }
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return { url: url.href, log, stop }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
