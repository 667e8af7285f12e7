/** Someone else has the lock of a SQLite file. */
import { setTimeout as sleep } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import t from 'tap'
import { serve } from '../support/server.js'
import { openSqlite } from '../support/stores.js'
import { underLoad } from './under-load.js'

t.setTimeout(120_000)

t.test('the write lock is held for twelve seconds', async (t) => {
  const { location, sql } = await openSqlite(t)
  const { url } = await serve(t, { DATABASE_URL: `sqlite:${location}` })
  const holder = new BetterSqlite3(location, { timeout: 5_000 })
  t.teardown(() => void holder.close())
  // 5 seconds for the lock, 2 for a judgement without it.
  const scene = { urls: [url], sql, clients: 20, retry: true, longestMs: 9_000 }
  const ledger = await underLoad(t, scene, async (ledger) => {
    holder.exec('begin immediate')
    // Answers of what was committed before.
    await sleep(300)
    const before = ledger.count(201)
    await sleep(12_000)
    t.equal(ledger.count(201), before, 'nothing is acknowledged meanwhile')
    t.equal((await fetch(`${url}/v1/runs?limit=3`)).status, 200, 'reading needs no lock')
    holder.exec('rollback')
  })
  t.ok(ledger.count(503) > 0)
  t.equal(ledger.count(null), 0, 'no request was left without an answer')
})
