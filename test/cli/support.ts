import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url))

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `gatehouse` as a shell would, with nothing in its environment but what is given. */
export async function gatehouse(
  args: readonly string[],
  { env = {}, input = '', cwd }: { env?: Record<string, string>; input?: string; cwd?: string } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    ...(cwd !== undefined && { cwd }),
    timeout: 120_000,
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}

const SHA = 'a'.repeat(40)

/** A line of the plain import form. */
export function plainRun(overrides: Record<string, unknown> = {}): string {
  return `${JSON.stringify({
    series: { test_path: 'bench/all', backend: 'linux', suite: 'nightly' },
    provenance: { commit_sha: SHA },
    created_at: '2015-01-01T00:00:00Z',
    trusted: true,
    values: [{ metric_key: 'loss', step: -1, value: 1 }],
    ...overrides,
  })}\n`
}

/** A history of runs a day apart, each with one value of `loss`. */
export function plainRuns(values: readonly number[]): string {
  return values
    .map((value, day) =>
      plainRun({
        created_at: new Date(Date.UTC(2015, 0, 1 + day)).toISOString(),
        values: [{ metric_key: 'loss', step: -1, value }],
      }),
    )
    .join('')
}
