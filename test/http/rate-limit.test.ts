import t from 'tap'
import { OPEN_MODE_PRINCIPAL, SCOPES, UNCONFINED } from '../../src/auth/principal.js'
import { body, openClient, post, problemOf } from './support.js'

/** The owner is what the request says, so that one server has several. */
const byHeader = {
  authenticator: ({ headers }: { headers: Record<string, string | string[] | undefined> }) => {
    const owner = headers['x-owner'] === undefined ? 'ci' : 'another'
    return { actor: owner, owner, scopes: new Set(SCOPES), ...UNCONFINED }
  },
}

t.test('each credential has its requests of a minute, and is told how many are left', async (t) => {
  const { call } = await openClient(t, { deps: { ...byHeader, rateLimit: 3 } })
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
  const other = await call({ url: '/v1/runs', headers: { 'x-owner': 'dashboard' } })
  t.same(
    other.json(),
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
  const { call } = await openClient(t, {
    deps: {
      authenticator: () => ({ actor: 'ci', owner: 'ci', scopes: new Set(), ...UNCONFINED }),
      rateLimit: 1,
    },
  })
  problemOf(t, await call('/v1/runs'), 403, 'forbidden')
  problemOf(t, await call('/v1/runs'), 429, 'rate_limited')
})

t.test('the window passes', async (t) => {
  const { call } = await openClient(t, { deps: { ...byHeader, rateLimit: 1 } })
  const { now } = Date
  t.teardown(() => (Date.now = now))
  let clockMs = 1_700_000_000_000
  Date.now = () => clockMs
  t.equal((await call('/v1/whoami')).statusCode, 200)
  clockMs += 20_500
  const refused = await call('/v1/whoami')
  t.equal(refused.headers['retry-after'], '40', 'rounded up: at 39 the window is not over')
  clockMs += 39_500
  t.equal((await call('/v1/whoami')).statusCode, 200)
})

t.test('open mode, and a limit of 0, have no bound', async (t) => {
  const open = await openClient(t, { deps: { authenticator: () => OPEN_MODE_PRINCIPAL, rateLimit: 1 } })
  const unbounded = await openClient(t, { deps: { ...byHeader, rateLimit: 0 } })
  for (const { call } of [open, unbounded]) {
    for (let i = 0; i < 4; i++) {
      const { statusCode, headers } = await call('/v1/whoami')
      t.equal(statusCode, 200)
      t.equal(headers['ratelimit-limit'], undefined)
    }
  }
})
