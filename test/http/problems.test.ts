import { pino } from 'pino'
import t from 'tap'
import {
  openClient,
  body,
  DECLARED,
  FIELDS,
  form,
  jsonText,
  post,
  problemOf,
  record,
  SHA,
  whereOf,
} from './support.js'

t.test('400', async (t) => {
  const { call } = await openClient(t)
  t.test('JSON that cannot be parsed names the slip', async (t) => {
    const cut = problemOf(t, await call(jsonText('{"series": {')), 400, 'malformed_body')
    t.match(cut.detail, /no JSON/)
    const bare = problemOf(t, await call(jsonText('{"record":\n[[0, -Infinity]]}')), 400, 'malformed_body')
    t.match(bare.detail, /bare -Infinity in line 2.*string marker "NaN"/)
    const inText = problemOf(t, await call(jsonText('{"a": "NaN"')), 400, 'malformed_body')
    t.notMatch(inText.detail, /bare/)
    problemOf(t, await call(jsonText('')), 400, 'malformed_body')
    const list = problemOf(t, await call({ ...jsonText('[]'), url: '/v1/replays' }), 422, 'invalid_input')
    t.match(list.errors, [{ where: 'body', message: /^must be an object, not/ }])
    const latin = { ...jsonText(''), payload: Buffer.from([0x22, 0xe9, 0x22]) }
    t.match(problemOf(t, await call(latin), 400, 'malformed_body').detail, /UTF-8/)
  })
  t.test('query parameters', async (t) => {
    const misspelt = problemOf(t, await call(post(body(), '/v1/runs?dryrun=true')), 400, 'invalid_query')
    t.same(misspelt.errors, [{ where: '?dryrun', message: 'is not known here; did you mean "dry_run"?' }])
    t.equal((await call('/v1/runs')).json<{ items: unknown[] }>().items.length, 0, 'and nothing was written')
    for (const query of [
      'dry_run=1',
      'dry_run=TRUE',
      'dry_run=',
      'dry_run',
      'dry_run=true&dry_run=true',
      'on_fail=warn',
    ]) {
      problemOf(t, await call(post(body(), `/v1/runs?${query}`)), 400, 'invalid_query')
    }
    const lists = [
      'limit=0',
      'limit=1001',
      'limit=1e2',
      'limit=%205',
      'limit=-1',
      'limit=',
      'cursor=x',
      'since=2026-01-01',
      'since=2026-02-30T00:00:00Z',
      'github_run_id=9223372036854775808',
      'commit_sha=abc',
      'trusted=yes',
      'test_path=%ff',
      'test_path=%00',
      'test_path=%ED%A0%80',
      'backend=',
      '__proto__=1',
      'pr_number=0',
      'trusted=true&trusted=false',
    ]
    for (const query of lists) {
      const problem = (await call(`/v1/runs?${query}`)).json<{
        status: number
        errors: Array<{ where: string }>
      }>()
      t.equal(problem.status, 400, query)
      t.equal(problem.errors[0]?.where, `?${query.split('=')[0]}`, query)
    }
    const plus = problemOf(t, await call('/v1/runs?since=2026-01-01T00:00:00+02:00'), 400, 'invalid_query')
    t.match(plus.detail, /%2B/)
  })
  t.test('a cursor of other filters', async (t) => {
    for (const id of [1, 2])
      await call(post(body({ cadence: 'nightly', provenance: { commit_sha: SHA, github_run_id: id } })))
    const { next_cursor: cursor } = (await call('/v1/runs?limit=1')).json<{ next_cursor: string }>()
    t.equal((await call(`/v1/runs?limit=1&cursor=${cursor}`)).statusCode, 200)
    problemOf(t, await call(`/v1/runs?trusted=true&cursor=${cursor}`), 400, 'bad_cursor')
    for (const changed of [
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}!`,
      cursor.slice(0, -1),
      cursor.slice(0, -4),
      `${cursor.slice(0, 30)}${cursor[30] === 'A' ? 'B' : 'A'}${cursor.slice(31)}`,
    ])
      problemOf(t, await call(`/v1/runs?limit=1&cursor=${changed}`), 400, 'bad_cursor')
  })
})

t.test('404 and 405', async (t) => {
  const { call } = await openClient(t)
  const unknown = [
    '/v2',
    '/v1/runs/',
    '/v1/runs/none',
    '/v1/verdicts/none',
    '/v1/verdicts/01936f0c-0000-7000-8000-000000000000',
    '/v1/admin/revocations/7',
    '/v1/runs/%ff',
    '/v1/runs/%zz',
    '/v1/runs/%00',
    `/v1/runs/${'x'.repeat(5_000)}`,
    '/docs/static/../../x',
  ]
  for (const url of unknown) problemOf(t, await call(url), 404, 'not_found')
  problemOf(t, await call(jsonText('{', '/v1/nothing')), 404, 'not_found')

  const wrong = await call({
    method: 'PUT',
    url: '/v1/runs',
    headers: { 'content-type': 'application/json' },
    payload: '{',
  })
  problemOf(t, wrong, 405, 'method_not_allowed')
  t.equal(wrong.headers.allow, 'GET, HEAD, POST, OPTIONS')
  const parse = await call('/v1/declarations/parse')
  problemOf(t, parse, 405, 'method_not_allowed')
  t.equal(parse.headers.allow, 'POST, OPTIONS')
  const options = await call({ method: 'OPTIONS', url: '/v1/verdicts/anything' })
  t.equal(options.statusCode, 204)
  t.equal(options.headers.allow, 'GET, HEAD, OPTIONS')
  const head = await call({ method: 'HEAD', url: '/v1/runs' })
  t.equal(head.statusCode, 200)
  t.equal(head.body, '')
})

t.test('403', async (t) => {
  const { call } = await openClient(t)
  const refused = await call({ url: '/v1/runs', headers: { origin: 'https://evil.example' } })
  problemOf(t, refused, 403, 'forbidden')
})

t.test('409', async (t) => {
  const { call } = await openClient(t)
  const keyed = { ...post(body({ cadence: 'nightly' })), headers: { 'idempotency-key': 'k' } }
  t.equal((await call(keyed)).statusCode, 201)
  const other = { ...keyed, payload: body({ cadence: 'weekly' }) }
  problemOf(t, await call(other), 409, 'idempotency_conflict')
})

t.test('413', async (t) => {
  const { call } = await openClient(t, { deps: { maxBodyBytes: 300_000 } })
  problemOf(t, await call(jsonText(`{"record": ["${'x'.repeat(300_000)}"]}`)), 413, 'too_large')
  const parts = Array.from({ length: 65 }, () => ['record', record(1)] as const)
  t.match(problemOf(t, await call(form(parts)), 413, 'too_large').detail, /65 parts; at most 64/)
  const source = '#'.repeat(256 * 1_024 + 1)
  t.same(whereOf(problemOf(t, await call(form([...FIELDS, ['test_file', source]])), 413, 'too_large')), [
    'test_file',
  ])
  const { declarations: _, ...rest } = body()
  t.same(whereOf(problemOf(t, await call(post({ ...rest, test_source: source })), 413, 'too_large')), [
    'test_source',
  ])
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`k${i}`, 1])))
  problemOf(t, await call(jsonText(many, '/v1/admin/revocations')), 413, 'too_large')
})

t.test('415', async (t) => {
  const { call } = await openClient(t)
  const send = (headers: Record<string, string>, url = '/v1/runs') =>
    call({ method: 'POST', url, headers, payload: record(1) })
  const curl = problemOf(
    t,
    await send({ 'content-type': 'application/x-www-form-urlencoded' }),
    415,
    'unsupported_media_type',
  )
  t.match(curl.detail, /-F.*--data-binary.*Content-Type: application\/json/)
  for (const type of [
    'text/plain',
    'application/x-ndjson',
    'application/json; charset=latin1',
    'application/jsonx',
    'nonsense',
  ]) {
    problemOf(t, await send({ 'content-type': type }), 415, 'unsupported_media_type')
  }
  problemOf(t, await send({}), 415, 'unsupported_media_type')
  problemOf(t, await call({ method: 'POST', url: '/v1/runs' }), 415, 'unsupported_media_type')
  problemOf(
    t,
    await send({ 'content-type': 'application/json', 'content-encoding': 'gzip' }),
    415,
    'unsupported_media_type',
  )
  problemOf(t, await call({ ...form(FIELDS), url: '/v1/admin/revocations' }), 415, 'unsupported_media_type')
  const utf8 = {
    ...post(body()),
    headers: { 'content-type': 'application/json; charset="UTF-8"', 'content-encoding': 'identity' },
  }
  t.equal((await call(utf8)).statusCode, 200)
})

t.test('422: structure of a JSON body', async (t) => {
  const { call } = await openClient(t)
  const twice = problemOf(
    t,
    await call(jsonText('{"series": {"backend": "a", "backend": "b"}}')),
    422,
    'invalid_input',
  )
  t.same(whereOf(twice), ['series/backend'])
  const deep = `{"record": ${'['.repeat(64)}${']'.repeat(64)}}`
  t.match(problemOf(t, await call(jsonText(deep)), 422, 'invalid_input').detail, /nests deeper than 64/)
  for (const text of ['[]', '"x"', '1', 'null'])
    problemOf(t, await call(jsonText(text)), 422, 'invalid_input')
})

t.test('500 without details, and the failure in the log', async (t) => {
  const lines: string[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(line) })
  const { call } = await openClient(t, {
    deps: { logger },
    gatehouse: { readPython: () => Promise.reject(new Error('SELECT secret FROM tokens')) },
  })
  const response = await call(form([['test_file', 'x = 1']], '/v1/declarations/parse'))
  const problem = problemOf(t, response, 500, 'internal')
  t.notMatch(response.body, /secret|Error|at /)
  t.same(problem.errors, [])
  const logged = lines.find((line) => line.includes('SELECT secret FROM tokens'))
  t.match(logged, problem.instance, 'the log has it, under the request id')
})

t.test('503 with Retry-After where the store cannot be reached', async (t) => {
  const { call, gatehouse } = await openClient(t)
  await gatehouse.store.close()
  const response = await call(
    form([...FIELDS, ['declarations', DECLARED], ['record', record(1)], ['cadence', 'nightly']]),
  )
  problemOf(t, response, 503, 'unavailable')
  t.match(response.headers['retry-after'], /^\d+$/)
  problemOf(t, await call('/readyz'), 503, 'unavailable')
  t.equal((await call('/healthz')).statusCode, 200)
})

t.test('problems are JSON whatever Accept says', async (t) => {
  const { call } = await openClient(t)
  problemOf(
    t,
    await call({ url: '/v1/verdicts/none', headers: { accept: 'text/markdown' } }),
    404,
    'not_found',
  )
})
