import { spawnSync } from 'node:child_process'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { findSecrets } from '../../scripts/leaked-secrets.js'
import { body, DECLARED, FIELDS, form, record } from '../http/support.js'
import { madeUpSecret } from '../support/secrets.js'
import { startServer, temporaryFolder, type Server } from '../support/server.js'
import { sharedPostgres } from '../support/stores.js'

// Four servers, and five that do not start.
t.setTimeout(120_000)

/** Secrets in every place where a client or an operator may put one, and none of them in a log or an answer. */

const SERVER = fileURLToPath(new URL('../../src/server.js', import.meta.url))

interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string | Buffer
  readonly quoted?: boolean
}

/** Head and body of the answer, as text. */
async function send(url: string, { method = 'GET', path, headers = {}, payload }: Sent): Promise<string> {
  const { port } = new URL(url)
  const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, method, path, headers: { ...headers, ...length } },
      (response) => {
        const head = `${response.statusCode} ${JSON.stringify(response.headers)}`
        text(response).then((content) => resolve(`${head}\n${content}`), reject)
      },
    )
    request.on('error', reject)
    request.end(payload)
  })
}

function sendRaw(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.end(bytes)
  return text(socket)
}

const JSON_TYPE = { 'content-type': 'application/json' }

function toSend({ method, url, headers, payload }: ReturnType<typeof form>): Sent {
  return { method, path: url, headers, payload }
}

function requestsWith(secret: string): Sent[] {
  const basic = Buffer.from(`ci:${secret}`).toString('base64')
  const authorizations = [
    `Bearer ${secret}`,
    `Bearer ${secret} more`,
    `bearer  ${secret}`,
    `Basic ${basic}`,
    `Token ${secret}`,
    secret,
  ]
  const credentials = [
    ...authorizations.map((authorization) => ({ authorization })),
    { cookie: `gatehouse_session=${secret}; sid=${secret}` },
    { 'x-api-key': secret, 'proxy-authorization': `Bearer ${secret}`, 'x-gatehouse': secret },
    { authorization: `Bearer ${secret}`, origin: 'https://evil.example' },
  ]
  const submission = JSON.stringify(body({ cadence: 'nightly' }))
  const parts = [...FIELDS, ['declarations', DECLARED], ['record', record(1)]] as const
  const forms = [form([...parts, ['token', secret]]), form([...parts, ['commit_sha', secret]])]
  const bodies = [
    JSON.stringify({ token: secret }),
    JSON.stringify({ ...body(), token: secret }),
    `{"token": "${secret}"`,
    `{"token": "${secret}", "token": "${secret}"}`,
    `{"token": ${secret}}`,
    `{"name": "x", "scopes": "${secret}", "token": NaN}`,
  ]
  const paths = [
    '/v1/runs',
    '/v1/declarations/parse',
    '/v1/session',
    '/v1/admin/tokens',
    '/v1/admin/revocations',
    '/v1/replays',
  ]
  return [
    ...credentials.flatMap((headers) => [
      { path: '/v1/runs', headers },
      { path: '/healthz', headers },
      { path: '/nothing', headers },
      { method: 'POST', path: '/v1/runs', headers: { ...headers, ...JSON_TYPE }, payload: submission },
      { method: 'POST', path: '/v1/runs', headers: { ...headers, ...JSON_TYPE }, payload: '{' },
      { method: 'POST', path: '/v1/session', headers: { ...headers, ...JSON_TYPE }, payload: '{}' },
    ]),
    ...[
      '/v1/runs',
      '/v1/whoami',
      '/healthz',
      '/metrics',
      '/nothing',
      '/v1/runs/%zz',
      '/docs',
      '/v1/runs/x',
    ].map((path) => ({
      path: `${path}?token=${secret}&access_token=${secret}`,
    })),
    { method: 'PUT', path: `/v1/runs?token=${secret}` },
    { method: 'POST', path: `/v1/runs?token=${secret}`, headers: JSON_TYPE, payload: submission },
    ...paths.flatMap((path) =>
      bodies.map((payload) => ({ method: 'POST', path, headers: JSON_TYPE, payload })),
    ),
    { ...toSend(form([...parts, ['pr_number', secret]])), quoted: true },
    ...forms.map(toSend),
    {
      method: 'POST',
      path: '/v1/runs',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `token=${secret}`,
    },
    {
      method: 'POST',
      path: '/v1/admin/import',
      headers: { 'content-type': 'application/x-ndjson' },
      payload: `{"token": "${secret}"}\n`,
    },
  ]
}

/** Ends the server; nothing of what it said holds a secret. */
async function checkLog(t: Test, server: Server): Promise<void> {
  await server.stop()
  t.ok(server.log.length > 3, 'it logged something')
  t.same(findSecrets(server.log.join('\n')), [])
}

t.test('secrets that clients send', async (t) => {
  const server = await startServer({
    DATABASE_URL: `sqlite:${join(temporaryFolder(t), 'gatehouse.db')}`,
    LOG_LEVEL: 'trace',
  })
  const secret = madeUpSecret('client')
  const basic = Buffer.from(`ci:${secret}`).toString('base64')
  for (const sent of requestsWith(secret)) {
    const answer = await send(server.url, sent)
    const name = `${sent.method ?? 'GET'} ${sent.path.split('?')[0]} ${answer.slice(0, 3)}`
    t.ok(Number(answer.slice(0, 3)) < 500, name)
    // A number that is none is quoted to the one who sent it.
    if (sent.quoted !== true) {
      t.notOk(answer.includes(secret) || answer.includes(basic), `${name}: not in the answer`)
    }
  }
  for (const raw of [
    `GET /v1/runs?token=${secret} HTTP/9.9\r\nHost: localhost\r\n\r\n`,
    `GET /v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nBroken ${secret}\r\n\r\n`,
    `GET http://ci:${secret}@localhost/v1/runs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    `POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{"token": "${secret}"`,
  ]) {
    const answer = await sendRaw(server.url, raw)
    t.notOk(answer.includes(secret), `${raw.slice(0, 12)}: not in the answer`)
  }
  await checkLog(t, server)
  t.notOk(server.log.join('\n').includes(basic))
})

t.test('the secrets of the server itself', async (t) => {
  const postgres = await sharedPostgres()
  const { url, drop } = await postgres.createDatabase()
  t.teardown(drop)
  const wrong = new URL(url)
  wrong.password = madeUpSecret('password')
  const server = await startServer({ DATABASE_URL: wrong.href, LOG_LEVEL: 'trace' })
  const ready = await send(server.url, { path: '/readyz' })
  t.match(ready, /^503 .*not ready: /s)
  const submission = { method: 'POST', path: '/v1/runs', headers: JSON_TYPE, payload: JSON.stringify(body()) }
  for (const answer of [
    ready,
    await send(server.url, submission),
    await send(server.url, { path: '/metrics' }),
  ]) {
    t.same(findSecrets(answer), [])
  }
  await checkLog(t, server)

  const adminToken = madeUpSecret('admin-token')
  const good = await startServer({ DATABASE_URL: url, LOG_LEVEL: 'trace', GATEHOUSE_ADMIN_TOKEN: adminToken })
  const authorization = `Bearer ${adminToken}`
  for (const headers of [{}, { authorization }, { authorization: `${authorization}x` }]) {
    for (const path of ['/readyz', '/metrics', '/v1/runs', '/v1/whoami', '/v1/admin/tokens']) {
      t.same(findSecrets(await send(good.url, { path, headers })), [], path)
    }
  }
  // These two answers are how a secret is told at all; neither stands in the log.
  const made = await send(good.url, {
    method: 'POST',
    path: '/v1/admin/tokens',
    headers: { ...JSON_TYPE, authorization },
    payload: '{"name": "ci", "scopes": ["history:read"]}',
  })
  const [token] = /gatehouse_[\w-]{43}/.exec(made) ?? []
  if (token === undefined) throw new Error(`no token in ${made.slice(0, 200)}`)
  const begun = await send(good.url, {
    method: 'POST',
    path: '/v1/session',
    headers: JSON_TYPE,
    payload: JSON.stringify({ token }),
  })
  const [cookie] = /[\w-]+=[\w-]{20,}/.exec(begun) ?? []
  if (cookie === undefined) throw new Error(`no cookie in ${begun.slice(0, 300)}`)
  t.match(await send(good.url, { path: '/v1/runs', headers: { cookie } }), /^200 /)
  t.match(await send(good.url, { path: '/v1/runs', headers: { authorization: `Bearer ${token}` } }), /^200 /)
  await checkLog(t, good)
  t.notOk(good.log.join('\n').includes(cookie.split('=')[1]!), 'nor does a session')
})

t.test('secrets in a configuration that is wrong', (t) => {
  const secret = madeUpSecret('config')
  const wrong: ReadonlyArray<Record<string, string>> = [
    { DATABASE_URL: `mysql://gatehouse:${secret}@db/gatehouse` },
    { DATABASE_URL: `postgres://gatehouse:${secret}#@db:port/gatehouse` },
    { DATABASE_URL: `postgres://gatehouse:${secret}@/%zz:x` },
    { DATABASE_READ_URL: `postgres://gatehouse:${secret}@db/gatehouse` },
    { GATEHOUSE_ADMIN_TOKEN: secret.slice(0, 20), PORT: 'none' },
  ]
  for (const env of wrong) {
    const ran = spawnSync(process.execPath, [SERVER], {
      env: { PATH: process.env['PATH'], PORT: '0', HOST: '203.0.113.1', ...env },
      encoding: 'utf8',
      timeout: 60_000,
    })
    t.equal(ran.status, 2)
    t.ok(ran.stderr.length > 0)
    t.same(findSecrets(ran.stdout + ran.stderr), [], Object.keys(env).join())
  }
  t.end()
})
