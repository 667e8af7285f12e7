/** More work than the pool has connections for. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { serve } from '../support/server.js'
import { openPostgres } from '../support/stores.js'
import { underLoad } from './under-load.js'

t.setTimeout(120_000)

t.test('all connections are busy for a while: the rest waits, or is refused in time', async (t) => {
  const { location, sql, ownerUrl } = await openPostgres(t)
  const { url } = await serve(t, { DATABASE_URL: location, DATABASE_POOL_SIZE: '2' })
  const holder = new pg.Client({ connectionString: ownerUrl ?? '' })
  await holder.connect()
  t.teardown(() => holder.end())
  // 8 seconds for a connection, 5 for the lock, 2 for a judgement without a store.
  const scene = { urls: [url], sql, clients: 30, retry: true, longestMs: 16_000 }
  const ledger = await underLoad(t, scene, async () => {
    await holder.query('begin; lock table submission_keys in access exclusive mode')
    await sleep(11_000)
    await holder.query('rollback')
  })
  t.ok(ledger.count(503) > 0, 'some were refused')
  t.equal(ledger.count(null), 0, 'no request was left without an answer')
})

t.test('PostgreSQL has fewer connections than the pool may open', async (t) => {
  const { location, sql } = await openPostgres(t)
  const database = new URL(location).pathname.slice(1)
  const { url } = await serve(t, { DATABASE_URL: location })
  // The audit needs two of them.
  await sql(`alter database ${database} connection limit 5`)
  const scene = { urls: [url], sql, clients: 20, retry: true, longestMs: 16_000 }
  const ledger = await underLoad(t, scene, async () => {
    await sleep(3_000)
    await sql(`alter database ${database} connection limit -1`)
  })
  t.equal(ledger.count(null), 0, 'no request was left without an answer')
})
