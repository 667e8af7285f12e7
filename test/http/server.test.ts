import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startServer, temporaryFolder } from '../support/server.js'
import { body } from './support.js'

const SERVER = fileURLToPath(new URL('../../src/server.js', import.meta.url))
const CLI = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url))

// Starts many processes; slow on a busy machine.
t.setTimeout(180_000)

t.test('a wrong configuration: every fault on stderr, and exit 2', (t) => {
  const env = { PATH: process.env['PATH'], GATEHOUSE_ADMIN_TOKEN: 'short-and-secret', PORT: 'http' }
  const { status, stderr, stdout } = spawnSync(process.execPath, [SERVER], { env, encoding: 'utf8' })
  t.equal(status, 2)
  t.match(stderr, /gatehouse: GATEHOUSE_ADMIN_TOKEN: .*at least 32/)
  t.notMatch(stderr, /secret/)
  t.match(stderr, /gatehouse: PORT: must be an integer/)
  t.equal(stdout, '')
  t.end()
})

t.test('starts, says that it is open, logs with request ids, and never a credential', async (t) => {
  const folder = temporaryFolder(t)
  const server = await startServer({ DATABASE_URL: `sqlite:${folder}/g.db` })
  const response = await fetch(`${server.url}/v1/runs`, {
    method: 'POST',
    body: JSON.stringify(body({ cadence: 'nightly' })),
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer gatehouse_secret',
      cookie: 'sid=secret',
    },
  })
  t.equal(response.status, 201)
  const id = response.headers.get('x-request-id')
  t.equal(await server.stop(), 0)
  const log = server.log.join('\n')
  t.match(log, /open mode/)
  t.notMatch(log, /secret/)
  const lines = server.log
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  t.ok(lines.some((line) => line['request_id'] === id && line['msg'] === 'request completed'))
  t.ok(
    lines.some(
      (line) => line['request_id'] === id && line['actor'] === 'open-mode' && line['msg'] === 'run stored',
    ),
    'the write is logged with its actor',
  )
})

t.test('where others can reach it, it starts with a credential alone', async (t) => {
  const DATABASE_URL = `sqlite:${temporaryFolder(t)}/g.db`
  const env = { PATH: process.env['PATH'], HOST: '0.0.0.0', PORT: '0', DATABASE_URL }
  const start = (more: Record<string, string> = {}) =>
    spawnSync(process.execPath, [SERVER], { env: { ...env, ...more }, encoding: 'utf8', timeout: 60_000 })
  const refused = start()
  t.equal(refused.status, 2)
  t.match(
    refused.stderr,
    /^gatehouse: HOST: 0.0.0.0 can be reached by others.*gatehouse token create.*GATEHOUSE_ADMIN_TOKEN/,
  )
  t.equal(refused.stdout, '', 'it never listened')
  const away = start({ DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d' })
  t.equal(away.status, 3, 'whoever supervises it tries again')
  t.match(away.stderr, /HOST: 0.0.0.0 can be reached.*cannot be told: the database cannot be reached/)
  t.notMatch(away.stderr, /secret/)

  const made = spawnSync(process.execPath, [CLI, 'token', 'create', '--name', 'x', '--scope', 'admin'], {
    env: { PATH: process.env['PATH'], DATABASE_URL },
    encoding: 'utf8',
  })
  const server = await startServer({ HOST: '0.0.0.0', DATABASE_URL, GATEHOUSE_PUBLIC_READ: 'true' })
  const url = `http://127.0.0.1:${new URL(server.url).port}`
  const whoami = (headers: Record<string, string>) => fetch(`${url}/v1/whoami`, { headers })
  t.match(await (await whoami({ authorization: `Bearer ${made.stdout.trim()}` })).json(), {
    actor: 'token:x',
  })
  t.match(await (await whoami({})).json(), { actor: 'anonymous', scopes: ['history:read'] })
  t.equal((await fetch(`${url}/v1/export`)).status, 401)
  t.equal(await server.stop(), 0)
  t.match(
    server.log.join('\n'),
    /"credentials":\["API tokens"\],"public_read":true.*a credential is needed for everything but/,
  )
  t.notMatch(server.log.join('\n'), /open mode/)
})

t.test('no secret reaches the log, wherever it was put', async (t) => {
  const adminToken = 'a-first-token-"of"-the\\environment-0'
  const server = await startServer({
    DATABASE_URL: `sqlite:${temporaryFolder(t)}/g.db`,
    GATEHOUSE_ADMIN_TOKEN: adminToken,
    LOG_LEVEL: 'trace',
  })
  const admin = { authorization: `Bearer ${adminToken}` }
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
  const made = await post('/v1/admin/tokens', '{"name": "ci", "scopes": ["admin"]}', admin)
  const { token, token_id: id } = (await made.json()) as { token: string; token_id: string }
  const begun = await post('/v1/session', JSON.stringify({ token }))
  t.equal(begun.status, 204)
  const session = /gatehouse_session=([\w-]+)/.exec(begun.headers.get('set-cookie') ?? '')?.[1] ?? ''
  const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4In0.c2lnbmF0dXJl'
  t.equal((await post('/v1/session', JSON.stringify({ token: jwt }))).status, 422)
  t.equal((await post('/v1/session', JSON.stringify({ token: adminToken }))).status, 204)
  t.equal((await post('/v1/session', JSON.stringify({ tokens: token, token: [token] }))).status, 422)
  for (const secret of [token, session, jwt, encodeURIComponent(adminToken)]) {
    await fetch(`${server.url}/v1/runs?token=${secret}`, { headers: admin })
    await fetch(`${server.url}/v1/${secret}`, { headers: { authorization: `Basic ${secret}` } })
  }
  await fetch(`${server.url}/v1/session`, { headers: { cookie: `gatehouse_session=${session}` } })
  await fetch(`${server.url}/v1/admin/tokens/${id}`, { method: 'DELETE', headers: admin })
  t.equal(
    (await fetch(`${server.url}/v1/whoami`, { headers: { authorization: `Bearer ${token}` } })).status,
    401,
  )
  t.equal(await server.stop(), 0)
  const log = server.log.join('\n')
  for (const text of ['token made', 'token revoked', 'session begun']) t.match(log, text)
  t.match(
    log,
    /"actor":"admin-token","credential":"token:environment","request_id":"[^"]+","token_id":"[^"]+","name":"ci".*token made/,
  )
  t.match(log, /"path":"\/v1\/\[redacted\]"/)
  t.notMatch(log, /\?token=/, 'queries are not logged at all')
  const hashes = [token, adminToken, session].map((secret) =>
    createHash('sha256').update(secret).digest('hex'),
  )
  const secrets = [
    token,
    adminToken,
    encodeURIComponent(adminToken),
    JSON.stringify(adminToken).slice(1, -1),
    session,
    jwt,
    ...hashes,
  ]
  for (const [index, secret] of secrets.entries()) t.notOk(log.includes(secret), `secret ${index}`)
})

t.test('open mode is over for the public routes too, soon after the first token', async (t) => {
  const DATABASE_URL = `sqlite:${temporaryFolder(t)}/g.db`
  const server = await startServer({ DATABASE_URL })
  const proxied = () => fetch(`${server.url}/healthz`, { headers: { 'x-forwarded-for': '10.0.0.1' } })
  t.equal((await proxied()).status, 403)
  spawnSync(process.execPath, [CLI, 'token', 'create', '--name', 'x', '--scope', 'admin'], {
    env: { PATH: process.env['PATH'], DATABASE_URL },
  })
  const deadline = performance.now() + 30_000
  while ((await proxied()).status !== 200 && performance.now() < deadline) await sleep(500)
  t.equal((await proxied()).status, 200, 'nobody asked anything of the API meanwhile')
  t.equal((await fetch(`${server.url}/v1/runs`)).status, 401)
  await server.stop()
  t.match(server.log.join('\n'), /open mode is over/)
})

t.test('a port in use is said, with exit 2', async (t) => {
  const folder = temporaryFolder(t)
  const server = await startServer({ DATABASE_URL: `sqlite:${folder}/g.db` })
  const env = {
    PATH: process.env['PATH'],
    PORT: new URL(server.url).port,
    DATABASE_URL: `sqlite:${folder}/h.db`,
  }
  const second = spawnSync(process.execPath, [SERVER], { env, encoding: 'utf8', timeout: 60_000 })
  t.equal(second.status, 2)
  t.match(second.stderr, /PORT: \d+ is taken/)
  await server.stop()
})

t.test('SIGTERM is heard from the moment on at which the service listens', async (t) => {
  const DATABASE_URL = `sqlite:${temporaryFolder(t)}/g.db`
  for (let start = 0; start < 3; start++) {
    const server = await startServer({ DATABASE_URL })
    t.equal(await server.stop('SIGTERM'), 0)
  }
})

t.test(
  'SIGTERM: what is in flight is answered, idle and half-open sockets end, exit 0 in time',
  async (t) => {
    const folder = temporaryFolder(t)
    writeFileSync(`${folder}/config.json`, '{"cadence": {"nightly_label": "full"}}')
    t.ok(readFileSync(`${folder}/config.json`))
    const server = await startServer({
      DATABASE_URL: `sqlite:${folder}/g.db`,
      GATEHOUSE_CONFIG: `${folder}/config.json`,
    })
    const port = Number(new URL(server.url).port)
    await fetch(`${server.url}/healthz`) // leaves an idle keep-alive socket behind
    const halfSent = connect(port, '127.0.0.1')
    halfSent.on('error', () => undefined)
    halfSent.write('GET /healthz HTTP/1.1\r\nHost: local')

    const payload = JSON.stringify(body({ cadence: 'nightly' }))
    const answered = new Promise<number>((resolve, reject) => {
      const upload = httpRequest(
        {
          port,
          host: '127.0.0.1',
          path: '/v1/runs',
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-length': payload.length },
        },
        (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        },
      )
      upload.on('error', reject)
      upload.write(payload.slice(0, 20))
      setTimeout(() => upload.end(payload.slice(20)), 1_000)
    })
    await sleep(300)
    const begun = performance.now()
    const stopped = server.stop('SIGTERM')
    await sleep(200)
    t.equal((await fetch(`${server.url}/readyz`)).status, 503, 'readiness is gone first')
    t.equal((await fetch(`${server.url}/v1/runs`)).status, 503)
    t.equal(await answered, 201)
    t.equal(await stopped, 0)
    t.ok(performance.now() - begun < 10_000)
  },
)
