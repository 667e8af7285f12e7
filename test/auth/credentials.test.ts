import t from 'tap'
import { bearerOf } from '../../src/auth/bearer.js'
import { Credentials, type CredentialSettings, type RequestFacts } from '../../src/auth/credentials.js'
import { UNCONFINED, type Principal } from '../../src/auth/principal.js'
import { createTokenText, hashOf, looksLikeJwt, looksLikeToken, sameHash } from '../../src/auth/token.js'
import { TokenUses } from '../../src/auth/token-uses.js'
import { GatehouseError } from '../../src/errors.js'
import { StoreUnavailable } from '../../src/store/errors.js'
import type { MetricHistoryStore } from '../../src/store/store.js'
import { issueToken } from '../http/support.js'
import { openSqlite, type Teardown } from '../support/stores.js'

const ADMIN = 'a-first-token-of-the-environment-0'
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4In0.c2ln'
const PLAIN: RequestFacts = {
  authorization: undefined,
  session: undefined,
  isRead: true,
  isDeliberate: false,
  anonymous: null,
}

async function open(t: Teardown, settings: Partial<CredentialSettings> = {}) {
  const opened = await openSqlite(t)
  const told: string[] = []
  const tell = (_fields: object, message: string) => void told.push(message)
  const credentials = new Credentials(
    opened.store,
    { isLoopback: true, adminToken: null, jobs: null, ...settings },
    { info: tell, warn: tell },
  )
  const identify = (facts: Partial<RequestFacts> = {}) => credentials.identify({ ...PLAIN, ...facts })
  const bear = (token: string) => identify({ authorization: `Bearer ${token}` })
  return { ...opened, credentials, identify, bear, told }
}

t.test('the bearer of a header, and its slips', (t) => {
  for (const header of ['Bearer abc', 'bearer abc', 'BEARER   abc  ', ' Bearer\tabc']) {
    t.equal(bearerOf(header, 'closed'), 'abc', header)
  }
  const slips: Array<[string, RegExp]> = [
    ['', /is the secret unset/],
    ['Bearer', /is the secret unset/],
    ['Bearer ', /is the secret unset/],
    ['gatehouse_abc', /write Bearer and a space/],
    ['Basic YTpi', /a scheme that is not taken/],
    ['Token abc', /a scheme that is not taken/],
    ['Bearer a b', /more than one word/],
    ['Bearer\u00a0abc', /write Bearer and a space/],
  ]
  for (const [header, message] of slips) {
    t.throws(() => bearerOf(header, 'closed'), { code: 'unauthorized', message }, header)
  }
  for (const header of ['Basic YTpi', 'gatehouse_abc', 'Bearer a b'])
    t.doesNotThrow(() => bearerOf(header, 'open'))
  t.throws(() => bearerOf('Bearer', 'open'), { message: /takes requests without the header/ })
  t.end()
})

t.test('the text of a token', (t) => {
  const texts = new Set(Array.from({ length: 50 }, createTokenText))
  t.equal(texts.size, 50)
  for (const text of texts) t.ok(looksLikeToken(text) && /^gatehouse_[\w-]{43}$/.test(text))
  for (const text of ['gatehouse_', `gatehouse_${'x'.repeat(42)}`, `gatehouse_${'x'.repeat(43)}\n`, 'x']) {
    t.notOk(looksLikeToken(text), text)
  }
  t.ok(looksLikeJwt(JWT) && looksLikeJwt('a.b.'))
  for (const text of ['a.b', 'a.b.c.d', 'a..c', createTokenText(), 'a b.c.d'])
    t.notOk(looksLikeJwt(text), text)
  t.equal(hashOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  t.ok(sameHash(hashOf('a'), hashOf('a')))
  t.notOk(sameHash(hashOf('a'), hashOf('b')) || sameHash('a', hashOf('a')))
  t.end()
})

t.test('open mode: on loopback, with nothing configured, until there is a token', async (t) => {
  const { store, identify, bear, credentials, told } = await open(t)
  t.match(await identify(), { borne: 'none', principal: { actor: 'open-mode' } })
  t.match(await bear('anything'), { principal: { actor: 'open-mode' } })
  t.equal(credentials.seemsOpen, true)
  await issueToken(store, { expiresAt: '2020-01-01T00:00:00.000000Z' })
  await t.rejects(identify(), { code: 'unauthorized' })
  await t.rejects(bear('anything'), { code: 'unauthorized' })
  t.equal(credentials.seemsOpen, false)
  t.same(told, ['open mode is over: there is an API token, and every request needs one from now on'])
  const jobs = { verify: () => Promise.reject(new GatehouseError('unauthorized', 'no')) }
  for (const settings of [{ isLoopback: false }, { adminToken: ADMIN }, { jobs }]) {
    const closed = await open(t, settings)
    t.equal(closed.credentials.seemsOpen, false)
    await t.rejects(closed.identify(), { code: 'unauthorized', message: /a credential is needed/ })
    t.same(closed.queries, [], 'the store is not asked where it does not matter')
  }
})

t.test('each request looks its token up, once', async (t) => {
  const { store, bear, queries, credentials } = await open(t, { isLoopback: false })
  const token = await issueToken(store, { tokenId: 'id', name: 'ci', scopes: ['runs:submit', 'of:tomorrow'] })
  t.match(await bear(token), {
    borne: 'header',
    principal: {
      actor: 'token:ci',
      owner: 'token:id',
      scopes: new Set(['runs:submit']),
      testPathPrefixes: null,
    },
  })
  await credentials.settled()
  for (let time = 0; time < 3; time++) {
    queries.length = 0
    await bear(token)
    t.equal(queries.length, 1)
  }
  queries.length = 0
  for (const text of ['x', 'gatehouse_x', ADMIN, JWT]) await t.rejects(bear(text), { code: 'unauthorized' })
  t.same(queries, [], 'what cannot be a token is not looked up')
  await t.rejects(bear(createTokenText()), { message: 'this server knows no such token' })
})

t.test('the first token, from the environment', async (t) => {
  const { bear, queries, credentials } = await open(t, { adminToken: ADMIN })
  t.match(await bear(ADMIN), {
    borne: 'header',
    principal: { actor: 'admin-token', owner: 'token:environment' },
  })
  t.match(await credentials.present(ADMIN), { credentialHash: hashOf(ADMIN) })
  for (const near of [`${ADMIN}0`, ADMIN.slice(0, -1), ADMIN.toUpperCase()]) {
    await t.rejects(bear(near), { code: 'unauthorized' }, near)
  }
  t.same(queries, [])
  const dotted = await open(t, { adminToken: JWT })
  t.match(await dotted.bear(JWT), { principal: { actor: 'admin-token' } }, 'whatever it looks like')
})

t.test('identity tokens of jobs go to the verifier', async (t) => {
  const job: Principal = { actor: 'job', owner: 'acme/rl', scopes: new Set(['runs:submit']), ...UNCONFINED }
  const asked: string[] = []
  const verify = (jwt: string) => {
    asked.push(jwt)
    return jwt === JWT
      ? Promise.resolve(job)
      : Promise.reject(new GatehouseError('forbidden', 'no rule matches'))
  }
  const { bear, store } = await open(t, { jobs: { verify } })
  t.same(await bear(JWT), { principal: job, borne: 'header' })
  await t.rejects(bear('a.b.c'), { code: 'forbidden', message: 'no rule matches' })
  t.match(await bear(await issueToken(store)), { principal: { owner: /^token:/ } })
  t.same(asked, [JWT, 'a.b.c'])
  const without = await open(t, { isLoopback: false })
  await t.rejects(without.bear(JWT), { code: 'unauthorized', message: /names no issuer/ })
})

t.test('without a credential somebody may be known nevertheless', async (t) => {
  const anonymous: Principal = { actor: 'anonymous', owner: 'x', scopes: new Set(), ...UNCONFINED }
  const { identify } = await open(t, { isLoopback: false })
  t.same(await identify({ anonymous }), { principal: anonymous, borne: 'none' })
  await t.rejects(identify({ anonymous, authorization: 'Bearer x' }), { code: 'unauthorized' })
  await t.rejects(identify({ anonymous, session: 'x' }), { code: 'unauthorized' })
})

t.test('a store that is away is no bad credential, and no open mode', async (t) => {
  const { bear, identify, store } = await open(t)
  const token = await issueToken(store)
  await store.close()
  await t.rejects(bear(token), StoreUnavailable)
  await t.rejects(identify({ session: 'x' }), StoreUnavailable)
  await t.rejects(identify(), StoreUnavailable)
})

t.test('uses are kept once an hour, one at a time, and none fails a request', async (t) => {
  const written: string[] = []
  let fails = false
  let atOnce = 0
  const write = async () => {
    t.equal(++atOnce, 1, 'one after the other')
    await new Promise((resolve) => setImmediate(resolve))
    atOnce--
    if (fails) throw new StoreUnavailable('locked')
    written.push('use')
  }
  const warnings: unknown[] = []
  const uses = new TokenUses({ write } as unknown as MetricHistoryStore, (error) => void warnings.push(error))
  for (const id of ['a', 'b', 'a', 'b', 'a']) uses.note(id)
  await uses.settled(1_000)
  t.equal(written.length, 2)
  fails = true
  for (const id of ['c', 'd', 'a']) uses.note(id)
  await uses.settled(1_000)
  for (const id of ['e', 'c']) uses.note(id)
  await uses.settled(1_000)
  t.match(warnings, [StoreUnavailable, StoreUnavailable], 'after a failure it waits before the next try')
  t.equal(written.length, 2)
})

t.test('a store that hangs holds nobody up for longer than the bound', async (t) => {
  const write = () => new Promise(() => undefined)
  const uses = new TokenUses({ write } as unknown as MetricHistoryStore, () => undefined)
  uses.note('a')
  const begun = performance.now()
  await uses.settled(50)
  t.ok(performance.now() - begun < 1_000)
})
