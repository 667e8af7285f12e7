import t from 'tap'
import {
  bearing,
  body,
  openClient,
  post,
  problemOf,
  issueToken,
  withHeaders,
  type Client,
} from './support.js'

/** Sends with a token. */
function as({ call }: Client, token: string) {
  const headers = bearing(token)
  return (options: Parameters<Client['call']>[0]) =>
    call(withHeaders(typeof options === 'string' ? { url: options } : options, headers))
}

t.test('each credential has its requests of a minute, and is told how many are left', async (t) => {
  const client = await openClient(t, { deps: { rateLimit: 3 } })
  const { store } = client.gatehouse
  const call = as(client, await issueToken(store))
  const other = as(client, await issueToken(store))
  for (const left of [2, 1, 0]) {
    const { statusCode, headers } = await call('/v1/whoami')
    t.equal(statusCode, 200)
    t.match(headers, { 'ratelimit-limit': '3', 'ratelimit-remaining': String(left) })
    const reset = Number(headers['ratelimit-reset'])
    t.ok(reset > 55 && reset <= 60, `the window ends in ${reset} s`)
  }
  for (const request of ['/v1/whoami', post(body({ cadence: 'nightly' }))]) {
    const refused = await call(request)
    problemOf(t, refused, 429, 'rate_limited')
    const seconds = Number(refused.headers['retry-after'])
    t.ok(seconds > 55 && seconds <= 60, `Retry-After is the end of the window: ${seconds}`)
    t.equal(refused.headers['retry-after'], refused.headers['ratelimit-reset'])
    t.equal(refused.headers['ratelimit-remaining'], '0')
  }
  const listed = await other('/v1/runs')
  t.same(
    listed.json(),
    { items: [], next_cursor: null },
    'another credential is free, and nothing was written',
  )
  for (const url of ['/healthz', '/readyz', '/metrics', '/docs', '/openapi.json']) {
    const open = await call(url)
    t.equal(open.statusCode, 200, `${url} asks for no credential and is not counted`)
    t.equal(open.headers['ratelimit-limit'], undefined)
  }
  t.match((await call('/metrics')).body, /gatehouse_requests_refused_total\{reason="rate_limit"\} 2/)
})

t.test('what is refused for want of a scope counts too', async (t) => {
  const client = await openClient(t, { deps: { rateLimit: 1 } })
  const call = as(client, await issueToken(client.gatehouse.store, { scopes: [] }))
  problemOf(t, await call('/v1/runs'), 403, 'forbidden')
  problemOf(t, await call('/v1/runs'), 429, 'rate_limited')
})

t.test('the window passes', async (t) => {
  const client = await openClient(t, { deps: { rateLimit: 1 } })
  const call = as(client, await issueToken(client.gatehouse.store))
  const { now } = Date
  t.teardown(() => (Date.now = now))
  let clockMs = now()
  Date.now = () => clockMs
  t.equal((await call('/v1/whoami')).statusCode, 200)
  clockMs += 20_500
  const refused = await call('/v1/whoami')
  t.equal(refused.headers['retry-after'], '40', 'rounded up: at 39 the window is not over')
  clockMs += 39_500
  t.equal((await call('/v1/whoami')).statusCode, 200)
})

t.test('open mode, and a limit of 0, have no bound', async (t) => {
  const open = await openClient(t, { deps: { rateLimit: 1 } })
  const unbounded = await openClient(t, { deps: { rateLimit: 0 } })
  const token = await issueToken(unbounded.gatehouse.store)
  for (const call of [open.call, as(unbounded, token)]) {
    for (let i = 0; i < 4; i++) {
      const { statusCode, headers } = await call('/v1/whoami')
      t.equal(statusCode, 200)
      t.equal(headers['ratelimit-limit'], undefined)
    }
  }
})

t.test('without a credential, where reading is public, each address has its own', async (t) => {
  const client = await openClient(t, {
    deps: { rateLimit: 1, openings: { publicRead: true, badgesPublic: false } },
  })
  await issueToken(client.gatehouse.store)
  const from = (remoteAddress: string) => client.call({ url: '/v1/runs', remoteAddress })
  t.equal((await from('192.0.2.1')).statusCode, 200)
  problemOf(t, await from('192.0.2.1'), 429, 'rate_limited')
  t.equal((await from('192.0.2.2')).statusCode, 200)
})

t.test('whoever signs in is counted with what they sign in by', async (t) => {
  const client = await openClient(t, { deps: { rateLimit: 2 } })
  const token = await issueToken(client.gatehouse.store)
  const signIn = () => client.call(post({ token }, '/v1/session'))
  t.same([(await signIn()).statusCode, (await signIn()).statusCode], [204, 204])
  problemOf(t, await signIn(), 429, 'rate_limited')
  problemOf(t, await as(client, token)('/v1/whoami'), 429, 'rate_limited')
  problemOf(t, await client.call(post({ token: 'x' }, '/v1/session')), 401, 'unauthorized')
})
