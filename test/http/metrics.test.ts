import t, { type Test } from 'tap'
import { StoreUnavailable } from '../../src/store/errors.js'
import { openSqlite } from '../support/stores.js'
import { VERSION } from '../../src/version.js'
import { body, jsonText, openClient, post, type Client } from './support.js'

/** The samples by name and labels, as a scraper reads them. */
async function scrape(t: Test, call: Client['call']): Promise<Map<string, number>> {
  const response = await call('/metrics')
  t.equal(response.statusCode, 200)
  t.match(response.headers['content-type'], /^text\/plain; version=0\.0\.4/)
  const samples = response.body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    samples.map((line) => {
      const [, name, value] = /^(\S+?(?:\{.*\})?) (\S+)$/.exec(line) ?? []
      if (name === undefined || (value !== 'NaN' && Number.isNaN(Number(value))))
        throw new Error(`no sample: ${line}`)
      return [name, Number(value)]
    }),
  )
}

/** Node's own have labels for what it happens to be doing. */
function ownNames(samples: ReadonlyMap<string, number>): Set<string> {
  return new Set([...samples.keys()].filter((name) => name.startsWith('gatehouse_')))
}

const passing = body({ cadence: 'nightly' })

t.test('what has not happened yet is counted as 0', async (t) => {
  const { call } = await openClient(t)
  const samples = await scrape(t, call)
  const expected = [
    ...['pass', 'fail'].map((outcome) => `gatehouse_verdicts_total{outcome="${outcome}"}`),
    ...['pass', 'fail', 'error', 'inactive'].map((status) => `gatehouse_checks_total{status="${status}"}`),
    ...['rate_limit', 'event_loop_delay', 'heap', 'pool_queue', 'bytes_in_flight', 'work_queue'].map(
      (reason) => `gatehouse_requests_refused_total{reason="${reason}"}`,
    ),
  ]
  for (const name of expected) t.equal(samples.get(name), 0, name)
})

t.test('requests, verdicts, checks, store', async (t) => {
  const { call } = await openClient(t)
  await call(post(passing))
  await call({ ...post(passing), headers: { 'idempotency-key': 'k' } })
  await call({ ...post(passing), headers: { 'idempotency-key': 'k' } })
  await call(post(passing, '/v1/runs?dry_run=true'))
  await call(post(body({ record: [{ metric: 'loss', series: [[0, 'NaN']] }] })))
  await call('/v1/runs/none-such?')
  await call('/v1/secrets?token=x')
  await call({ method: 'PUT', url: '/v1/runs' })
  const samples = await scrape(t, call)
  const requests = (labels: string) => samples.get(`gatehouse_http_request_duration_seconds_count{${labels}}`)
  t.equal(requests('method="POST",route="/v1/runs",status="201"'), 3)
  t.equal(requests('method="POST",route="/v1/runs",status="200"'), 2)
  t.equal(requests('method="GET",route="/v1/runs/:run_id",status="404"'), 1, 'the template, not the address')
  t.equal(requests('method="",route="none",status="404"'), 1)
  t.equal(requests('method="",route="none",status="405"'), 1)
  t.equal(
    samples.get('gatehouse_verdicts_total{outcome="pass"}'),
    2,
    'neither the repeated one nor the dry run',
  )
  t.equal(samples.get('gatehouse_verdicts_total{outcome="fail"}'), 1)
  t.equal(samples.get('gatehouse_checks_total{status="error"}'), 1)
  t.equal(samples.get('gatehouse_checks_total{status="inactive"}'), 1)
  t.equal(samples.get('gatehouse_checks_total{status="pass"}'), 1)
  t.equal(samples.get('gatehouse_store_duration_seconds_count{operation="write",result="ok"}'), 4)
  t.ok(samples.get('gatehouse_store_duration_seconds_count{operation="read",result="ok"}')! > 0)
  t.equal(samples.get('gatehouse_store_duration_seconds_count{operation="read",result="thrown"}'), 1)
  for (const figure of ['size', 'idle']) {
    t.equal(samples.get(`gatehouse_store_pool_${figure}{pool="writer"}`), 1)
  }
  t.equal(samples.get('gatehouse_store_pool_waiting{pool="writer"}'), 0)
  t.equal(samples.get('gatehouse_bytes_in_flight'), 0)
  const build = `gatehouse_build_info{version="${VERSION}",node="${process.version}",store="sqlite"}`
  t.equal(samples.get(build), 1)
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']) {
    t.ok(samples.has(name), name)
  }
})

t.test('no label grows with what clients send', async (t) => {
  const { call } = await openClient(t)
  const send = async (i: number) => {
    await call(`/v1/runs/none-${i}`)
    await call(`/v1/runs?x=${i}`)
    await call(`/nothing/${i}`)
    await call(jsonText(`{"k${i}"`))
    await call(post(body({ series: { test_path: `k${i}`, backend: 'b', suite: 's' } })))
  }
  await send(0)
  // Twice: the first reading is itself counted afterwards.
  await scrape(t, call)
  const before = await scrape(t, call)
  for (let i = 1; i < 30; i++) await send(i)
  t.same(ownNames(await scrape(t, call)), ownNames(before))
})

t.test('what the store cannot do is counted', async (t) => {
  const { store } = await openSqlite(t)
  const { call } = await openClient(t, { store })
  store.read = () => Promise.reject(new StoreUnavailable('not in this test'))
  t.equal((await call('/v1/runs')).statusCode, 503)
  const samples = await scrape(t, call)
  t.ok(
    samples.get('gatehouse_store_duration_seconds_count{operation="read",result="unavailable"}')! > 0,
    'also what was asked to know who asks',
  )
})

t.test('two apps in one process count apart', async (t) => {
  const [first, second] = [await openClient(t), await openClient(t)]
  await first.call(post(passing))
  const samples = await scrape(t, second.call)
  t.equal(samples.get('gatehouse_verdicts_total{outcome="pass"}'), 0)
})
