/** Which reads may be some seconds old: every operation of the API is in one of the two lists. */
import { readFileSync } from 'node:fs'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import type { ReadOptions } from '../../src/store/store.js'
import { openSqlite } from '../support/stores.js'
import { openClient, SHA } from './support.js'

const SERIES = { test_path: 'tests/a.py', backend: 'cpu', suite: 's' }
const IN_SERIES = new URLSearchParams(SERIES).toString()
const ID = '01936f0c-0000-7000-8000-000000000000'

function post(url: string, payload: object): InjectOptions {
  return { method: 'POST', url, payload }
}

const SUBMISSION = {
  series: SERIES,
  provenance: { commit_sha: SHA },
  declarations: [{ metric_key: 'm', steps: 'last', constraint: { rel_up: 0.5, rel_down: 0.5 } }],
  record: [{ metric: 'm', series: [[0, 1]] }],
}

/** Lists and histories, replay and export. */
const FROM_REPLICA: Readonly<Record<string, InjectOptions>> = {
  'get /v1/runs': { url: '/v1/runs' },
  'get /v1/series': { url: '/v1/series' },
  'get /v1/coordinates': { url: `/v1/coordinates?${IN_SERIES}` },
  'get /v1/history': { url: `/v1/history?${IN_SERIES}&metric_key=m` },
  'get /v1/history.svg': { url: `/v1/history.svg?${IN_SERIES}&metric_key=m&step=-1` },
  'get /v1/badge.svg': { url: `/v1/badge.svg?${IN_SERIES}` },
  'get /v1/export': { url: '/v1/export' },
  'post /v1/replays': post('/v1/replays', { declarations: null }),
}

/** What a gate, a person with a fresh id or a credential asks; and trust, which a revocation changes at once. */
const FROM_PRIMARY: Readonly<Record<string, InjectOptions>> = {
  'post /v1/runs': post('/v1/runs?dry_run=true', SUBMISSION),
  'get /v1/runs/{run_id}': { url: `/v1/runs/${ID}` },
  'get /v1/verdicts': { url: `/v1/verdicts?commit_sha=${SHA}` },
  'get /v1/verdicts/{verdict_id}': { url: `/v1/verdicts/${ID}` },
  'get /v1/baselines': { url: `/v1/baselines?${IN_SERIES}&metric_key=m&step=0` },
  'get /v1/admin/revocations': { url: '/v1/admin/revocations' },
  'post /v1/admin/revocations': post('/v1/admin/revocations', { run_id: ID, reason: 'r', dry_run: true }),
  'get /v1/admin/revocations/{revocation_id}': { url: `/v1/admin/revocations/${ID}` },
  'get /v1/admin/tokens': { url: '/v1/admin/tokens' },
  'get /v1/evals/runs': { url: '/v1/evals/runs' },
  'get /v1/evals/runs/{name}': { url: '/v1/evals/runs/none' },
  'get /v1/evals/grids': { url: '/v1/evals/grids' },
  'get /v1/evals/grids/{grid_id}': { url: `/v1/evals/grids/${ID}` },
  'get /v1/evals/grids/{grid_id}/results': { url: `/v1/evals/grids/${ID}/results` },
  'get /v1/evals/comparisons': { url: '/v1/evals/comparisons' },
  'get /v1/evals/comparisons/{comparison_id}': { url: `/v1/evals/comparisons/${ID}` },
  'get /v1/ladders': { url: '/v1/ladders' },
  'get /v1/ladders/{ladder}': { url: '/v1/ladders/none' },
  'get /v1/ladders/{ladder}/live': { url: '/v1/ladders/none/live' },
  'get /v1/ladders/{ladder}/assignment': { url: '/v1/ladders/none/assignment?unit=u' },
  'get /v1/ladders/{ladder}/variants/{version}': { url: '/v1/ladders/none/variants/v' },
  'get /v1/ladders/{ladder}/episodes': { url: '/v1/ladders/none/episodes' },
  'get /v1/ladders/{ladder}/episodes/{episode_id}': { url: '/v1/ladders/none/episodes/e' },
  'get /v1/ladders/{ladder}/test': { url: '/v1/ladders/none/test?variant=v' },
  'get /v1/ladders/{ladder}/strengths': { url: '/v1/ladders/none/strengths' },
  'get /v1/ladders/{ladder}/transitions': { url: '/v1/ladders/none/transitions' },
  'get /v1/ladders/{ladder}/evaluations': { url: '/v1/ladders/none/evaluations' },
}

/** What writes, asks no store, or asks it for its readiness; every write is on the primary. */
const NO_READS = new Set([
  ...['get /healthz', 'get /readyz', 'get /metrics', 'get /openapi.json'],
  ...[
    'post /v1/declarations/parse',
    'post /v1/admin/import',
    'post /v1/admin/revocations/{revocation_id}/undo',
  ],
  ...['post /v1/admin/tokens', 'delete /v1/admin/tokens/{token_id}'],
  ...['post /v1/evals/comparisons', 'post /v1/evals/grids', 'post /v1/evals/judge-validity'],
  ...[
    'post /v1/ladders',
    'post /v1/ladders/{ladder}/variants',
    'patch /v1/ladders/{ladder}/variants/{version}',
  ],
  ...['post /v1/ladders/{ladder}/episodes', 'post /v1/ladders/{ladder}/groups/{group_id}/bracket'],
  ...['post /v1/ladders/{ladder}/comparisons/{comparison_id}/result', 'post /v1/ladders/{ladder}/evaluate'],
  'post /v1/ladders/{ladder}/override',
  ...['put /v1/evals/runs/{name}', 'delete /v1/evals/runs/{name}'],
  ...['get /v1/whoami', 'get /v1/session', 'post /v1/session', 'delete /v1/session'],
])

t.test('every operation is known to read the primary or a replica', (t) => {
  const { paths } = JSON.parse(readFileSync('openapi/openapi.json', 'utf8')) as {
    paths: Record<string, object>
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  const known = new Set([...Object.keys(FROM_REPLICA), ...Object.keys(FROM_PRIMARY), ...NO_READS])
  t.strictSame(
    operations.filter((operation) => !known.has(operation)),
    [],
  )
  t.strictSame(
    [...known].filter((operation) => !operations.includes(operation)),
    [],
  )
  t.end()
})

t.test('lists, history, replay and export ask for the replica, and nothing else does', async (t) => {
  const { store } = await openSqlite(t)
  const asked: ReadOptions[] = []
  const read = store.read.bind(store)
  store.read = (work, options = {}) => {
    asked.push(options)
    return read(work, options)
  }
  const { call } = await openClient(t, { store })
  // What open mode asks before each request is a credential's read.
  const askedBy = async (request: InjectOptions) => {
    asked.length = 0
    const { statusCode, body } = await call(request)
    t.ok(statusCode < 300 || statusCode === 404, body)
    return asked.map(({ replica = false }) => replica)
  }
  t.equal((await call(post('/v1/runs', { ...SUBMISSION, cadence: 'nightly' }))).statusCode, 201)
  for (const [operation, request] of Object.entries(FROM_REPLICA)) {
    const reads = await askedBy(request)
    t.strictSame([...new Set(reads.slice(-1))], [true], operation)
    t.strictSame(reads.filter(Boolean).length, 1, `${operation}: one read, on one snapshot`)
  }
  for (const [operation, request] of Object.entries(FROM_PRIMARY)) {
    const reads = await askedBy(request)
    t.ok(reads.length > 0 && !reads.includes(true), operation)
  }
})
