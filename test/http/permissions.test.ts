/** Every route, by every scope and every kind of credential: one table, and no route may be missing from it. */
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { OPEN_MODE_PRINCIPAL, SCOPES, type Scope } from '../../src/auth/principal.js'
import { hashOf } from '../../src/auth/token.js'
import { beginSession } from '../../src/operations/sessions.js'
import type { App } from '../../src/http/app-types.js'
import { PAGE_PATHS } from '../../src/http/page-paths.js'
import { bearing, body, issueToken, openClient, post, withHeaders, type Client } from './support.js'

interface Entry {
  /** Which of the scopes open it, `admin` beside; `any` good credential; or nobody is asked for one. */
  readonly scopes: readonly Scope[] | 'any' | 'public'
  /** Whether GATEHOUSE_PUBLIC_READ opens it. */
  readonly publicRead: boolean
  /** A request that gets past the door, whatever is said behind it: never 401 or 403. */
  readonly request: InjectOptions
}

const ID = '01936f0c-0000-7000-8000-000000000000'
const get = (url: string): InjectOptions => ({ url })
const lines = { 'content-type': 'application/x-ndjson' }
const READ = ['history:read'] as const
const JUDGED = ['runs:submit', 'history:read'] as const
const EVALS = ['evals:write', 'history:read'] as const
const WRITES = ['promotions:write'] as const
const REVOKED = ['trust:revoke', 'history:read'] as const

function entry(scopes: Entry['scopes'], publicRead: boolean, request: InjectOptions): Entry {
  return { scopes, publicRead, request }
}

const ROUTES: Readonly<Record<string, Entry>> = {
  'POST /v1/runs': entry(['runs:submit'], false, post(body())),
  'GET /v1/runs': entry(READ, true, get('/v1/runs')),
  'GET /v1/runs/:run_id': entry(READ, true, get(`/v1/runs/${ID}`)),
  'GET /v1/verdicts': entry(JUDGED, true, get('/v1/verdicts')),
  'GET /v1/verdicts/:verdict_id': entry(JUDGED, true, get(`/v1/verdicts/${ID}`)),
  'POST /v1/declarations/parse': entry(
    ['runs:submit'],
    false,
    post({ declarations: [] }, '/v1/declarations/parse'),
  ),
  'GET /v1/baselines': entry(READ, true, get('/v1/baselines')),
  'GET /v1/series': entry(READ, true, get('/v1/series')),
  'GET /v1/coordinates': entry(READ, true, get('/v1/coordinates')),
  'GET /v1/history': entry(READ, true, get('/v1/history')),
  'GET /v1/history.svg': entry(READ, true, get('/v1/history.svg')),
  'GET /v1/badge.svg': entry(READ, true, get('/v1/badge.svg')),
  'GET /v1/export': entry(READ, false, get('/v1/export')),
  'POST /v1/replays': entry(READ, false, post({}, '/v1/replays')),
  'POST /v1/admin/import': entry(['admin'], false, {
    method: 'POST',
    url: '/v1/admin/import',
    headers: lines,
    payload: '',
  }),
  'POST /v1/admin/revocations': entry(
    ['trust:revoke'],
    false,
    post({ run_id: 'x', reason: 'x' }, '/v1/admin/revocations'),
  ),
  'GET /v1/admin/revocations': entry(REVOKED, true, get('/v1/admin/revocations')),
  'GET /v1/admin/revocations/:revocation_id': entry(REVOKED, true, get(`/v1/admin/revocations/${ID}`)),
  'POST /v1/admin/revocations/:revocation_id/undo': entry(
    ['trust:revoke'],
    false,
    post({ reason: 'x' }, `/v1/admin/revocations/${ID}/undo`),
  ),
  'POST /v1/evals/grids': entry(['evals:write'], false, post({}, '/v1/evals/grids')),
  'GET /v1/evals/grids': entry(EVALS, true, get('/v1/evals/grids')),
  'GET /v1/evals/grids/:grid_id': entry(EVALS, true, get(`/v1/evals/grids/${ID}`)),
  'GET /v1/evals/grids/:grid_id/results': entry(EVALS, true, get(`/v1/evals/grids/${ID}/results`)),
  'PUT /v1/evals/runs/:name': entry(['evals:write'], false, {
    method: 'PUT',
    url: '/v1/evals/runs/x',
    payload: {},
  }),
  'GET /v1/evals/runs': entry(EVALS, true, get('/v1/evals/runs')),
  'GET /v1/evals/runs/:name': entry(EVALS, true, get('/v1/evals/runs/x')),
  'DELETE /v1/evals/runs/:name': entry(['admin'], false, { method: 'DELETE', url: '/v1/evals/runs/x' }),
  'POST /v1/evals/comparisons': entry(['evals:write'], false, post({}, '/v1/evals/comparisons')),
  'GET /v1/evals/comparisons': entry(EVALS, true, get('/v1/evals/comparisons')),
  'GET /v1/evals/comparisons/:comparison_id': entry(EVALS, true, get(`/v1/evals/comparisons/${ID}`)),
  'POST /v1/evals/judge-validity': entry(['evals:write'], false, post({}, '/v1/evals/judge-validity')),
  'POST /v1/ladders': entry(WRITES, false, post({}, '/v1/ladders')),
  'GET /v1/ladders': entry(READ, true, get('/v1/ladders')),
  'GET /v1/ladders/:ladder': entry(READ, true, get('/v1/ladders/l')),
  'GET /v1/ladders/:ladder/live': entry(READ, true, get('/v1/ladders/l/live')),
  'GET /v1/ladders/:ladder/assignment': entry(READ, true, get('/v1/ladders/l/assignment?unit=u')),
  'POST /v1/ladders/:ladder/variants': entry(WRITES, false, post({}, '/v1/ladders/l/variants')),
  'PATCH /v1/ladders/:ladder/variants/:version': entry(WRITES, false, {
    method: 'PATCH',
    url: '/v1/ladders/l/variants/v',
    payload: { facts: {} },
  }),
  'GET /v1/ladders/:ladder/variants/:version': entry(READ, true, get('/v1/ladders/l/variants/v')),
  'POST /v1/ladders/:ladder/override': entry(['admin'], false, post({}, '/v1/ladders/l/override')),
  'POST /v1/ladders/:ladder/episodes': entry(WRITES, false, post({}, '/v1/ladders/l/episodes')),
  'GET /v1/ladders/:ladder/episodes': entry(READ, true, get('/v1/ladders/l/episodes')),
  'GET /v1/ladders/:ladder/episodes/:episode_id': entry(READ, true, get('/v1/ladders/l/episodes/e')),
  'POST /v1/ladders/:ladder/groups/:group_id/bracket': entry(
    WRITES,
    false,
    post({}, '/v1/ladders/l/groups/g/bracket'),
  ),
  'POST /v1/ladders/:ladder/comparisons/:comparison_id/result': entry(
    WRITES,
    false,
    post({ winner: 'a' }, `/v1/ladders/l/comparisons/${ID}/result`),
  ),
  'POST /v1/ladders/:ladder/evaluate': entry(WRITES, false, post({}, '/v1/ladders/l/evaluate')),
  'GET /v1/ladders/:ladder/test': entry(READ, true, get('/v1/ladders/l/test?variant=v')),
  'GET /v1/ladders/:ladder/strengths': entry(READ, true, get('/v1/ladders/l/strengths')),
  'GET /v1/ladders/:ladder/transitions': entry(READ, true, get('/v1/ladders/l/transitions')),
  'GET /v1/ladders/:ladder/evaluations': entry(READ, true, get('/v1/ladders/l/evaluations')),
  'POST /v1/admin/tokens': entry(['admin'], false, post({ name: '', scopes: [] }, '/v1/admin/tokens')),
  'GET /v1/admin/tokens': entry(['admin'], false, get('/v1/admin/tokens')),
  'DELETE /v1/admin/tokens/:token_id': entry(['admin'], false, {
    method: 'DELETE',
    url: `/v1/admin/tokens/${ID}`,
  }),
  'GET /v1/whoami': entry('any', true, get('/v1/whoami')),
  'GET /v1/session': entry('any', false, get('/v1/session')),
  'DELETE /v1/session': entry('any', false, { method: 'DELETE', url: '/v1/session' }),
  // Its credential is in the body, which is none here.
  'POST /v1/session': entry('public', true, post({}, '/v1/session')),
  'GET /healthz': entry('public', true, get('/healthz')),
  'GET /readyz': entry('public', true, get('/readyz')),
  'GET /metrics': entry('public', true, get('/metrics')),
  'GET /openapi.json': entry('public', true, get('/openapi.json')),
  'GET /assets/:file': entry('public', true, get('/assets/none.js')),
  ...Object.fromEntries(PAGE_PATHS.map((path) => [`GET ${path}`, entry('public', true, get(path))])),
}

/** Every route that the server has, but the files of the documentation page. */
function routesOf(app: App): string[] {
  const routes: string[] = []
  const path: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', segment = '', methods = ''] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? []
    if (segment === '') continue
    path.splice(indent.length / 4, Infinity, segment)
    for (const method of methods.split(', ')) {
      if (method !== '' && method !== 'HEAD') routes.push(`${method} ${path.join('')}`)
    }
  }
  return routes.filter((route) => !/^GET \/docs(?:\/|$)/.test(route))
}

/** Whether a credential with these scopes gets past the door. */
function opens({ scopes }: Entry, held: Scope): boolean {
  return held === 'admin' || scopes === 'any' || scopes === 'public' || scopes.includes(held)
}

async function doorOf(client: Client, request: InjectOptions): Promise<number | 'open'> {
  const { statusCode, headers } = await client.call(request)
  if (statusCode === 401 && !/^Bearer/.test(String(headers['www-authenticate'])))
    throw new Error('names no scheme')
  return statusCode === 401 || statusCode === 403 ? statusCode : 'open'
}

t.test('every route stands in the table, and nothing else does', async (t) => {
  const { app } = await openClient(t)
  t.strictSame(routesOf(app).sort(), Object.keys(ROUTES).sort())
})

t.test('the OpenAPI document says of each route which credential and scope opens it', async (t) => {
  interface Described {
    readonly components: { readonly securitySchemes: object }
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: unknown }>>>>
  }
  const { call } = await openClient(t)
  const document = (await call('/openapi.json')).json<Described>()
  const schemes = ['bearer', 'session']
  t.same(Object.keys(document.components.securitySchemes), schemes)
  for (const [route, { scopes }] of Object.entries(ROUTES)) {
    const [method = '', url = ''] = route.split(' ')
    const operation = document.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    if (scopes === 'public') t.same(operation?.security ?? [], [], route)
    else {
      const alternatives = scopes === 'any' ? [[]] : scopes.map((scope) => [scope])
      t.same(
        operation?.security,
        schemes.flatMap((scheme) => alternatives.map((held) => ({ [scheme]: held }))),
        route,
      )
    }
  }
})

t.test('the matrix', async (t) => {
  const adminToken = 'the-first-token-of-an-administrator'
  const client = await openClient(t, { credentials: { isLoopback: false, adminToken } })
  const { store } = client.gatehouse
  const tokens = new Map<Scope, string>()
  for (const scope of SCOPES) tokens.set(scope, await issueToken(store, { name: scope, scopes: [scope] }))
  const expired = await issueToken(store, { expiresAt: '2020-01-01T00:00:00.000000Z' })
  const revoked = await issueToken(store, { tokenId: 'revoked' })
  const begin = (credential: string) =>
    beginSession(
      client.gatehouse,
      { principal: OPEN_MODE_PRINCIPAL, credentialHash: hashOf(credential) },
      'test',
    )
  const dead = [await begin(expired), await begin(revoked), await begin('no token at all'), 'never begun']
  await store.write(async (writer) =>
    writer.writeTokenRevocation('revoked', { createdAt: await writer.now(), actor: 'test' }),
  )
  const without = [
    {},
    bearing(expired),
    bearing(revoked),
    bearing(`gatehouse_${'x'.repeat(43)}`),
    bearing(''),
    bearing('eyJhbGciOiJub25lIn0.e30.'),
    { authorization: 'Basic YTpi' },
    { authorization: tokens.get('admin')! },
    ...dead.map((id) => ({ cookie: `gatehouse_session=${id}`, 'x-gatehouse': '1' })),
  ]
  for (const [route, one] of Object.entries(ROUTES)) {
    const isPublic = one.scopes === 'public'
    for (const [index, headers] of without.entries()) {
      const door = await doorOf(client, withHeaders(one.request, headers))
      t.equal(door, isPublic ? 'open' : 401, `${route}, bad credential ${index}`)
    }
    for (const [scope, token] of tokens) {
      const expected = opens(one, scope) ? 'open' : 403
      t.equal(
        await doorOf(client, withHeaders(one.request, bearing(token))),
        expected,
        `${route} with ${scope}`,
      )
      const cookie = `gatehouse_session=${await begin(token)}`
      const isChange = one.request.method !== undefined && one.request.method !== 'GET'
      const bare = isChange && !isPublic ? 403 : expected
      t.equal(
        await doorOf(client, withHeaders(one.request, { cookie })),
        bare,
        `${route} in a bare session of ${scope}`,
      )
      const deliberate = withHeaders(one.request, { cookie, 'x-gatehouse': '1' })
      t.equal(await doorOf(client, deliberate), expected, `${route} in a session of ${scope}`)
    }
    t.equal(
      await doorOf(client, withHeaders(one.request, bearing(adminToken))),
      'open',
      `${route}, first token`,
    )
  }
})

t.test('public read', async (t) => {
  const deps = { openings: { publicRead: true, badgesPublic: false } }
  const client = await openClient(t, { credentials: { isLoopback: false }, deps })
  for (const [route, { request, publicRead }] of Object.entries(ROUTES)) {
    t.equal(await doorOf(client, request), publicRead ? 'open' : 401, route)
    if (ROUTES[route]!.scopes !== 'public') {
      t.equal(await doorOf(client, withHeaders(request, bearing('x'))), 401, `${route}: a bad token is none`)
    }
  }
  t.match((await client.call('/v1/whoami')).json(), { actor: 'anonymous', scopes: ['history:read'] })
  t.equal((await client.call({ method: 'HEAD', url: '/v1/runs' })).statusCode, 200)
})
