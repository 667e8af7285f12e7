/** Two servers on one PostgreSQL know the same credentials at every moment. */
import t from 'tap'
import type { CreatedTokenDocument } from '../../src/documents/token.js'
import { openPostgres } from '../support/stores.js'
import { bearing, openClient, post, problemOf, withHeaders } from './support.js'

t.setTimeout(60_000)

t.test('what one server makes, revokes and ends, the other knows at its next request', async (t) => {
  const { store, openAnother } = await openPostgres(t)
  const one = await openClient(t, { store })
  const other = await openClient(t, { store: await openAnother() })
  for (const { call } of [one, other]) t.match((await call('/v1/whoami')).json(), { actor: 'open-mode' })

  const admin = (
    await one.call(post({ name: 'admin', scopes: ['admin'] }, '/v1/admin/tokens'))
  ).json<CreatedTokenDocument>()
  for (const { call } of [other, one]) problemOf(t, await call('/v1/whoami'), 401, 'unauthorized')
  const asAdmin = bearing(admin.token)
  t.match((await other.call({ url: '/v1/whoami', headers: asAdmin })).json(), { actor: 'token:admin' })

  const asked = withHeaders(post({ name: 'ci', scopes: ['history:read'] }, '/v1/admin/tokens'), asAdmin)
  const ci = (await other.call(asked)).json<CreatedTokenDocument>()
  const begun = await other.call(post({ token: ci.token }, '/v1/session'))
  const cookie = String(begun.headers['set-cookie']).split(';')[0]!
  const seen = async (headers: Record<string, string>) => [
    (await one.call({ url: '/v1/runs', headers })).statusCode,
    (await other.call({ url: '/v1/runs', headers })).statusCode,
  ]
  t.same(await seen(bearing(ci.token)), [200, 200])
  t.same(await seen({ cookie }), [200, 200])
  const remove = { method: 'DELETE' as const, url: `/v1/admin/tokens/${ci.token_id}`, headers: asAdmin }
  t.equal((await one.call(remove)).statusCode, 204)
  t.equal((await other.call({ url: '/v1/runs', headers: bearing(ci.token) })).statusCode, 401)
  t.same(await seen({ cookie }), [401, 401])

  const session = String(
    (await one.call(post({ token: admin.token }, '/v1/session'))).headers['set-cookie'],
  ).split(';')[0]!
  t.same(await seen({ cookie: session }), [200, 200])
  await other.call({ method: 'DELETE', url: '/v1/session', headers: { cookie: session, 'x-gatehouse': '1' } })
  t.same(await seen({ cookie: session }), [401, 401])
})

t.test('of one name asked for at both at once, one is made', async (t) => {
  const { store, openAnother } = await openPostgres(t)
  const clients = [await openClient(t, { store }), await openClient(t, { store: await openAnother() })]
  const admin = (
    await clients[0]!.call(post({ name: 'admin', scopes: ['admin'] }, '/v1/admin/tokens'))
  ).json<CreatedTokenDocument>()
  const ask = withHeaders(
    post({ name: 'ci', scopes: ['history:read'] }, '/v1/admin/tokens'),
    bearing(admin.token),
  )
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_none, index) => clients[index % 2]!.app.inject(ask)),
  )
  t.same(answers.map(({ statusCode }) => statusCode).sort(), [201, 409, 409, 409, 409, 409])
})
