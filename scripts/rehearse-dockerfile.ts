/**
 * `npm run dockerfile:rehearse`: carries out the Dockerfile without a container engine, each stage in an empty folder
 * that stands for its file system. Then it starts the result as its user, waits for the health check, submits a run,
 * and stops it. It cannot show that the base images fit; it does show that every step works, that nothing is missing
 * from the last stage, and that a user without rights can run it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, lstatSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { allowedByDockerignore, buildStage, type StageState } from './dockerfile-stages.js'
import { execForm, parseDockerfile } from './parse-dockerfile.js'

const HEALTHY_WITHIN_MS = 20_000
const STOPPED_WITHIN_MS = 10_000
/** Numbers of the users that the base images name. */
const USERS: Readonly<Record<string, number>> = { node: 1_000, nobody: 65_534 }

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-image-'))
chmodSync(folder, 0o755)
try {
  const image = build()
  await rehearse(image)
  console.log(`size without the base image: ${(sizeOf(image.root) / 1_048_576).toFixed(0)} MiB`)
  console.log('the Dockerfile was rehearsed: it builds, runs, answers and stops')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function build(): StageState {
  const stages = new Map<string, StageState>()
  const context = {
    folder: process.cwd(),
    allowed: allowedByDockerignore('.dockerignore'),
    stages,
    log: (line: string) => console.log(line),
  }
  let last: StageState | undefined
  for (const [index, stage] of parseDockerfile(readFileSync('Dockerfile', 'utf8')).entries()) {
    last = buildStage(stage, join(folder, String(index)), context)
    stages.set(stage.name ?? String(index), last)
  }
  if (!last?.command || !last.healthcheck) throw new Error('the last stage lacks CMD or HEALTHCHECK')
  if (USERS[last.user] === undefined)
    throw new Error(`the last stage runs as ${last.user}, not as node or nobody`)
  return last
}

async function rehearse(image: StageState): Promise<void> {
  const port = await freePort()
  const asUser = process.getuid?.() === 0 ? { uid: USERS[image.user]!, gid: USERS[image.user]! } : {}
  const options = {
    cwd: join(image.root, image.workdir),
    env: { PATH: process.env.PATH, HOME: folder, LOG_LEVEL: 'warn', ...image.env, PORT: String(port) },
    ...asUser,
  }
  console.log(`taken as given: EXPOSE (PORT=${port} here, so that nothing collides)`)
  const [command = '', ...args] = execForm(image.command!)
  const server = spawn(command, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] })
  const exited = exitOf(server)
  try {
    const [check = '', ...checkArgs] = execForm(image.healthcheck!)
    const deadline = Date.now() + HEALTHY_WITHIN_MS
    while (spawnSync(check, checkArgs, options).status !== 0) {
      if (server.exitCode !== null) throw new Error(`CMD ended with ${server.exitCode}`)
      if (Date.now() > deadline) throw new Error('the health check did not succeed in time')
      await sleep(200)
    }
    console.log('done: CMD, HEALTHCHECK')
    await submitRun(port)
    server.kill(image.stopSignal as NodeJS.Signals)
    const code = await Promise.race([exited, sleep(STOPPED_WITHIN_MS, 'still running')])
    if (code !== 0) throw new Error(`after ${image.stopSignal}: ${code}, not exit code 0`)
    console.log(`done: ${image.stopSignal}, exit code 0`)
  } finally {
    if (server.exitCode === null) server.kill('SIGKILL')
  }
}

/** A whole submission by a test file: parser, worker and store must all be in the image. */
async function submitRun(port: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      series: { test_path: 'tests/test_image.py', backend: 'cpu', suite: 'rehearsal' },
      provenance: { commit_sha: '0'.repeat(40) },
      cadence: 'nightly',
      test_source: 'register_ci_gate(metric_key="loss", steps="last", constraint={"rel_down": 0.5})\n',
      record: [{ metric: 'loss', series: [[0, 1.5]] }],
    }),
  })
  const outcome = answer.headers.get('gatehouse-outcome')
  if (answer.status !== 201 || outcome !== 'pass') throw new Error(`${answer.status}: ${await answer.text()}`)
  console.log('done: a run was submitted and stored')
}

function exitOf(server: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.on('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

function sizeOf(root: string): number {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => lstatSync(join(root, path)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
}
