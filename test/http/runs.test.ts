import t from 'tap'
import { body, type Client, openClient, post, problemOf, SHA, whereOf } from './support.js'

interface Verdict {
  verdict_id: string | null
  run_id: string | null
  outcome: string
  created_at: string
}

/** Ten trusted values of 1, after which a far value fails CI. */
async function seed({ call }: Client): Promise<void> {
  for (let id = 1; id <= 10; id++) await call(post(nightly(id, 1)))
}

function nightly(githubRunId: number, value: number) {
  return body({
    cadence: 'nightly',
    provenance: { commit_sha: SHA, github_run_id: githubRunId },
    record: [{ metric: 'loss', series: [[0, value]] }],
  })
}

t.test('statuses and headers', async (t) => {
  const client = await openClient(t)
  const { call } = client
  const written = await call(post(nightly(1, 1)))
  t.equal(written.statusCode, 201)
  const verdict: Verdict = written.json()
  t.equal(written.headers.location, `/v1/verdicts/${verdict.verdict_id}`)
  t.equal(written.headers['gatehouse-outcome'], 'pass')
  t.equal(written.headers['gatehouse-trusted'], 'true')
  t.same((await call(`/v1/verdicts/${verdict.verdict_id}`)).json(), verdict, 'the stored verdict is the same')

  const again = await call(post(nightly(1, 1)))
  t.equal(again.statusCode, 201, 'a retry gets the first status')
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.same(again.json(), verdict)

  const judged = await call(post(body()))
  t.equal(judged.statusCode, 200)
  t.equal(judged.json<Verdict>().run_id, null)

  const dry = await call(post(nightly(2, 1), '/v1/runs?dry_run=true'))
  t.equal(dry.statusCode, 200)
  t.match(dry.json(), { verdict_id: null, run_id: null, checks: [{ baseline: { n: 1 } }] })
  t.notOk('location' in dry.headers)
  t.equal((await call('/v1/runs')).json<{ items: unknown[] }>().items.length, 1)
})

t.test('on_fail=error', async (t) => {
  const client = await openClient(t)
  await seed(client)
  const passing = await client.call(post(nightly(11, 1), '/v1/runs?on_fail=error'))
  t.equal(passing.statusCode, 201)
  const failing = await client.call(post(nightly(12, 9), '/v1/runs?on_fail=error'))
  t.equal(failing.statusCode, 422)
  t.equal(failing.headers['gatehouse-outcome'], 'fail')
  t.equal(failing.headers['gatehouse-trusted'], 'false')
  t.match(failing.json(), { outcome: 'fail' })
  t.ok(failing.json<Verdict>().run_id, 'the run is stored all the same')
  t.equal((await client.call(post(nightly(12, 9)))).statusCode, 201)

  const markdown = { ...post(nightly(12, 9), '/v1/runs?on_fail=error'), headers: { accept: 'text/markdown' } }
  const summary = await client.call(markdown)
  t.equal(summary.statusCode, 422)
  t.equal(summary.headers['content-type'], 'text/markdown; charset=utf-8')
  const faulty = await client.call(post(body({ record: 1 }), '/v1/runs?on_fail=error'))
  t.notOk('gatehouse-outcome' in faulty.headers, 'no other 422 has the header')
})

t.test('forms of a verdict', async (t) => {
  const { call } = await openClient(t)
  const { verdict_id: id } = (await call(post(body()))).json<Verdict>()
  const typeFor = async (accept: string) => {
    const response = await call({ url: `/v1/verdicts/${id}`, headers: { accept } })
    t.equal(response.statusCode, 200)
    t.equal(response.headers.vary, 'Accept')
    return String(response.headers['content-type']).split(';')[0]
  }
  t.equal(await typeFor('text/markdown'), 'text/markdown')
  t.equal(await typeFor('application/junit+xml'), 'application/junit+xml')
  t.equal(await typeFor('*/*'), 'application/json')
  t.equal(await typeFor('image/png'), 'application/json')
})

t.test('idempotency keys', async (t) => {
  const { call } = await openClient(t)
  const send = (key: string) =>
    call({ ...post(body({ cadence: 'nightly' })), headers: { 'idempotency-key': key } })
  const first = await send('k'.repeat(255))
  t.equal(first.statusCode, 201)
  t.equal((await send('k'.repeat(255))).json<Verdict>().verdict_id, first.json<Verdict>().verdict_id)
  t.same(whereOf(problemOf(t, await send('k'.repeat(256)), 422, 'invalid_input')), ['Idempotency-Key'])
  t.notOk('idempotent-replayed' in (await send('')).headers, 'an empty key is none')
})

t.test('names that grow by their escapes still make a natural key', async (t) => {
  const { call } = await openClient(t)
  const named = (test_path: string) =>
    call(
      post(
        body({
          series: { test_path, backend: 'cuda', suite: 'stage-c' },
          provenance: { commit_sha: SHA, github_run_id: 7 },
          cadence: 'nightly',
        }),
      ),
    )
  const first = await named('\u0001'.repeat(512))
  t.equal(first.statusCode, 201, first.body)
  t.equal((await named('\u0001'.repeat(512))).headers['idempotent-replayed'], 'true')
  t.notOk('idempotent-replayed' in (await named(`${'\u0001'.repeat(511)}\u0002`)).headers)
})

t.test('lists, single runs and baselines', async (t) => {
  const client = await openClient(t)
  await seed(client)
  const { call } = client
  const page = (await call('/v1/runs?limit=4')).json<{
    items: Array<{ run_id: string; created_at: string }>
    next_cursor: string
  }>()
  t.equal(page.items.length, 4)
  const rest = (await call(`/v1/runs?limit=1000&cursor=${page.next_cursor}`)).json<typeof page>()
  t.equal(rest.items.length, 6)
  t.equal(rest.next_cursor, null)
  const times = [...page.items, ...rest.items].map((item) => item.created_at)
  t.same(times, [...times].sort().reverse())

  const since = encodeURIComponent(times[1]!)
  t.equal((await call(`/v1/runs?since=${since}`)).json<typeof page>().items.length, 2, 'since is inclusive')
  t.equal((await call(`/v1/runs?until=${since}`)).json<typeof page>().items.length, 8, 'until is exclusive')
  t.equal((await call('/v1/runs?github_run_id=3&trusted=true')).json<typeof page>().items.length, 1)
  t.equal((await call('/v1/runs?backend=none')).json<typeof page>().items.length, 0)

  const run = await call(`/v1/runs/${page.items[0]!.run_id}`)
  t.match(run.json(), { values: [{ metric_key: 'loss', step: -1, value: 1 }], revocations: [] })

  const series = 'test_path=tests/e2e/test_ppo.py&backend=cuda&suite=stage-c'
  t.match((await call(`/v1/baselines?${series}&metric_key=loss&step=-1`)).json(), { n: 10, mean: 1, std: 0 })
  t.match((await call(`/v1/baselines?${series}&metric_key=loss&step=-1&limit=3`)).json(), { n: 3 })
  t.same((await call(`/v1/baselines?${series}&metric_key=none&step=0`)).json(), {
    values: [],
    n: 0,
    mean: null,
    std: null,
  })
  const missing = problemOf(t, await call('/v1/baselines?step=-3'), 400, 'invalid_query')
  t.same(new Set(whereOf(missing)), new Set(['?test_path', '?backend', '?suite', '?metric_key', '?step']))

  const verdicts = (await call('/v1/verdicts?github_run_id=3')).json<{ items: object[]; overall: object }>()
  t.equal(verdicts.items.length, 1)
  t.notOk('checks' in verdicts.items[0]!)
  t.match(verdicts.overall, { outcome: 'pass', verdicts: 1, failing: [] })
  t.notOk('overall' in (await call('/v1/verdicts?outcome=pass')).json<object>())
})
