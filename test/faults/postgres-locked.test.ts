/** A table that someone else locks for a minute. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { audit, Ledger, watchHealth } from '../support/load.js'
import { serve } from '../support/server.js'
import { openPostgres } from '../support/stores.js'

t.setTimeout(180_000)

const LOCKED_MS = 60_000
const POSTS = 50

/** 8 seconds for a connection, 5 for the lock, 2 for a judgement without a store. */
const LONGEST_MS = 16_000

t.test('a table locked for 60 seconds and 50 posts at once, twice', async (t) => {
  const { location, sql, ownerUrl } = await openPostgres(t)
  const { url } = await serve(t, { DATABASE_URL: location })
  const ledger = new Ledger()
  const post = () => Promise.all(Array.from({ length: POSTS }, () => ledger.submit(url, ledger.next())))
  await post()
  t.equal(ledger.count(201), POSTS)

  const holder = new pg.Client({ connectionString: ownerUrl ?? '' })
  await holder.connect()
  const health = watchHealth(t, url)
  await holder.query('begin; lock table runs in access exclusive mode')
  const locked = performance.now()
  await post()
  t.equal(ledger.count(503), POSTS, 'all are refused')
  t.comment(`first: ${ledger.figures()}`)
  const readiness = performance.now()
  await (await fetch(`${url}/readyz`)).text()
  t.ok(performance.now() - readiness < 4_000, 'readiness is told in time')

  // The second time, the lock goes while they wait.
  await sleep(locked + LOCKED_MS - 3_000 - performance.now())
  const second = post()
  await sleep(locked + LOCKED_MS - performance.now())
  t.equal((await sql('select 1 from pg_locks where relation = $1::regclass and granted', ['runs'])).length, 1)
  await holder.query('rollback')
  const freed = performance.now()
  await holder.end()
  const waited = await second
  t.ok(
    waited.every(({ status }) => status === 201),
    'what waits when the lock goes is taken',
  )
  await post()
  await health.stop()
  t.comment(
    `${ledger.figures()}; first acknowledged ${Math.round(ledger.recoveryMs(freed))} ms after the lock`,
  )
  t.equal(ledger.count(201), 3 * POSTS)
  t.equal(ledger.count(503), POSTS)
  t.ok(ledger.recoveryMs(freed) < 2_000, 'it goes on without a restart')
  t.ok(ledger.longestMs < LONGEST_MS, `every answer came within ${LONGEST_MS} ms`)
  await audit(t, sql, ledger)
})
