import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { hashOf } from '../../src/auth/token.js'
import { bearing, body, issueToken, openClient, post, problemOf, whereOf, withHeaders } from './support.js'

const URL = '/v1/session'
const ADMIN = 'a-first-token-of-the-environment-0'

function cookieOf(response: LightMyRequestResponse): { cookie: string } {
  const [pair = ''] = String(response.headers['set-cookie']).split(';')
  return { cookie: pair }
}

t.test('sign in, look, change, sign out', async (t) => {
  const { call, gatehouse } = await openClient(t)
  const token = await issueToken(gatehouse.store, { name: 'dash', scopes: ['history:read', 'runs:submit'] })
  const begun = await call(post({ token: ` ${token}\n` }, URL))
  t.equal(begun.statusCode, 204)
  t.equal(begun.body, '')
  const set = String(begun.headers['set-cookie'])
  t.match(set, /^gatehouse_session=gatehouse_s_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/)
  t.notMatch(set, new RegExp(token))
  const session = cookieOf(begun)
  t.same((await call({ url: URL, headers: session })).json(), {
    actor: 'token:dash',
    scopes: ['runs:submit', 'history:read'],
  })
  t.equal((await call({ url: '/v1/runs', headers: session })).statusCode, 200)
  problemOf(t, await call({ url: '/v1/admin/tokens', headers: session }), 403, 'forbidden')

  const change = withHeaders(post(body()), session)
  for (const value of [undefined, '0', 'true', '']) {
    const asked = value === undefined ? change : withHeaders(change, { 'x-gatehouse': value })
    t.match(problemOf(t, await call(asked), 403, 'forbidden').detail, /X-Gatehouse: 1/)
  }
  t.equal((await call(withHeaders(change, { 'x-gatehouse': '1' }))).statusCode, 200)

  const leave: InjectOptions = { method: 'DELETE', url: URL, headers: session }
  problemOf(t, await call(leave), 403, 'forbidden')
  const left = await call(withHeaders(leave, { 'x-gatehouse': '1' }))
  t.equal(left.statusCode, 204)
  t.match(left.headers['set-cookie'], /^gatehouse_session=; .*Expires=Thu, 01 Jan 1970/)
  const after = await call({ url: URL, headers: session })
  t.match(problemOf(t, after, 401, 'unauthorized').detail, /the session is over/)
  t.match(after.headers['set-cookie'], /^gatehouse_session=; /, 'a dead cookie is taken back')
  const [id = ''] = session.cookie.split('=').slice(1)
  t.equal(await gatehouse.store.read((reader) => reader.findSession(hashOf(id))), null)
})

t.test('Secure under TLS, also where a proxy ends it', async (t) => {
  const { call, gatehouse } = await openClient(t, { credentials: { isLoopback: false } })
  const token = await issueToken(gatehouse.store)
  const isSecure = async (headers: Record<string, string>) =>
    /; Secure/.test(String((await call(withHeaders(post({ token }, URL), headers))).headers['set-cookie']))
  t.equal(await isSecure({}), false)
  t.equal(await isSecure({ 'x-forwarded-proto': 'https' }), true)
  t.equal(await isSecure({ 'x-forwarded-proto': 'HTTPS, http' }), true)
  t.equal(await isSecure({ 'x-forwarded-proto': 'http, https' }), false)
  t.equal(await isSecure({ forwarded: 'for=10.0.0.1;proto=https;host=x' }), true)
  t.equal(await isSecure({ forwarded: 'for="_x;proto=http";proto=http' }), false)
})

t.test('what is no good token begins no session', async (t) => {
  const { call, gatehouse } = await openClient(t)
  await issueToken(gatehouse.store)
  const expired = await issueToken(gatehouse.store, { expiresAt: '2020-01-01T00:00:00.000000Z' })
  for (const token of ['', 'nonsense', `gatehouse_${'x'.repeat(43)}`, expired]) {
    const refused = await call(post({ token }, URL))
    problemOf(t, refused, 401, 'unauthorized')
    t.equal(refused.headers['set-cookie'], undefined)
  }
  const jwt = `eyJhbGciOiJSUzI1NiJ9.${'x'.repeat(1_500)}.c2ln`
  const refused = problemOf(t, await call(post({ token: jwt }, URL)), 422, 'invalid_input')
  t.match(refused.errors, [{ where: 'token', message: /identity token of a job/ }])
  t.notMatch(JSON.stringify(refused), /eyJ/)
  t.same(whereOf(problemOf(t, await call(post({ tokens: 'x' }, URL)), 422, 'invalid_input')).sort(), [
    'token',
    'tokens',
  ])
})

t.test('a session is dead when its token is', async (t) => {
  const { call, gatehouse } = await openClient(t)
  const { store } = gatehouse
  const begin = async (token: string) => cookieOf(await call(post({ token }, URL)))
  const seen = async (headers: { cookie: string }) => (await call({ url: URL, headers })).statusCode
  const [stays, goes] = [
    await begin(await issueToken(store)),
    await begin(await issueToken(store, { tokenId: 'goes' })),
  ]
  t.same([await seen(stays), await seen(goes)], [200, 200])
  await store.write(async (writer) =>
    writer.writeTokenRevocation('goes', { createdAt: await writer.now(), actor: 'x' }),
  )
  t.same([await seen(stays), await seen(goes)], [200, 401])
  const soon = new Date(Date.now() + 400).toISOString().replace('Z', '000Z')
  const brief = await begin(await issueToken(store, { expiresAt: soon }))
  t.equal(await seen(brief), 200)
  await new Promise((resolve) => setTimeout(resolve, 500))
  t.equal(await seen(brief), 401)
})

t.test("the first token's session lasts as long as the environment holds that token", async (t) => {
  const first = await openClient(t, { credentials: { adminToken: ADMIN } })
  const begun = await first.call(post({ token: ADMIN }, URL))
  const session = cookieOf(begun)
  t.match((await first.call({ url: URL, headers: session })).json(), { actor: 'admin-token' })
  const { store } = first.gatehouse
  const changed = await openClient(t, { credentials: { adminToken: `${ADMIN}1` }, store })
  problemOf(t, await changed.call({ url: URL, headers: session }), 401, 'unauthorized')
  const taken = await openClient(t, { credentials: { isLoopback: false }, store })
  problemOf(t, await taken.call({ url: URL, headers: session }), 401, 'unauthorized')
})

t.test('the header is looked at before the cookie', async (t) => {
  const { call, gatehouse } = await openClient(t)
  const { store } = gatehouse
  const session = cookieOf(await call(post({ token: await issueToken(store, { name: 'a' }) }, URL)))
  const other = bearing(await issueToken(store, { name: 'b', scopes: ['runs:submit'] }))
  t.match((await call({ url: URL, headers: { ...session, ...other } })).json(), { actor: 'token:b' })
  // No page of another site can send the header, so the change needs no other sign.
  t.equal((await call(withHeaders(post(body()), { ...session, ...other }))).statusCode, 200)
  const refused = await call({ url: URL, headers: { ...session, ...bearing('x') } })
  problemOf(t, refused, 401, 'unauthorized')
  t.equal(refused.headers['set-cookie'], undefined, 'the session is not to blame')
})

t.test('in open mode nobody signs in, and a left-over cookie does no harm', async (t) => {
  const { call } = await openClient(t)
  t.match((await call({ url: URL, headers: { cookie: 'gatehouse_session=old' } })).json(), {
    actor: 'open-mode',
  })
  problemOf(t, await call(post({ token: `gatehouse_${'x'.repeat(43)}` }, URL)), 401, 'unauthorized')
})
