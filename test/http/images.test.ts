/** Pictures of the history, on both backends. */
import t from 'tap'
import { forEachBackend } from '../support/stores.js'
import { body, openClient, post, problemOf, SHA, type Client } from './support.js'

const SERIES = { test_path: 'tests/e2e/test_ppo.py', backend: 'cuda', suite: 'stage-c' }
const IN_SERIES = new URLSearchParams(SERIES).toString()
const BADGE = `/v1/badge.svg?${IN_SERIES}`
const HISTORY = `/v1/history.svg?${IN_SERIES}&metric_key=loss&step=-1`

async function submit({ call }: Client, loss: number, fields: Record<string, unknown> = {}): Promise<string> {
  const record = [{ metric: 'loss', series: [[0, loss]] }]
  const { run_id: runId } = (await call(post(body({ cadence: 'nightly', record, ...fields })))).json<{
    run_id: string
  }>()
  return runId
}

async function revoke({ call }: Client, fields: Record<string, unknown>): Promise<string> {
  const answer = await call(post({ reason: 'x', ...fields }, '/v1/admin/revocations'))
  return answer.json<{ revocation_id: string }>().revocation_id
}

async function svg({ call }: Client, url: string): Promise<string> {
  const { statusCode, headers, body: text } = await call(url)
  if (statusCode !== 200 || headers['content-type'] !== 'image/svg+xml; charset=utf-8')
    throw new Error(`${statusCode}: ${text}`)
  return text
}

const message = (badge: string) => />([^<]*)<\/text><\/svg>/.exec(badge)?.[1]
const kinds = (picture: string) => /<desc>[^:]*: ([^.]*)\./.exec(picture)?.[1]

forEachBackend((name, open) => {
  t.test(`${name}: a chart and a badge follow the runs, revocations and their undoing`, async (t) => {
    const { store } = await open(t)
    const client = await openClient(t, { store })
    t.match(await svg(client, HISTORY), />No values are stored\.<\/text>/)
    t.equal(message(await svg(client, BADGE)), 'unknown')

    await submit(client, 1)
    const second = await submit(client, 1.1)
    t.equal(kinds(await svg(client, HISTORY)), '1 trusted, 1 trusted but not compared')
    t.equal(message(await svg(client, BADGE)), 'pass · trusted')

    await submit(client, 5)
    t.equal(kinds(await svg(client, HISTORY)), '1 trusted, 1 trusted but not compared, 1 failed')
    t.equal(message(await svg(client, BADGE)), 'pass · untrusted', 'too little history to fail CI')

    const revocation = await revoke(client, { run_id: second })
    t.equal(kinds(await svg(client, HISTORY)), '1 trusted but not compared, 1 failed, 1 revoked')
    await revoke(client, { commit_sha: SHA })
    t.equal(kinds(await svg(client, HISTORY)), '1 failed, 2 revoked', 'what had not earned trust lost none')
    t.equal(message(await svg(client, BADGE)), 'pass · untrusted')
    await client.call(post({ reason: 'x' }, `/v1/admin/revocations/${revocation}/undo`))
    t.equal(kinds(await svg(client, HISTORY)), '1 failed, 2 revoked', 'the other one stands')

    const fourth = await submit(client, 1)
    await revoke(client, { run_id: fourth })
    t.equal(message(await svg(client, BADGE)), 'pass · revoked')
  })

  t.test(`${name}: another writer's values`, async (t) => {
    const { store, sql } = await open(t)
    const client = await openClient(t, { store })
    const insert = async (runId: string, time: string, value: unknown, trusted = true) => {
      await sql(
        `insert into runs (run_id, test_path, backend, suite, created_at, trusted) values ($1, $2, $3, $4, $5, $6)`,
        [runId, SERIES.test_path, SERIES.backend, SERIES.suite, time, trusted],
      )
      await sql(`insert into metric_values (run_id, metric_key, step, value) values ($1, 'loss', -1, $2)`, [
        runId,
        value,
      ])
    }
    await insert('r1', '2026-11-01T00:00:00.000000Z', 1e300)
    await insert('r2', '2026-11-02T00:00:00.000000Z', -1e300, false)
    await insert('r3', '2026-11-03T00:00:00.000000Z', Infinity)
    const picture = await svg(client, HISTORY)
    t.equal(kinds(picture), '1 trusted but not compared, 1 untrusted run')
    t.match(picture, />2 values, 1 not finite and not drawn<\/text>/)
    t.equal(message(await svg(client, BADGE)), 'no verdict · trusted')
  })
})

t.test('what is chosen: trust, time, and how many', async (t) => {
  const client = await openClient(t)
  for (const loss of [1, 1.1, 9, 1.05]) await submit(client, loss)
  const title = async (more: string) => /<desc>([^,]*),/.exec(await svg(client, `${HISTORY}${more}`))?.[1]
  t.equal(await title(''), '4 values')
  t.equal(await title('&trusted=true'), '3 values')
  t.equal(await title('&trusted=false'), '1 value')
  t.equal(await title('&limit=2'), 'The newest 2 values')
  t.equal(await title('&limit=4'), '4 values')
  t.equal(await title('&since=2020-01-01T00:00:00Z'), '4 values')
  t.equal(await title('&until=2020-01-01T00:00:00Z'), undefined)
  const other = HISTORY.replace('step=-1', 'step=0')
  t.match(await svg(client, other), />No values are stored\.<\/text>/, 'another step')
})

t.test('a picture may be shown anywhere, does nothing, and is asked for again', async (t) => {
  const client = await openClient(t)
  const { call } = client
  await submit(client, 1)
  for (const url of [BADGE, HISTORY]) {
    const { headers, body: text } = await call(url)
    t.equal(headers['cache-control'], 'no-cache')
    t.equal(headers['x-content-type-options'], 'nosniff')
    t.match(headers['content-security-policy'], /^default-src 'none';.*sandbox$/)
    t.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    t.match(headers.etag, /^"[\w-]{22}"$/)
    const again = await call({ url, headers: { 'if-none-match': `W/${headers.etag}` } })
    t.equal(again.statusCode, 304)
    t.equal(again.body, '')
    t.equal(again.headers.etag, headers.etag)
    const head = await call({ method: 'HEAD', url })
    t.equal(head.statusCode, 200)
    t.equal(head.headers['content-length'], String(Buffer.byteLength(text)))
    await submit(client, 9)
    const changed = await call({ url, headers: { 'if-none-match': headers.etag! } })
    t.equal(changed.statusCode, 200)
    t.not(changed.headers.etag, headers.etag)
  }
})

t.test('names from outside come back as text', async (t) => {
  const client = await openClient(t)
  const name = `<script>alert(1)</script> ]]> & "x" ' \u202e __proto__ 漢`
  const query = new URLSearchParams({ test_path: name, backend: name, suite: name }).toString()
  for (const picture of [
    await svg(client, `/v1/badge.svg?${query}`),
    await svg(client, `/v1/history.svg?${query}&step=0&metric_key=${encodeURIComponent(name)}`),
  ]) {
    t.notMatch(picture, /<script|\u202e/)
    t.match(
      picture,
      '&#60;script&#62;alert(1)&#60;/script&#62; ]]&#62; &#38; &#34;x&#34; &#39; \\u202e __proto__ 漢',
    )
  }
})

t.test('a fault of the question is a problem, not a picture', async (t) => {
  const { call } = await openClient(t)
  for (const url of [
    '/v1/badge.svg',
    `${BADGE}&metric_key=loss`,
    HISTORY.replace('&step=-1', ''),
    `${HISTORY}&limit=1001`,
    `${HISTORY}&cursor=x`,
  ])
    problemOf(t, await call(url), 400, 'invalid_query')
})
