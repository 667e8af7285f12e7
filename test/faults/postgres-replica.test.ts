/** Two servers on one primary, with a streaming replica for lists: it lags, goes away, hangs, and ends queries. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { explain } from '../../src/store/postgres/failures.js'
import { openPostgresStore } from '../../src/store/postgres/open.js'
import { Transient } from '../../src/store/retry.js'
import { lossRun, at, LOSS, SERIES as STORED_SERIES, writeRuns } from '../store/fixtures.js'
import { needsPostgresPair, startPostgresPair, type PostgresPair } from '../support/postgres-pair.js'
import { serve } from '../support/server.js'
import { openPostgres } from '../support/stores.js'
import { TcpProxy } from '../support/tcp-proxy.js'

t.setTimeout(180_000)

const SERIES = { test_path: 'tests/replica.py', backend: 'cpu', suite: 's' }
const IN_SERIES = new URLSearchParams(SERIES).toString()
const LISTS = [
  '/v1/runs',
  '/v1/series',
  `/v1/coordinates?${IN_SERIES}`,
  `/v1/history?${IN_SERIES}&metric_key=m`,
]

interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly text: string
  readonly tookMs: number
  json<T>(): T
}

async function call(url: string, path: string, body?: object, token?: string): Promise<Answer> {
  const begun = performance.now()
  const response = await fetch(`${url}${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  })
  const text = await response.text()
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    text,
    tookMs: performance.now() - begun,
    json: <T>() => JSON.parse(text) as T,
  }
}

function submission(value: number, cadence: 'nightly' | 'regular') {
  return {
    series: SERIES,
    provenance: { commit_sha: 'a'.repeat(40) },
    cadence,
    declarations: [{ metric_key: 'm', steps: 'last', constraint: { rel_up: 0.5, rel_down: 0.5 } }],
    record: [{ metric: 'm', series: [[0, value]] }],
  }
}

interface Verdict {
  readonly run_id: string
  readonly verdict_id: string
  readonly checks: ReadonlyArray<{ readonly baseline: { readonly n: number } | null }>
}

/** How many runs a verdict is compared with. */
async function judgedBy(url: string): Promise<number> {
  const answer = await call(url, '/v1/runs?dry_run=true', submission(1, 'regular'))
  return answer.json<Verdict>().checks[0]?.baseline?.n ?? 0
}

async function write(t: Test, url: string): Promise<Verdict> {
  const answer = await call(url, '/v1/runs', submission(1, 'nightly'))
  t.equal(answer.status, 201, 'a run is written')
  return answer.json<Verdict>()
}

/** Two servers on a fresh database of the pair. */
async function serveTwo(t: Test, pair: PostgresPair): Promise<[string, string]> {
  const { location } = await openPostgres(t, {}, pair.primary)
  await pair.caughtUp()
  const env = { DATABASE_URL: location, DATABASE_READ_URL: pair.onReplica(location) }
  const [one, other] = await Promise.all([serve(t, env), serve(t, env)])
  return [one.url, other.url]
}

t.test('two servers, a primary and a replica', { skip: needsPostgresPair() }, async (t) => {
  const pair = await startPostgresPair()
  t.teardown(() => pair.stop())

  await t.test('what a lagging replica does not know yet is known to every gate', async (t) => {
    const urls = await serveTwo(t, pair)
    const [one, other] = urls
    const runs = await Promise.all(Array.from({ length: 12 }, () => write(t, one)))
    await pair.caughtUp()
    await pair.askReplica('select pg_wal_replay_pause()')
    const [revoked] = runs
    const runId = revoked?.run_id ?? ''
    const revocation = await call(one, '/v1/admin/revocations', { run_id: runId, reason: 'bad' })
    t.equal(revocation.status, 201, 'the revocation is made')
    const { revocation_id: revocationId } = revocation.json<{ revocation_id: string }>()
    t.strictSame(await Promise.all(urls.map(judgedBy)), [11, 11], 'the revocation bites at once on both')
    const fresh = await write(t, one)
    t.strictSame(await Promise.all(urls.map(judgedBy)), [12, 12], 'and so does a new run')
    for (const url of urls) {
      t.equal((await call(url, `/v1/runs/${runId}`)).json<{ trusted: boolean }>().trusted, false)
      for (const path of [`/v1/runs/${fresh.run_id}`, `/v1/verdicts/${fresh.verdict_id}`]) {
        t.equal((await call(url, path)).status, 200, `a fresh id is found: ${path}`)
      }
      t.equal((await call(url, `/v1/admin/revocations/${revocationId}`)).status, 200)
      const baseline = await call(url, `/v1/baselines?${IN_SERIES}&metric_key=m&step=-1`)
      t.equal(baseline.json<{ n: number }>().n, 12, 'baselines are those of the gate')
      const verdicts = await call(url, `/v1/verdicts?commit_sha=${'a'.repeat(40)}`)
      t.equal(verdicts.json<{ items: unknown[] }>().items.length, 13, 'lists of verdicts decide merges')
      await heldByReplica(t, url, { runs: 12, trusted: 12 })
    }
    await pair.askReplica('select pg_wal_replay_resume()')
    await pair.caughtUp()
    for (const url of urls) await heldByReplica(t, url, { runs: 13, trusted: 12 })

    await pair.askReplica('select pg_wal_replay_pause()')
    const made = await call(one, '/v1/admin/tokens', { name: 'ops', scopes: ['admin'] })
    t.equal(made.status, 201, 'the token is made')
    const { token, token_id: tokenId } = made.json<{ token: string; token_id: string }>()
    t.equal((await call(other, '/v1/runs')).status, 401, 'open mode is over on the other server too')
    t.equal((await call(other, '/v1/runs', undefined, token)).status, 200)
    const gone = await fetch(`${one}/v1/admin/tokens/${tokenId}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    })
    t.equal(gone.status, 204)
    t.equal(
      (await call(other, '/v1/runs', undefined, token)).status,
      401,
      'a revoked token is refused at once',
    )
    await pair.askReplica('select pg_wal_replay_resume()')
  })

  await t.test(
    'without its replica a server judges on, and lists are refused until it is back',
    async (t) => {
      const urls = await serveTwo(t, pair)
      await write(t, urls[0])
      await pair.caughtUp()
      await pair.stopReplica()
      const lists = LISTS.map((path) => call(urls[0], path))
      await judgesOn(t, urls)
      for (const answer of await Promise.all(lists)) {
        t.equal(answer.status, 503, 'a list is refused')
        t.match(answer.retryAfter, /^[1-9]\d*$/)
        t.ok(answer.tookMs < 16_000, 'in bounded time')
      }
      const waiting = call(urls[1], '/v1/runs')
      await pair.startReplica()
      t.equal((await waiting).status, 200, 'one that came shortly before it was back waited for it')
      for (const path of LISTS) t.equal((await call(urls[0], path)).status, 200, path)
      await pair.caughtUp()
      await heldByReplica(t, urls[0], { runs: 3, trusted: 3 })
    },
  )

  await t.test('a replica that hangs holds up lists alone, however many', async (t) => {
    const { location } = await openPostgres(t, {}, pair.primary)
    await pair.caughtUp()
    const proxy = await TcpProxy.start(pair.onReplica(location))
    t.teardown(() => proxy.close())
    const { url } = await serve(t, { DATABASE_URL: location, DATABASE_READ_URL: proxy.url })
    t.equal((await call(url, '/v1/runs')).status, 200)
    proxy.freeze()
    const lists = Array.from({ length: 600 }, () => call(url, '/v1/runs'))
    await sleep(500)
    await judgesOn(t, [url])
    const statuses = new Set((await Promise.all(lists)).map(({ status }) => status))
    t.strictSame([...statuses], [503])
    proxy.thaw()
    t.equal((await call(url, '/v1/runs')).status, 200, 'they come back by themselves')
  })

  await t.test('a list that the replay of the log ended is read again', async (t) => {
    const { store, location, sql } = await openPostgres(t, {}, pair.primary)
    await writeRuns(store, ...[1, 2, 3].map((number) => lossRun(`run${number}`, at(number), number)))
    await pair.caughtUp()
    const reading = await openPostgresStore({ url: location, readUrl: pair.onReplica(location) })
    t.teardown(() => reading.close())
    const watcher = new pg.Client({ connectionString: pair.onReplica(location) })
    await watcher.connect()
    t.teardown(() => watcher.end())
    // What is deleted goes only when nobody on the primary may still look at it, which is not at once.
    const vacuumUntil = async (isOver: () => Promise<boolean> | boolean) => {
      for (let round = 0; round < 100; round++) {
        await sql('vacuum metric_values')
        await pair.caughtUp()
        if (await isOver()) return
        await sleep(100)
      }
    }
    const nobodyReads = async () => {
      const { rowCount } = await watcher.query(
        "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
      )
      return rowCount === 0
    }
    let attempts = 0
    const found = await reading.read(
      async (reader) => {
        const filter = { series: STORED_SERIES, metricKey: LOSS.metricKey }
        const before = await reader.listHistory(filter, { limit: 10, after: null })
        if (++attempts === 1) {
          await sql(`delete from metric_values where run_id = 'run1'`)
          await vacuumUntil(nobodyReads)
        }
        const after = await reader.listHistory(filter, { limit: 10, after: null })
        return [before.length, after.length]
      },
      { replica: true },
    )
    t.strictSame(found, [2, 2], 'on one snapshot, of after the deletion')
    t.equal(attempts, 2)

    const client = new pg.Client({ connectionString: pair.onReplica(location) })
    await client.connect()
    t.teardown(() => client.end())
    await client.query('begin isolation level repeatable read read only')
    await client.query('select from metric_values')
    let isEnded = false
    const running = client
      .query('select pg_sleep(20)')
      .catch((error: unknown) => error)
      .finally(() => (isEnded = true))
    await sql(`delete from metric_values where run_id = 'run2'`)
    await vacuumUntil(() => isEnded)
    const ended = await running
    t.match(ended, { code: '40001', message: /conflict with recovery/ })
    t.match(explain(ended, false), { error: Transient, broken: false }, 'also in the middle of a statement')
  })
})

/** The lists of a server, its replay and its export, all of which tell what the replica holds. */
async function heldByReplica(
  t: Test,
  url: string,
  { runs, trusted }: { runs: number; trusted: number },
): Promise<void> {
  const listed = (await call(url, '/v1/runs')).json<{ items: Array<{ trusted: boolean }> }>().items
  t.strictSame([listed.length, listed.filter((run) => run.trusted).length], [runs, trusted], 'runs')
  const [series] = (await call(url, '/v1/series')).json<{ items: object[] }>().items
  t.match(series, { runs, trusted_runs: trusted }, 'series')
  const [coordinate] = (await call(url, `/v1/coordinates?${IN_SERIES}`)).json<{ items: object[] }>().items
  t.match(coordinate, { values: runs }, 'coordinates')
  const points = (await call(url, `/v1/history?${IN_SERIES}&metric_key=m`)).json<{ items: object[] }>().items
  t.equal(points.length, runs, 'history')
  const exported = (await call(url, '/v1/export')).text.trimEnd().split('\n')
  t.equal(exported.length, runs + 2, 'export')
  const replayed = await call(url, '/v1/replays', { declarations: null })
  t.match(replayed.json(), { snapshot: { runs } }, 'replay')
}

/** A verdict is given, kept and found, and the server says that it is ready, none of it late. */
async function judgesOn(t: Test, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const answers = [
      await call(url, '/v1/runs', submission(1, 'nightly')),
      await call(url, '/v1/runs?dry_run=true', submission(1, 'regular')),
      await call(url, '/readyz'),
    ]
    t.strictSame(
      answers.map(({ status }) => status),
      [201, 200, 200],
      'a verdict is kept, one is given, and the server is ready',
    )
    t.ok(Math.max(...answers.map(({ tookMs }) => tookMs)) < 3_000, 'without waiting for the replica')
  }
}
