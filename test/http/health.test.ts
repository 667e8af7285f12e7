import t from 'tap'
import { openClient, problemOf } from './support.js'

t.test('readiness tells its reason, and when to ask again', async (t) => {
  const { call, gatehouse, app } = await openClient(t)
  const ready = await call('/readyz')
  t.equal(ready.statusCode, 200)
  t.match(ready.json(), { status: 'ready', store: 'sqlite' })

  const reasons = [
    'the database cannot be reached',
    'the schema is incomplete: apply migrations-external/002_gatehouse.sql',
    'this program is older than the database: its schema has version 4, and this program knows up to 3; run the newer release',
  ]
  for (const reason of reasons) {
    gatehouse.store.checkReady = () => Promise.resolve({ ready: false, reason })
    const refused = await call('/readyz')
    t.equal(problemOf(t, refused, 503, 'unavailable').detail, `not ready: ${reason}`)
    t.match(refused.headers['retry-after'], /^\d+$/)
  }

  app.drain.begin()
  t.match(problemOf(t, await call('/readyz'), 503, 'unavailable').detail, /shutting down/)
  t.equal((await call('/healthz')).statusCode, 200)
  t.equal((await call('/metrics')).statusCode, 200, 'the last figures can still be read')
})
