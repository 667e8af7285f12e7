import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startServer, temporaryFolder } from '../support/server.js'
import { body } from './support.js'

const SERVER = fileURLToPath(new URL('../../src/server.js', import.meta.url))

t.test('a wrong configuration: every fault on stderr, and exit 1', (t) => {
  const env = { PATH: process.env['PATH'], HOST: '0.0.0.0', PORT: 'http' }
  const { status, stderr, stdout } = spawnSync(process.execPath, [SERVER], { env, encoding: 'utf8' })
  t.equal(status, 1)
  t.match(stderr, /gatehouse: HOST: .*no credentials/)
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
  t.ok(lines.some((line) => line['reqId'] === id && line['msg'] === 'request completed'))
  t.ok(
    lines.some((line) => line['request_id'] === id && line['actor'] === 'open-mode'),
    'the write is logged with its actor',
  )
})

t.test('a port in use is said, with exit 1', async (t) => {
  const folder = temporaryFolder(t)
  const server = await startServer({ DATABASE_URL: `sqlite:${folder}/g.db` })
  const env = {
    PATH: process.env['PATH'],
    PORT: new URL(server.url).port,
    DATABASE_URL: `sqlite:${folder}/h.db`,
  }
  const second = spawnSync(process.execPath, [SERVER], { env, encoding: 'utf8', timeout: 60_000 })
  t.equal(second.status, 1)
  t.match(second.stderr, /PORT: \d+ is taken/)
  await server.stop()
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
