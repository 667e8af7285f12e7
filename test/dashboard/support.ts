/** A server with the demo in its store, for the tests that look at it through a browser. */
import { join } from 'node:path'
import { gatehouse } from '../cli/support.js'
import { serve, temporaryFolder, type Server } from '../support/server.js'

interface Teardown {
  teardown(work: () => unknown): unknown
}

export const ADMIN_TOKEN = 'the-first-token-of-an-administrator'

export const THROUGHPUT = {
  test_path: 'tests/perf/test_throughput.py',
  backend: 'cuda',
  suite: 'stage-c-8-gpu-h100',
}
export const PPO = { test_path: 'tests/e2e/test_ppo.py', backend: 'cuda', suite: 'stage-c-8-gpu-h100' }

/** Fills a store with the demo and serves it. */
export async function serveDemo(t: Teardown, env: Record<string, string> = {}): Promise<Server> {
  const database = `sqlite:${join(temporaryFolder(t), 'demo.db')}`
  const { code, stderr } = await gatehouse(['demo', '--database', database])
  if (code !== 0) throw new Error(stderr)
  return serve(t, { DATABASE_URL: database, ...env })
}

/** Asks the API beside the browser. */
export async function ask<T>(
  { url }: Server,
  path: string,
  { method = 'GET', body, token }: { method?: string; body?: object; token?: string } = {},
): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Parameters of an address. */
export function query(of: Record<string, string>): string {
  return new URLSearchParams(of).toString()
}

export function seriesPath(series: Record<string, string>, more: Record<string, string> = {}): string {
  return `/series?${query({ ...series, ...more })}`
}

export interface Listed {
  readonly items: ReadonlyArray<{
    readonly run_id: string
    readonly verdict_id: string
    readonly created_at: string
    readonly trusted: boolean
  }>
}

export const STEPS = { test_path: 'tests/train/test_curve.py', backend: 'cpu', suite: 'nightly' }

/** A run of more steps than are shown by a chart each. */
export async function submitSteps(server: Server, factor: number): Promise<void> {
  const series = Array.from({ length: 30 }, (_, step) => [step, factor * (1 + step / 10)])
  const declarations = [
    { metric_key: 'train/loss', steps: 'all', constraint: { rel_up: 0.1, rel_down: 0.1 } },
  ]
  await ask(server, '/v1/runs', {
    method: 'POST',
    body: {
      series: STEPS,
      provenance: { commit_sha: 'c'.repeat(40) },
      cadence: 'nightly',
      declarations,
      record: [{ metric: 'train/loss', series }],
    },
  })
}
