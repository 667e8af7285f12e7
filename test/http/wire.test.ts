import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { body, DECLARED, FIELDS, form, issueToken, record } from './support.js'
import { dial, listen, readAnswer } from './wire.js'

/** What only a real socket shows: framing, early answers, slow clients, the end of the server. */

t.test('what is no HTTP gets a problem document', async (t) => {
  const { port } = await listen(t)
  const cases: ReadonlyArray<readonly [string, number]> = [
    ['nonsense\r\n\r\n', 400],
    ['GET /healthz HTTP/9.9\r\n\r\n', 400],
    ['GET /healthz HTTP/1.1\r\n\r\n', 400],
    [
      'POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [`GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', 403],
    ['GET HTTP://evil.example HTTP/1.1\r\nHost: localhost\r\n\r\n', 403],
    ['GET http://localhost/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n', 404],
    ['GET /v1/runs/%ff HTTP/1.1\r\nHost: localhost\r\n\r\n', 404],
    ['GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n', 400],
    [
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n',
      400,
    ],
    ['GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: 200-ok\r\n\r\n', 417],
    // A proxy adds its headers behind those of the client, of which Node would take a thousand and drop the rest.
    [
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${'a:\r\n'.repeat(2_100)}X-Forwarded-For: 10.0.0.1\r\n\r\n`,
      400,
    ],
    ['GET /docs/static/../../package.json HTTP/1.1\r\nHost: localhost\r\n\r\n', 404],
    ['BREW /v1/runs HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['PROPFIND /v1/runs HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
  ]
  for (const [request, status] of cases) {
    const socket = dial(t, port)
    socket.write(request)
    const answer = await readAnswer(socket, 100)
    const [head = '', text = ''] = answer.split('\r\n\r\n')
    t.match(head, new RegExp(`^HTTP/1.1 ${status} `), request.slice(0, 60))
    t.match(head, /content-type: application\/problem\+json/i)
    t.match(head, /x-request-id: [0-9a-f-]{36}/i)
    // A 417 of Node's own server comes in chunks.
    t.match(JSON.parse(text.replace(/^[^{]*|[^}]*$/g, '')), { status, errors: [] })
    socket.destroy()
  }
  const socket = dial(t, port)
  socket.write('OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n')
  t.match(await readAnswer(socket, 100), /^HTTP\/1.1 204 /)
})

t.test(
  'what a plain proxy passes on is refused in open mode, and taken once there is a credential',
  async (t) => {
    // As nginx's `proxy_pass http://127.0.0.1:8080` without another line sends it.
    const passed = 'GET /v1/whoami HTTP/1.0\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\n'
    const ask = async (port: number, request: string) => {
      const socket = dial(t, port)
      socket.write(`${request}\r\n`)
      return readAnswer(socket, 100)
    }
    const open = await listen(t)
    const refused = await ask(open.port, passed)
    t.match(refused, /^HTTP\/1.1 403 /)
    t.match(refused, /HTTP\/1\.0 is what plain proxies speak/)
    t.match(await ask(open.port, passed.replace('1.0', '1.1')), /^HTTP\/1.1 200 /)
    const token = await issueToken(open.gatehouse.store)
    t.match(await ask(open.port, `${passed}Authorization: Bearer ${token}\r\n`), /^HTTP\/1.1 200 /)
  },
)

t.test('a body in chunks is held to the limit, and the client reads the refusal', async (t) => {
  const { port, call } = await listen(t, { deps: { maxBodyBytes: 200_000 } })
  const socket = dial(t, port)
  socket.write(
    'POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  )
  const answer = readAnswer(socket)
  const chunk = `${(50_000).toString(16)}\r\n${'['.repeat(50_000)}\r\n`
  for (let i = 0; i < 200; i++) if (!socket.write(chunk)) await sleep(2)
  const text = await answer
  t.match(text, /^HTTP\/1.1 413 /)
  t.match(text, /urn:gatehouse:problem:too_large/)
  t.equal((await call('/healthz')).statusCode, 200)
})

t.test('a declared length beyond the limit is refused at once', async (t) => {
  const { port } = await listen(t, { deps: { maxBodyBytes: 200_000 } })
  const socket = dial(t, port)
  socket.write(
    'POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500000000\r\n\r\n{',
  )
  t.match(await readAnswer(socket), /^HTTP\/1.1 413 /)
})

t.test('without a credential nothing of a body is waited for', async (t) => {
  const { port } = await listen(t, { credentials: { isLoopback: false } })
  for (const length of ['Content-Length: 30000000', 'Transfer-Encoding: chunked']) {
    const socket = dial(t, port)
    socket.write(
      `POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
    )
    t.match(await readAnswer(socket, 100), /^HTTP\/1.1 401 /)
  }
})

t.test('a large submission in chunks is taken whole', async (t) => {
  const { port } = await listen(t)
  const lines = Array.from(
    { length: 20_000 },
    (_, i) => `{"metric": "m${i}", "series": [[0, ${i}.5], [1, 2]]}\n`,
  ).join('')
  const { headers, payload } = form([...FIELDS, ['declarations', DECLARED], ['record', lines + record(7)]])
  t.ok(payload.length > 800_000)
  const socket = dial(t, port)
  const answer = readAnswer(socket, 2_000)
  socket.write(
    `POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: ${headers['content-type']}\r\n\r\n`,
  )
  for (let at = 0; at < payload.length; at += 7_777) {
    const chunk = payload.subarray(at, at + 7_777)
    socket.write(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]))
  }
  socket.write('0\r\n\r\n')
  const text = await answer
  t.match(text, /^HTTP\/1.1 200 /)
  t.match(text, /"value":7,/)
})

t.test('a slow client ends', async (t) => {
  const { port } = await listen(t, { deps: { requestTimeoutMs: 400 } })
  const begun = performance.now()
  const stuckHead = dial(t, port)
  stuckHead.write('POST /v1/runs HTTP/1.1\r\nHost: loc')
  const stuckBody = dial(t, port)
  stuckBody.write(
    'POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"',
  )
  const answers = await Promise.all([readAnswer(stuckHead, 5_000), readAnswer(stuckBody, 5_000)])
  for (const answer of answers) t.match(answer, /^HTTP\/1.1 408 /)
  t.ok(performance.now() - begun < 5_000)
})

t.test('a body that breaks off stores nothing', async (t) => {
  const { port, call } = await listen(t)
  const { headers, payload } = form([
    ...FIELDS,
    ['cadence', 'nightly'],
    ['declarations', DECLARED],
    ['record', record(1)],
  ])
  const socket = dial(t, port)
  socket.write(
    `POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: ${payload.length}\r\n\r\n`,
  )
  socket.write(payload.subarray(0, -10))
  await sleep(50)
  socket.destroy()
  await sleep(100)
  t.same((await call('/v1/runs')).json(), { items: [], next_cursor: null })
})

t.test('the drain: work in flight finishes, new work is refused', async (t) => {
  const gate = { open: () => undefined as void }
  const waiting = new Promise<void>((resolve) => {
    gate.open = resolve
  })
  const { port, app } = await listen(t, {
    gatehouse: { readPython: () => waiting.then(() => ({ ok: true, value: [] })) },
  })
  const base = `http://127.0.0.1:${port}`
  const source = new FormData()
  source.set('test_file', 'x = 1')
  const inFlight = fetch(`${base}/v1/declarations/parse`, { method: 'POST', body: source })
  await sleep(100)
  app.drain.begin()
  const left = app.drain.finished(5_000)

  t.equal((await fetch(`${base}/healthz`)).status, 200, 'the process lives')
  const ready = await fetch(`${base}/readyz`)
  t.equal(ready.status, 503)
  t.equal(ready.headers.get('connection'), 'close')
  const refused = await fetch(`${base}/v1/runs`)
  t.equal(refused.status, 503)
  t.ok(Number(refused.headers.get('retry-after')) > 0)

  gate.open()
  t.equal((await inFlight).status, 200)
  t.equal(await left, 0)
  t.equal(await app.drain.finished(0), 0)
})

t.test('what is no HTTP behind a request is not taken for its answer', async (t) => {
  const { port, call } = await listen(t)
  const payload = JSON.stringify(body({ cadence: 'nightly' }))
  const head = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${payload.length}`
  const socket = dial(t, port)
  socket.write(`POST /v1/runs HTTP/1.1\r\n${head}\r\n\r\n${payload}nonsense\r\n\r\n`)
  const answer = await readAnswer(socket, 1_000)
  t.same(answer.match(/^HTTP\/1\.1 \d+/gm), ['HTTP/1.1 201'])
  t.ok(socket.closed || socket.readableEnded, 'and the connection ends behind it')
  t.equal((await call('/v1/runs')).json<{ items: unknown[] }>().items.length, 1)
})
