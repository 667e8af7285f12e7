import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openClient, problemOf } from './support.js'

t.test('under overload new work is refused, health is told, and it passes', async (t) => {
  const { call } = await openClient(t, { deps: { pressure: { eventLoopDelayMs: 40 } } })
  t.equal((await call('/v1/runs')).statusCode, 200)
  for (let i = 0; i < 14; i++) {
    const until = performance.now() + 150
    while (performance.now() < until);
    await sleep(0)
  }
  const refused = await call('/v1/runs')
  problemOf(t, refused, 503, 'unavailable')
  t.match(refused.headers['retry-after'], /^\d+$/)
  t.equal((await call('/healthz')).statusCode, 200)
  t.equal((await call('/readyz')).statusCode, 200)
  for (let i = 0; i < 20 && (await call('/v1/runs')).statusCode === 503; i++) await sleep(300)
  t.equal((await call('/v1/runs')).statusCode, 200)
})

t.test('where too many transactions wait for a connection, new work is refused', async (t) => {
  const { call, gatehouse } = await openClient(t)
  const pool = { name: 'primary', gate: true, size: 10, idle: 0, waiting: 500 }
  let pools = [pool]
  gatehouse.store.pools = () => pools
  problemOf(t, await call('/v1/runs'), 503, 'unavailable')
  t.match((await call('/metrics')).body, /refused_total\{reason="pool_queue"\} 1/)
  for (const url of ['/healthz', '/docs', '/openapi.json']) t.equal((await call(url)).statusCode, 200, url)
  pools = [
    { ...pool, waiting: 499 },
    { ...pool, name: 'long', gate: false, waiting: 5_000 },
  ]
  t.equal(
    (await call('/v1/runs')).statusCode,
    200,
    'exports, and lists of a replica that hangs, wait for each other alone',
  )
})
