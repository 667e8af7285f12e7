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
