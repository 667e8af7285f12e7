import t from 'tap'
import type { CreatedTokenDocument, TokenDocument, TokenPage } from '../../src/documents/token.js'
import { hashOf } from '../../src/auth/token.js'
import { StoreUnavailable } from '../../src/store/errors.js'
import {
  bearing,
  body,
  issueToken,
  openClient,
  post,
  problemOf,
  SHA,
  whereOf,
  withHeaders,
} from './support.js'

const URL = '/v1/admin/tokens'

t.test('make, use, list, revoke', async (t) => {
  const events: Array<readonly [object, string]> = []
  const log = {
    info: (fields: object, text: string) => void events.push([fields, text]),
    warn: () => undefined,
    error: () => undefined,
  }
  const { call, gatehouse } = await openClient(t, { gatehouse: { log } })
  const first = await call(post({ name: 'admin', scopes: ['admin'] }, URL))
  t.equal(first.statusCode, 201)
  const admin = bearing(first.json<CreatedTokenDocument>().token)
  t.match(first.json(), {
    name: 'admin',
    created_by: 'open-mode',
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
  })

  const asked = {
    name: 'ci',
    scopes: ['runs:submit', 'baselines:write'],
    test_path_prefixes: ['a/'],
    expires_in_days: 90,
  }
  const made = (await call(withHeaders(post(asked, URL), admin))).json<CreatedTokenDocument>()
  t.match(made.token, /^gatehouse_[\w-]{43}$/)
  t.match(made, { name: 'ci', scopes: asked.scopes, test_path_prefixes: ['a/'], created_by: 'token:admin' })
  t.equal(Date.parse(made.expires_at!) - Date.parse(made.created_at), 90 * 86_400_000)

  const ci = bearing(made.token)
  t.match((await call({ url: '/v1/whoami', headers: ci })).json(), {
    actor: 'token:ci',
    scopes: ['runs:submit', 'baselines:write'],
    rule: null,
    test_path_prefixes: ['a/'],
  })
  const page = await call({ url: URL, headers: admin })
  const [listed, oldest] = page.json<TokenPage>().items as [TokenDocument, TokenDocument]
  const { token, last_used_at: _never, ...kept } = made
  t.match(listed, kept)
  t.ok(listed.last_used_at! >= made.created_at, 'its use is there at once')
  t.equal(oldest.name, 'admin')
  t.notMatch(page.body, new RegExp(`${token}|${hashOf(token)}`))
  const paged = (await call({ url: `${URL}?limit=1`, headers: admin })).json<TokenPage>()
  const next = await call({ url: `${URL}?limit=1&cursor=${paged.next_cursor}`, headers: admin })
  t.same(
    [...paged.items, ...next.json<TokenPage>().items].map(({ name }) => name),
    ['ci', 'admin'],
  )

  const remove = { method: 'DELETE' as const, url: `${URL}/${made.token_id}`, headers: admin }
  for (const time of ['first', 'second']) {
    const gone = await call(remove)
    t.equal(gone.statusCode, 204, `${time} time`)
    t.equal(gone.body, '')
  }
  const refused = problemOf(t, await call({ url: '/v1/whoami', headers: ci }), 401, 'unauthorized')
  t.match(refused.detail, /the token "ci" was revoked at 20/)
  const after = (await call({ url: URL, headers: admin })).json<TokenPage>()
  t.match(after.items[0], { name: 'ci', revoked_at: /^20/ })
  problemOf(
    t,
    await call({ ...remove, url: `${URL}/01936f0c-0000-7000-8000-000000000000` }),
    404,
    'not_found',
  )
  problemOf(t, await call({ ...remove, url: `${URL}/ci` }), 404, 'not_found')

  t.match(
    events.filter(([, text]) => text.startsWith('token')),
    [
      [{ actor: 'open-mode', request_id: /^[0-9a-f-]{36}$/, name: 'admin' }, 'token made'],
      [
        {
          actor: 'token:admin',
          credential: /^token:[0-9a-f-]{36}$/,
          token_id: made.token_id,
          scopes: asked.scopes,
        },
        'token made',
      ],
      [{ actor: 'token:admin', token_id: made.token_id, request_id: /^[0-9a-f-]{36}$/ }, 'token revoked'],
    ],
    'each change once, with its actor and request',
  )
  t.equal(events.filter(([, text]) => text === 'token revoked').length, 1)
  t.notMatch(JSON.stringify(events), /gatehouse_/)
  t.match(await gatehouse.store.read((reader) => reader.findToken(hashOf(token))), { name: 'ci' })
})

t.test('a name is free again when its token is revoked, not when it expired', async (t) => {
  const { call, gatehouse } = await openClient(t)
  const { store } = gatehouse
  const admin = bearing(await issueToken(store, { name: 'admin' }))
  const id = '01936f0c-0000-7000-8000-000000000001'
  await issueToken(store, { name: 'ci', tokenId: id, expiresAt: '2020-01-01T00:00:00.000000Z' })
  const make = () => call(withHeaders(post({ name: 'ci', scopes: ['runs:submit'] }, URL), admin))
  t.match(problemOf(t, await make(), 409, 'name_taken').detail, /expired at 2020-.* revoke it first/)
  await call({ method: 'DELETE', url: `${URL}/${id}`, headers: admin })
  t.equal((await make()).statusCode, 201)
  t.match(problemOf(t, await make(), 409, 'name_taken').detail, /"ci" stands/)
  t.equal((await call({ url: URL, headers: admin })).json<TokenPage>().items.length, 3)
})

t.test('faults of the body', async (t) => {
  const { call } = await openClient(t)
  const faults = async (fields: object) => {
    const asked = { name: 'x', scopes: ['runs:submit'], ...fields }
    return whereOf(problemOf(t, await call(post(asked, URL)), 422, 'invalid_input'))
  }
  t.same(await faults({ name: '' }), ['name'])
  t.same(await faults({ name: ' x' }), ['name'])
  t.same(await faults({ name: 'x'.repeat(129) }), ['name'])
  t.same(await faults({ scopes: [] }), ['scopes'])
  t.same(await faults({ scopes: ['root'] }), ['scopes/0'])
  t.same(await faults({ scopes: ['admin', 'runs:submit', 'admin'] }), ['scopes/2'])
  t.same(await faults({ scopes: 'admin' }), ['scopes'])
  t.same(await faults({ scopes: ['admin'], test_path_prefixes: ['a/'] }), ['test_path_prefixes'])
  t.same(await faults({ test_path_prefixes: [] }), ['test_path_prefixes'])
  t.same(await faults({ test_path_prefixes: ['a', ''] }), ['test_path_prefixes/1'])
  for (const days of [0, -1, 1.5, 3_651, '90'])
    t.same(await faults({ expires_in_days: days }), ['expires_in_days'])
  const quoted = await call(post({ name: 'x', scopes: ['admin'], expires_in_days: '90' }, URL))
  t.match(problemOf(t, quoted, 422, 'invalid_input').errors, [
    { where: 'expires_in_days', message: /an integer .*, not a text: write 90 without quotes/ },
  ])
  t.same(await faults({ expires_days: 90 }), ['expires_days'], 'a misspelt bound must not be for ever')
  t.equal(
    (await call(post({ name: 'x', scopes: ['admin'], test_path_prefixes: null, expires_in_days: null }, URL)))
      .statusCode,
    201,
  )
})

t.test('the first token ends open mode for good, and its guard', async (t) => {
  const { call, gatehouse } = await openClient(t)
  const proxied = {
    'x-forwarded-for': '10.0.0.1',
    host: 'gatehouse.example',
    origin: 'https://gatehouse.example',
  }
  problemOf(t, await call({ url: '/v1/whoami', headers: proxied }), 403, 'forbidden')
  // As another instance, or the command, would make it; already expired.
  const expired = await issueToken(gatehouse.store, {
    name: 'first',
    expiresAt: '2020-01-01T00:00:00.000000Z',
  })
  t.match(problemOf(t, await call(post(body())), 401, 'unauthorized').detail, /a credential is needed/)
  t.match(
    problemOf(t, await call({ url: '/v1/runs', headers: bearing(expired) }), 401, 'unauthorized').detail,
    /"first" expired at 2020/,
  )
  const good = await issueToken(gatehouse.store)
  t.equal((await call({ url: '/v1/whoami', headers: { ...proxied, ...bearing(good) } })).statusCode, 200)
  t.equal((await call({ url: '/healthz', headers: proxied })).statusCode, 200)
})

t.test('behind a proxy the guard gives way to the first token at once', async (t) => {
  const { call, gatehouse } = await openClient(t)
  const headers = { host: 'gatehouse.example', ...bearing(await issueToken(gatehouse.store)) }
  // Nothing has told this server yet: it looks before it refuses.
  t.equal((await call({ url: '/v1/whoami', headers })).statusCode, 200)
})

t.test('public routes ask neither for a credential nor the store', async (t) => {
  const { call, gatehouse } = await openClient(t, { credentials: { isLoopback: false } })
  const { store } = gatehouse
  const asked: string[] = []
  const away = () => {
    asked.push('read')
    return Promise.reject(new StoreUnavailable('it is away'))
  }
  const { read, write } = store
  Object.assign(store, { read: away, write: away })
  t.teardown(() => void Object.assign(store, { read, write }))
  for (const url of ['/healthz', '/openapi.json', '/docs', '/', '/nothing']) {
    const headers = { authorization: `Bearer gatehouse_${'x'.repeat(43)}`, cookie: 'gatehouse_session=x' }
    t.ok((await call({ url, headers })).statusCode < 405, url)
  }
  t.same(asked, [])
  const refused = await call({ url: '/v1/runs', headers: bearing(`gatehouse_${'x'.repeat(43)}`) })
  t.match(problemOf(t, refused, 503, 'unavailable').detail, /it is away/)
  t.ok(refused.headers['retry-after'])
  const nonsense = await call({ url: '/v1/runs', headers: bearing('nonsense') })
  t.match(
    problemOf(t, nonsense, 401, 'unauthorized').detail,
    /begin with gatehouse_.*GATEHOUSE_ADMIN_TOKEN, where one is set/,
  )
  t.same(asked, ['read'], 'what cannot be a token is not looked up')
})

t.test('a confined token changes its own test paths alone', async (t) => {
  const { call, gatehouse } = await openClient(t)
  const { store } = gatehouse
  const all = bearing(await issueToken(store))
  const scopes = ['runs:submit', 'baselines:write', 'trust:revoke', 'history:read']
  const own = bearing(
    await issueToken(store, { name: 'own', scopes, testPathPrefixes: ['tests/own/', 'more'] }),
  )
  const run = (testPath: string, sha: string) =>
    post(
      body({
        series: { test_path: testPath, backend: 'cuda', suite: 's' },
        provenance: { commit_sha: sha },
        cadence: 'nightly',
      }),
    )
  const submit = (testPath: string, headers: { authorization: string }, sha = SHA) =>
    call(withHeaders(run(testPath, sha), headers))
  t.equal((await submit('tests/own/test_a.py', own)).statusCode, 201)
  t.equal((await submit('more.py', own)).statusCode, 201)
  for (const testPath of ['tests/other.py', 'tests/own', 'Tests/own/a.py', 'x/tests/own/a.py']) {
    t.match(
      problemOf(t, await submit(testPath, own), 403, 'forbidden').detail,
      /token:own is confined to test paths that begin with tests\/own\/ or more/,
      testPath,
    )
  }
  const dry = withHeaders({ ...run('tests/other.py', SHA), url: '/v1/runs?dry_run=true' }, own)
  problemOf(t, await call(dry), 403, 'forbidden')

  const otherSha = 'b'.repeat(40)
  t.equal((await submit('tests/other.py', all, otherSha)).statusCode, 201)
  t.equal((await submit('tests/own/test_a.py', all, otherSha)).statusCode, 201)
  const revoke = (fields: object, headers: { authorization: string }) =>
    call(withHeaders(post({ reason: 'bad', ...fields }, '/v1/admin/revocations'), headers))
  problemOf(t, await revoke({ commit_sha: otherSha }, own), 403, 'forbidden')
  problemOf(t, await revoke({ commit_sha: otherSha, dry_run: true }, own), 403, 'forbidden')
  t.equal((await revoke({ commit_sha: SHA }, own)).statusCode, 201)
  const made = (await revoke({ commit_sha: otherSha }, all)).json<{
    revocation_id: string
    revoked: number
  }>()
  t.equal(made.revoked, 2, 'nothing was revoked by the one that was refused')
  const undo = post({ reason: 'x' }, `/v1/admin/revocations/${made.revocation_id}/undo`)
  problemOf(t, await call(withHeaders(undo, own)), 403, 'forbidden')
  t.equal(
    (await call({ url: '/v1/runs?test_path=tests/other.py', headers: own })).statusCode,
    200,
    'reading is not confined',
  )
})

t.test('a run that arrives within a confined revocation is not touched by it', async (t) => {
  const { call, gatehouse } = await openClient(t)
  const { store } = gatehouse
  const all = bearing(await issueToken(store))
  const own = bearing(await issueToken(store, { scopes: ['trust:revoke'], testPathPrefixes: ['own/'] }))
  for (const test_path of ['own/a.py', 'other.py']) {
    const series = { test_path, backend: 'cuda', suite: 's' }
    await call(withHeaders(post(body({ series, cadence: 'nightly' })), all))
  }
  const write = store.write.bind(store)
  // The first look of the transaction comes before the other run does.
  store.write = (work) =>
    write((writer, attempt) => {
      const matchRuns: typeof writer.matchRuns = async (selector) =>
        (await writer.matchRuns(selector)).filter(
          ({ testPath }) => 'runIds' in selector || testPath !== 'other.py',
        )
      return work({ ...writer, matchRuns }, attempt)
    })
  const revoke = withHeaders(post({ commit_sha: SHA, reason: 'bad' }, '/v1/admin/revocations'), own)
  problemOf(t, await call(revoke), 403, 'forbidden')
  const { items } = (await call({ url: '/v1/runs', headers: all })).json<{ items: { trusted: boolean }[] }>()
  t.same(
    items.map(({ trusted }) => trusted),
    [true, true],
    'nor is any other',
  )
})

t.test('idempotency keys belong to the token', async (t) => {
  const { call, gatehouse } = await openClient(t)
  const [one, other] = [await issueToken(gatehouse.store), await issueToken(gatehouse.store)]
  const submit = async (token: string, value: number) => {
    const run = body({ cadence: 'nightly', record: [{ metric: 'loss', series: [[0, value]] }] })
    const answer = await call(withHeaders(post(run), { ...bearing(token), 'idempotency-key': 'k' }))
    return [answer.statusCode, answer.headers['idempotent-replayed']]
  }
  t.same(await submit(one, 1), [201, undefined])
  t.same(await submit(one, 1), [201, 'true'])
  t.same(await submit(other, 1), [201, undefined], 'it cannot claim or read the verdict of another')
  t.same(await submit(one, 2), [409, undefined])
})
