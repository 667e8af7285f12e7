import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'

export const SHA = '4f2b6c1d8e9a0b3c5d7e9f1a2b4c6d8e0f1a3b5c'
export const GATES =
  'register_ci_gate(metric_key="loss", steps="last", hard_ref={"max": 1})\n# the rest is no matter of Gatehouse\n'

export interface Step {
  readonly code: number
  /** Standard output and standard error, as a job's log shows them. */
  readonly log: string
}

/** Runs a script as a runner does, with nothing in its environment but what is given. */
export function runStep(
  shell: readonly [program: string, ...args: string[]],
  script: string,
  options: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<Step> {
  const [program, ...args] = shell
  const env = { PATH: process.env['PATH'], HOME: options.cwd, no_proxy: '*', ...options.env }
  return new Promise((resolve) => {
    const text = `exec 2>&1\n${script}`
    execFile(program, [...args, text], { cwd: options.cwd, env, timeout: 60_000 }, (error, stdout) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, log: stdout }),
    )
  })
}

/** GitHub's shell for `run:` steps. */
export const GITHUB_SHELL = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c'] as const

/** A checkout: files by path, and `gatehouse.sh` where the example has it. */
export function checkout(folder: string, script: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  mkdirSync(dirname(join(folder, script)), { recursive: true })
  cpSync('examples/gatehouse.sh', join(folder, script))
}

export function loss(value: number): string {
  return `{"metric":"loss","series":[[0,${value}]]}\n`
}

export interface Recorder {
  readonly url: string
  readonly requests: Array<Pick<IncomingMessage, 'method' | 'url' | 'headers'>>
}

/** A server that answers everything alike and remembers what it was asked. */
export async function record(
  t: { teardown(work: () => void): unknown },
  answer: { status: number; headers?: Record<string, string>; body: string },
): Promise<Recorder> {
  const requests: Recorder['requests'] = []
  const server = createServer((request, response) => {
    requests.push(request)
    request.resume().on('end', () => response.writeHead(answer.status, answer.headers).end(answer.body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
