/** The way to PostgreSQL is slow, silent, or forgets its connections. */
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { serve } from '../support/server.js'
import { openPostgres } from '../support/stores.js'
import { TcpProxy } from '../support/tcp-proxy.js'
import { underLoad } from './under-load.js'

t.setTimeout(180_000)

async function overProxy(t: Test, clients: number) {
  const { location, sql } = await openPostgres(t)
  const proxy = await TcpProxy.start(location)
  t.teardown(() => proxy.close())
  const { url } = await serve(t, { DATABASE_URL: proxy.url })
  return {
    proxy,
    scene: {
      urls: [url],
      sql,
      clients,
      retry: true,
      // 4 to learn whose request it is over the slowest way here, then 12 of trying, 13 for the statement that began last,
      // and 2 for a judgement without a store.
      longestMs: 31_000,
    },
  }
}

t.test('100 ms of delay each way, and 64 KiB a second', async (t) => {
  const { proxy, scene } = await overProxy(t, 10)
  const ledger = await underLoad(t, scene, async () => {
    proxy.slowDown({ delayMs: 100, bytesPerSecond: 65_536 })
    await sleep(8_000)
    proxy.slowDown({})
  })
  t.equal(ledger.count(null), 0)
  t.equal(ledger.count(503), 0, 'slow is no failure')
})

t.test('so slow that nothing gets through in time', async (t) => {
  const { proxy, scene } = await overProxy(t, 20)
  const ledger = await underLoad(t, scene, async () => {
    proxy.slowDown({ delayMs: 1_500, bytesPerSecond: 500 })
    await sleep(20_000)
    proxy.slowDown({})
  })
  t.equal(ledger.count(null), 0)
})

t.test('silent: everything is swallowed for a while', async (t) => {
  const { proxy, scene } = await overProxy(t, 20)
  const ledger = await underLoad(t, scene, async () => {
    proxy.freeze()
    await sleep(4_000)
    proxy.thaw()
  })
  t.equal(ledger.count(null), 0)
  t.equal(ledger.count(503), 0, 'a pause of four seconds is waited for')
})

t.test('silent: for longer than anyone waits', async (t) => {
  const { proxy, scene } = await overProxy(t, 20)
  const ledger = await underLoad(t, scene, async () => {
    proxy.freeze()
    await sleep(20_000)
    proxy.thaw()
  })
  t.equal(ledger.count(null), 0)
  t.ok(ledger.count(503) > 0)
})

t.test('idle connections are forgotten, and a new one takes six seconds', async (t) => {
  const { proxy, scene } = await overProxy(t, 10)
  const ledger = await underLoad(t, scene, async () => {
    proxy.slowDown({ connectMs: 6_000 })
    proxy.cut()
    await sleep(500)
  })
  t.equal(ledger.count(null), 0)
  t.equal(ledger.count(503), 0, 'a cold start of six seconds is waited for')
})

t.test('connections in use are forgotten in silence', async (t) => {
  const { proxy, scene } = await overProxy(t, 10)
  const ledger = await underLoad(t, scene, async () => {
    proxy.forget()
    await sleep(100)
  })
  t.equal(ledger.count(null), 0)
})

t.test('idle connections are forgotten in silence', async (t) => {
  const { proxy, scene } = await overProxy(t, 10)
  const ledger = await underLoad(t, scene, () => Promise.resolve())
  await sleep(1_500)
  t.ok(proxy.connections > 5, `${proxy.connections} connections`)
  proxy.forget()
  const begun = performance.now()
  t.equal((await ledger.submit(scene.urls[0] ?? '', ledger.next())).status, 201)
  const took = performance.now() - begun
  t.comment(`the first request took ${Math.round(took)} ms`)
  t.ok(took < 6_000, 'the first one finds out and takes another')
  const next = performance.now()
  t.equal((await ledger.submit(scene.urls[0] ?? '', ledger.next())).status, 201)
  t.ok(performance.now() - next < 1_000, 'and nobody after it has to')
})
