/** Clients that send slowly, never end, or never read: they cost sockets, and nobody else anything. */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { audit, Ledger, startLoad, watchHealth } from '../support/load.js'
import { serve, type Server } from '../support/server.js'
import { openSqlite } from '../support/stores.js'
import { until } from './under-load.js'

t.setTimeout(120_000)

/** Node looks every five seconds for heads that are not there after twenty. */
const HEAD_WITHIN_MS = 35_000

interface SlowClient {
  /** What it was answered so far; a client that does not read has nothing. */
  text: string
  closed: boolean
}

/** Says `first`, then one more byte of `rest` every second, for ever. */
function slowClient(t: Test, { url }: Server, first: string, rest: string, reads = true): SlowClient {
  const client: SlowClient = { text: '', closed: false }
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  if (reads) socket.on('data', (bytes: Buffer) => (client.text += bytes.toString('latin1')))
  socket.on('error', () => undefined)
  socket.on('close', () => (client.closed = true))
  socket.write(first)
  const trickle = setInterval(() => void (rest !== '' && socket.writable && socket.write(rest)), 1_000)
  t.teardown(() => {
    clearInterval(trickle)
    socket.destroy()
  })
  return client
}

function memoryMib({ process }: Server): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kib) / 1_024)
}

t.test('slow heads, slow bodies, unread answers, and others at work beside them', async (t) => {
  const { location, sql } = await openSqlite(t)
  const server = await serve(t, { DATABASE_URL: `sqlite:${location}` })
  const ledger = new Ledger()
  const health = watchHealth(t, server.url)
  const load = startLoad(t, ledger, { urls: [server.url], clients: 4 })
  await until('the load is acknowledged', () => ledger.count(201) >= 20)
  const memory = memoryMib(server)

  const many = (count: number, make: () => SlowClient) => Array.from({ length: count }, make)
  const head = 'POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  const began = performance.now()
  const heads = many(200, () => slowClient(t, server, head, 'X-A: 1\r\n'))
  const bodies = many(100, () => slowClient(t, server, `${head}Content-Length: 30000000\r\n\r\n{"a": "`, 'x'))
  const chunks = many(100, () =>
    slowClient(t, server, `${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n[\r\n'),
  )
  const page = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const unread = many(20, () => slowClient(t, server, page.repeat(8), '', false))
  const hoarders = many(20, () => slowClient(t, server, page.repeat(200), '', false))

  await until('slow heads are refused', () => heads.every(({ closed }) => closed), HEAD_WITHIN_MS)
  const refused = performance.now() - began
  t.ok(refused > 15_000, 'a head has its time')
  t.equal(heads.filter(({ text }) => /^HTTP\/1.1 408 /.test(text)).length, heads.length, 'each is told so')
  const ended = [...bodies, ...chunks].filter(({ closed }) => closed)
  t.comment(`${ended.length} of ${bodies.length + chunks.length} slow bodies were refused`)
  t.ok(
    ended.every(({ text }) => /^HTTP\/1.1 503 /.test(text)),
    'a body may take longer; only what would not fit the memory together is refused',
  )
  t.ok(
    hoarders.every(({ closed }) => closed),
    'who asks on and on without reading is cut off',
  )
  t.notOk(
    unread.some(({ closed }) => closed),
    'who asks a few times has time to read',
  )
  const grown = memoryMib(server) - memory
  t.comment(
    `heads refused after ${Math.round(refused)} ms; memory ${memory} MiB, with ${bodies.length + chunks.length} half ` +
      `bodies and ${unread.length} readers of nothing ${grown} MiB more`,
  )
  t.ok(grown < 150, 'memory is bounded')
  await load.stop()
  await health.stop()
  t.comment(ledger.figures())
  t.equal(ledger.count(201), ledger.sent, 'everyone else was served')
  t.ok(ledger.longestMs < 10_000, 'and in time, new connections behind the rush too')

  const begun = performance.now()
  t.equal(await server.stop('SIGTERM'), 0)
  t.ok(performance.now() - begun < 10_000, 'they do not hold up the end')
  t.comment(`gone ${Math.round(performance.now() - begun)} ms after SIGTERM`)
  await sleep(100)
  t.notOk([...bodies, ...chunks].some(({ text }) => / 2\d\d /.test(text)))
  t.equal(await audit(t, sql, ledger), 0)
})
