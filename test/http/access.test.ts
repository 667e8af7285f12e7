import { readFileSync } from 'node:fs'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { buildApp } from '../../src/app.js'
import { SCOPES, UNCONFINED, type Scope } from '../../src/auth/principal.js'
import { VERSION } from '../../src/version.js'
import { body, openClient, post, problemOf } from './support.js'

t.test('open mode is for local programs alone', async (t) => {
  const { call } = await openClient(t)
  const refused = [
    { host: 'evil.example' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'x-forwarded-for': '10.0.0.1' },
    { forwarded: 'for=10.0.0.1' },
  ]
  for (const headers of refused) {
    for (const url of ['/v1/whoami', '/healthz', '/nothing', '/docs']) {
      problemOf(t, await call({ url, headers }), 403, 'forbidden')
    }
    problemOf(t, await call({ ...post(body({ cadence: 'nightly' })), headers }), 403, 'forbidden')
  }
  t.same((await call('/v1/runs')).json(), { items: [], next_cursor: null }, 'nothing was written')
})

t.test('whoami', async (t) => {
  const { call } = await openClient(t)
  t.match((await call('/v1/whoami')).json(), {
    actor: 'open-mode',
    rule: null,
    scopes: ['runs:submit', 'baselines:write'],
  })
})

t.test('every route is held to its scopes', async (t) => {
  const scopes = new Set<Scope>()
  const { call, app } = await openClient(t, {
    deps: { authenticator: () => ({ actor: 'ci', owner: 'ci', scopes, ...UNCONFINED }) },
  })
  const id = '01936f0c-0000-7000-8000-000000000000'
  const routes: ReadonlyArray<readonly [InjectOptions, readonly Scope[]]> = [
    [post(body()), ['runs:submit']],
    [{ url: '/v1/runs' }, ['history:read']],
    [{ url: `/v1/runs/${id}` }, ['history:read']],
    [{ url: '/v1/verdicts' }, ['runs:submit', 'history:read']],
    [{ url: `/v1/verdicts/${id}` }, ['runs:submit', 'history:read']],
    [post({ declarations: [] }, '/v1/declarations/parse'), ['runs:submit']],
    [{ url: '/v1/baselines' }, ['history:read']],
    [{ url: '/v1/series' }, ['history:read']],
    [{ url: '/v1/coordinates' }, ['history:read']],
    [{ url: '/v1/history' }, ['history:read']],
    [{ url: '/v1/export' }, ['history:read']],
    [post({}, '/v1/replays'), ['history:read']],
    [
      {
        method: 'POST',
        url: '/v1/admin/import',
        headers: { 'content-type': 'application/x-ndjson' },
        payload: '',
      },
      ['admin'],
    ],
    [post({ run_id: 'x', reason: 'x' }, '/v1/admin/revocations'), ['trust:revoke']],
    [{ url: '/v1/admin/revocations' }, ['trust:revoke', 'history:read']],
    [{ url: `/v1/admin/revocations/${id}` }, ['trust:revoke', 'history:read']],
    [post({ reason: 'x' }, `/v1/admin/revocations/${id}/undo`), ['trust:revoke']],
  ]
  for (const [options, allowed] of routes) {
    for (const scope of SCOPES) {
      scopes.clear()
      scopes.add(scope)
      const { statusCode } = await call(options)
      const mayPass = scope === 'admin' || allowed.includes(scope)
      t.equal(
        statusCode !== 403,
        mayPass,
        `${options.method ?? 'GET'} ${options.url as string} with ${scope}`,
      )
    }
  }
  scopes.clear()
  problemOf(t, await call('/v1/whoami'), 403, 'forbidden')
  for (const url of ['/healthz', '/readyz', '/docs', '/openapi.json', '/'])
    t.not((await call(url)).statusCode, 403, url)
  scopes.add('runs:submit')
  t.match(
    problemOf(t, await call(post(body({ cadence: 'nightly' }))), 403, 'forbidden').detail,
    /baselines:write/,
  )

  const paths = Object.entries((app.swagger().paths ?? {}) as Record<string, object>).flatMap(
    ([path, item]) => Object.keys(item).map((method) => `${method} ${path}`),
  )
  const open = ['get /v1/whoami', 'get /healthz', 'get /readyz', 'get /openapi.json', 'get /metrics']
  t.equal(paths.length, routes.length + open.length, 'no route is left out of this test')
})

t.test('a route without declared scopes does not start', async (t) => {
  const { gatehouse } = await openClient(t)
  const app = await buildApp({ gatehouse })
  t.throws(() => app.get('/undeclared', (_request, reply) => reply.send('x')), /declares no scopes/)
  await app.close()
})

t.test('an id from outside is not echoed', async (t) => {
  const { call } = await openClient(t)
  const response = await call({
    url: '/healthz',
    headers: { 'x-request-id': 'hostile', 'request-id': 'hostile' },
  })
  t.match(response.headers['x-request-id'], /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  t.match(response.json(), { status: 'ok', version: VERSION })
})

t.test('the version is that of the package', (t) => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  t.equal(VERSION, manifest.version)
  t.end()
})

t.test('security headers', async (t) => {
  const { call } = await openClient(t)
  for (const url of ['/docs', '/v1/runs', '/nothing']) {
    const { headers } = await call(url)
    t.match(headers['content-security-policy'], /default-src 'none'.*script-src 'self'/)
    t.notMatch(headers['content-security-policy'], /unsafe/)
    t.equal(headers['x-content-type-options'], 'nosniff')
    t.equal(headers['cache-control'], 'no-store')
  }
})

t.test('an empty bearer is a 401 with its reason; open mode takes no notice of others', async (t) => {
  const { call } = await openClient(t)
  for (const authorization of ['Bearer ', 'Bearer', 'bearer  ', '']) {
    const refused = await call({ url: '/v1/runs', headers: { authorization } })
    t.match(problemOf(t, refused, 401, 'unauthorized').detail, /secret unset/)
    t.match(refused.headers['www-authenticate'], /^Bearer/)
  }
  t.equal((await call({ url: '/v1/runs', headers: { authorization: 'Bearer x' } })).statusCode, 200)
})
