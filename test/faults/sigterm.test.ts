/** SIGTERM under load: every request is answered with its row stored, or refused without; gone within ten seconds. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { audit, Ledger, startLoad } from '../support/load.js'
import { serve, type Server } from '../support/server.js'
import { forEachBackend, openPostgres } from '../support/stores.js'
import { TcpProxy } from '../support/tcp-proxy.js'
import { until } from './under-load.js'

t.setTimeout(120_000)

const GONE_WITHIN_MS = 10_000

/** Sockets that were used once and are kept, and such that never said a word. */
async function idleSockets(t: Test, { url }: Server, count: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      t.teardown(() => void socket.destroy())
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      if (index % 2 === 0) {
        socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
        await once(socket, 'data')
      }
      socket.resume()
      return socket
    }),
  )
}

async function terminate(t: Test, server: Server): Promise<number | null> {
  const begun = performance.now()
  const code = await server.stop('SIGTERM')
  const took = performance.now() - begun
  t.comment(`gone ${Math.round(took)} ms after SIGTERM, with ${code}`)
  t.ok(took < GONE_WITHIN_MS, 'gone within ten seconds')
  return code
}

forEachBackend((name, open) => {
  t.test(`under load, ${name}`, async (t) => {
    const { location, sql } = await open(t)
    const env = { DATABASE_URL: name === 'sqlite' ? `sqlite:${location}` : location }
    const ledger = new Ledger()
    for (let round = 0; round < 3; round++) {
      const server = await serve(t, env)
      const idle = await idleSockets(t, server, 20)
      const before = ledger.count(201)
      const load = startLoad(t, ledger, { urls: [server.url], clients: 20 })
      await until('the load is acknowledged', () => ledger.count(201) >= before + 30)
      const acknowledged = ledger.count(201)
      const ending = terminate(t, server)
      void once(server.process, 'exit').then(() => load.stop())
      t.equal(await ending, 0)
      await load.ended
      t.ok(ledger.count(201) > acknowledged, 'what was in flight was answered')
      await until('idle sockets end', () => idle.every(({ closed }) => closed), 1_000)
    }
    t.comment(ledger.figures())
    t.equal(await audit(t, sql, ledger), 0, 'no run was stored without its answer')
  })
})

t.test('while a table is locked', async (t) => {
  const { location, sql, ownerUrl } = await openPostgres(t)
  const server = await serve(t, { DATABASE_URL: location })
  const holder = new pg.Client({ connectionString: ownerUrl ?? '' })
  await holder.connect()
  await holder.query('begin; lock table runs in access exclusive mode')
  const ledger = new Ledger()
  const load = startLoad(t, ledger, { urls: [server.url], clients: 20, total: 20 })
  await sleep(1_000)
  t.equal(await terminate(t, server), 0)
  await load.ended
  await holder.query('rollback')
  await holder.end()
  t.comment(ledger.figures())
  t.equal(ledger.count(503), 20, 'all are refused')
  t.equal(await audit(t, sql, ledger), 0)
})

t.test('while the database says nothing', async (t) => {
  const { location, sql } = await openPostgres(t)
  const proxy = await TcpProxy.start(location)
  t.teardown(() => proxy.close())
  const server = await serve(t, { DATABASE_URL: proxy.url })
  const ledger = new Ledger()
  await ledger.submit(server.url, ledger.next())
  proxy.freeze()
  const load = startLoad(t, ledger, { urls: [server.url], clients: 20, total: 21 })
  await sleep(1_000)
  t.equal(await terminate(t, server), 0)
  await load.ended
  t.equal(ledger.count(503), 20, 'all that came after are refused')
  t.comment(ledger.figures())
  await audit(t, sql, ledger)
})
