/**
 * What requests cost the store, in counts that no machine changes: statements, rows and bytes. A change that makes one
 * of them cost more fails here, and says so by raising the number.
 */
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { metricName, submissionBody, testPath } from '../../bench/workload.js'
import { bearing, issueToken, openClient } from '../http/support.js'
import { countFetched } from '../support/fetched.js'
import { forEachBackend, type BackendName } from '../support/stores.js'
import { at, run, value, writeRuns } from './fixtures.js'

t.setTimeout(120_000)

const METRICS = 5
const COORDINATES = 1_000
const RUNS = 200
const WINDOW = 20
const NAME = 'cost'
const METRIC = new URLSearchParams({ metric_key: metricName(0) }).toString()
const IN_SERIES = new URLSearchParams({
  test_path: testPath(NAME),
  backend: 'cuda',
  suite: 'bench',
}).toString()

function oldRun(index: number) {
  const values = Array.from({ length: COORDINATES }, (_none, n) =>
    value(metricName(n % METRICS), Math.floor(n / METRICS), 1 + ((index * 7_919 + n) % 100) / 1_000),
  )
  const series = { testPath: testPath(NAME), backend: 'cuda', suite: 'bench' }
  return run(`run${String(index).padStart(5, '0')}`, { series, createdAt: at(index), values })
}

function submit(query: string, more: object = {}): InjectOptions {
  return {
    method: 'POST',
    url: `/v1/runs${query}`,
    headers: { 'content-type': 'application/json' },
    payload: submissionBody(NAME, COORDINATES, more),
  }
}

/** A submission under a key, as each has that names its workflow run. */
function keyed(cadence: string, githubRunId: number): InjectOptions {
  return submit('', { cadence, provenance: { commit_sha: 'c'.repeat(40), github_run_id: githubRunId } })
}

interface Cost {
  readonly statements: number
  readonly rows: number
  /** At most: ids and times differ by some bytes between the two. */
  readonly bytes: number
}

/** Clock, and the window of each metric in one row: eight bytes a value, and what names them. */
const HISTORY: Cost = { statements: 1, rows: 1 + METRICS, bytes: COORDINATES * WINDOW * 8 + 7_000 }
/** As it is for one metric: a step is read with the others of its vector. */
const ONE_METRIC: Cost = { ...HISTORY, rows: 2, bytes: HISTORY.bytes / METRICS }
/** The look-up of the token that each request bears. */
const TOKEN: Cost = { statements: 1, rows: 1, bytes: 200 }
/** What a write adds; SQLite takes a row or a bundle of rows a statement, PostgreSQL arrays. */
const WRITES: Readonly<Record<BackendName, Readonly<Record<'verdict' | 'run' | 'key' | 'again', Cost>>>> = {
  sqlite: {
    // The verdict, the checks of each metric, the evidence.
    verdict: { statements: 2 + METRICS, rows: 1, bytes: 40 },
    // The run, its values by two hundred, the copy of each metric, and its name off the list of those without one.
    run: { statements: 1 + COORDINATES / 200 + METRICS + 1, rows: 1, bytes: 10 },
    // Whether it is there, and the key.
    key: { statements: 2, rows: 0, bytes: 150 },
    // The key, and the verdict with its checks as they were answered.
    again: { statements: 3, rows: 7, bytes: 450_000 },
  },
  postgres: {
    verdict: { statements: 1, rows: 0, bytes: 0 },
    run: { statements: 1, rows: 0, bytes: 0 },
    // Its lock, too.
    key: { statements: 3, rows: 1, bytes: 150 },
    again: { statements: 4, rows: 8, bytes: 450_000 },
  },
}

/** After a run was written: which ladders look at its series. */
const WATCHERS: Cost = { statements: 1, rows: 0, bytes: 0 }

function sum(...costs: readonly Cost[]): Cost {
  const total = (of: (cost: Cost) => number) => costs.reduce((all, cost) => all + of(cost), 0)
  return { statements: total((c) => c.statements), rows: total((c) => c.rows), bytes: total((c) => c.bytes) }
}

forEachBackend((name, open) => {
  t.test(`${name}: ${COORDINATES} coordinates, ${RUNS} runs`, async (t) => {
    const fetched = countFetched(t)
    // One connection, which is asked once what it is.
    const { store, queries } = await open(t, { poolSize: 1 })
    const { call } = await openClient(t, { store, deps: { pressure: { eventLoopDelayMs: 60_000 } } })
    const headers = bearing(await issueToken(store))
    const cost = async (request: InjectOptions) => {
      queries.length = fetched.rows = fetched.bytes = 0
      const { statusCode, body } = await call({ ...request, headers: { ...request.headers, ...headers } })
      if (statusCode >= 300) throw new Error(body.slice(0, 500))
      return { statements: queries.length, ...fetched }
    }
    // Notes once an hour that the token is used, beside the answer.
    await cost({ url: '/v1/whoami' })
    const costs = []
    for (const runs of [2 * WINDOW, RUNS]) {
      const from = runs === RUNS ? 2 * WINDOW : 0
      await writeRuns(store, ...Array.from({ length: runs - from }, (_none, index) => oldRun(from + index)))
      costs.push(await cost(submit('?dry_run=true')))
    }
    t.comment(JSON.stringify(costs))
    t.strictSame(costs[0], costs[1], 'a verdict costs the same, however long the history')
    const { verdict, run: written, key, again } = WRITES[name]
    const requests: ReadonlyArray<readonly [what: string, request: InjectOptions, most: Cost]> = [
      ['who am I', { url: '/v1/whoami' }, sum(TOKEN)],
      ['a dry run', submit('?dry_run=true'), sum(TOKEN, HISTORY)],
      ['judged only', submit('', { cadence: 'regular' }), sum(TOKEN, HISTORY, verdict)],
      ['judged only, under a key', keyed('regular', 1), sum(TOKEN, HISTORY, verdict, key)],
      ['writing', submit('', { cadence: 'nightly' }), sum(TOKEN, HISTORY, verdict, written, WATCHERS)],
      ['writing, under a key', keyed('nightly', 2), sum(TOKEN, HISTORY, verdict, written, key, WATCHERS)],
      ['the same again', keyed('nightly', 2), sum(TOKEN, again)],
      ['a baseline', { url: `/v1/baselines?${IN_SERIES}&${METRIC}&step=0` }, sum(TOKEN, ONE_METRIC)],
      [
        'a page of history',
        { url: `/v1/history?${IN_SERIES}&${METRIC}&limit=100` },
        sum(TOKEN, { statements: 3, rows: 103, bytes: 103_000 }),
      ],
      [
        'a page of runs',
        { url: '/v1/runs?limit=100' },
        sum(TOKEN, { statements: 1, rows: 101, bytes: 12_000 }),
      ],
      ['a page of series', { url: '/v1/series' }, sum(TOKEN, { statements: 1, rows: 1, bytes: 200 })],
      [
        'a run',
        { url: '/v1/runs/run00007' },
        sum(TOKEN, { statements: 3, rows: COORDINATES + 1, bytes: 52_000 }),
      ],
    ]
    for (const [what, request, most] of requests) {
      const { bytes, ...counts } = await cost(request)
      t.strictSame(counts, { statements: most.statements, rows: most.rows }, what)
      t.ok(bytes <= most.bytes, `${what}: ${bytes} bytes of ${most.bytes}`)
    }
  })
})
