import { readFileSync } from 'node:fs'
import t from 'tap'
import { buildApp } from '../../src/app.js'
import { Credentials } from '../../src/auth/credentials.js'
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
    { via: '1.1 proxy' },
    { 'x-real-ip': '10.0.0.1' },
    { 'cf-connecting-ip': '10.0.0.1' },
    { 'true-client-ip': '10.0.0.1' },
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

t.test('a route without declared scopes does not start', async (t) => {
  const { gatehouse } = await openClient(t)
  const app = await buildApp({ gatehouse })
  t.throws(() => app.get('/undeclared', (_request, reply) => reply.send('x')), /declares no scopes/)
  await app.close()
})

t.test('BADGES_PUBLIC opens images and nothing else; public read opens them too', async (t) => {
  const { gatehouse } = await openClient(t)
  const settings = { isLoopback: false, adminToken: null, jobs: null }
  const credentials = new Credentials(gatehouse.store, settings, gatehouse.log)
  const series = 'test_path=a&backend=b&suite=c'
  const statuses = async (openings: { publicRead: boolean; badgesPublic: boolean }) => {
    const app = await buildApp({ gatehouse, credentials, openings })
    const answers = [
      await app.inject(`/v1/badge.svg?${series}`),
      await app.inject(`/v1/history.svg?${series}&metric_key=m&step=0`),
      await app.inject(`/v1/history?${series}&metric_key=m&step=0`),
      await app.inject('/v1/runs'),
    ]
    await app.close()
    return answers.map(({ statusCode }) => statusCode)
  }
  t.same(await statuses({ publicRead: false, badgesPublic: false }), [401, 401, 401, 401])
  t.same(await statuses({ publicRead: false, badgesPublic: true }), [200, 200, 401, 401])
  t.same(await statuses({ publicRead: true, badgesPublic: false }), [200, 200, 200, 200])
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
    t.match(headers['content-security-policy'], /frame-ancestors 'none'/)
    t.equal(headers['cross-origin-resource-policy'], 'same-origin')
    t.equal(headers['access-control-allow-origin'], undefined)
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
