import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { LOG_FOLDER_VARIABLE } from '../../scripts/leaked-secrets.js'

const SERVER = fileURLToPath(new URL('../../src/server.js', import.meta.url))
const START_WITHIN_MS = 30_000

/** The real process, started as `npm start` starts it. */
export interface Server {
  readonly url: string
  readonly process: ChildProcess
  /** Every line that it logged so far. */
  readonly log: readonly string[]
  /** Ends it and waits for the end; answers its exit code (null when a signal ended it). */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Kills it and its parsers at one blow, as the end of a container does. */
  kill(): Promise<void>
}

/**
 * Starts the server on a free port of loopback and waits until it listens.
 * @param env beside PORT; a DATABASE_URL in most cases
 * @param options.nodeArgs for Node itself, as `--max-old-space-size=192`
 */
export async function startServer(
  env: Readonly<Record<string, string>>,
  { nodeArgs = [], ...options }: { cwd?: string; nodeArgs?: readonly string[] } = {},
): Promise<Server> {
  // tap gives every child its loader (NODE_OPTIONS), and with it other answers to signals and a slower start. The process
  // is to be the one that people run. `env` becomes it, and does not stay in between.
  const command = ['--unset=NODE_OPTIONS', process.execPath, '--enable-source-maps', ...nodeArgs, SERVER]
  const child = spawn('env', command, {
    ...options,
    // A group of its own, so that `kill` reaches its children.
    detached: true,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log: string[] = []
  const listening = new Promise<string>((resolve, reject) => {
    const read = (line: string) => {
      log.push(line)
      keep(child.pid, line)
      const url = /listening at (http:\/\/[^\s"]+)/i.exec(line)?.[1]
      if (url) resolve(url)
    }
    createInterface({ input: child.stdout }).on('line', read)
    createInterface({ input: child.stderr }).on('line', read)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${log.join('\n')}`)))
    setTimeout(
      () => reject(new Error(`the server did not listen in time:\n${log.join('\n')}`)),
      START_WITHIN_MS,
    ).unref()
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return (await exited)[0]
  }
  const kill = async () => {
    // Its own exit comes first only where it has ended already; then the group may be gone.
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      process.kill(-child.pid, 'SIGKILL')
    }
    await exited
  }
  try {
    return { url: await listening, process: child, log, stop, kill }
  } catch (error) {
    await stop('SIGKILL')
    throw error
  }
}

/** As `startServer`; whatever becomes of the test, nothing of the server is left running. */
export async function serve(
  t: { teardown(work: () => Promise<void>): unknown },
  env: Readonly<Record<string, string>>,
): Promise<Server> {
  const server = await startServer(env)
  t.teardown(() => server.kill())
  return server
}

/** Leaves what a server says where the end of a test run looks for secrets in it. */
function keep(pid: number | undefined, line: string): void {
  const folder = process.env[LOG_FOLDER_VARIABLE]
  if (folder === undefined || folder === '') return
  mkdirSync(folder, { recursive: true })
  appendFileSync(join(folder, `server-${process.pid}-${pid}.log`), `${line}\n`)
}

/** An empty folder that is removed at the end of the test. */
export function temporaryFolder(t: { teardown(work: () => void): unknown }): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
