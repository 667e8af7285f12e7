/** Connections that PostgreSQL ends: while they are idle, and in the middle of their transactions. */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { serve } from '../support/server.js'
import { openPostgres, superuserUrl, terminateAll } from '../support/stores.js'
import { underLoad } from './under-load.js'

t.setTimeout(120_000)

t.test('connections are ended again and again, idle ones and those in a transaction', async (t) => {
  const { location, sql } = await openPostgres(t)
  const admin = await superuserUrl(location)
  const { url, log } = await serve(t, { DATABASE_URL: location })
  let ended = 0
  const scene = { urls: [url], sql, clients: 20, retry: true, longestMs: 16_000 }
  const ledger = await underLoad(t, scene, async () => {
    for (let i = 0; i < 25; i++) {
      ended += await terminateAll(admin)
      await sleep(40 + ((i * 37) % 200))
    }
  })
  t.equal(ledger.count(null), 0, 'no request was left without an answer')
  t.ok(ended > 50, `${ended} connections were ended under load`)

  // Now all of them are idle.
  await sleep(300)
  const idle = await terminateAll(admin)
  t.ok(idle > 0, `${idle} idle connections were ended`)
  await sleep(200)
  const begun = performance.now()
  t.equal((await ledger.submit(url, ledger.next())).status, 201)
  t.ok(performance.now() - begun < 2_000, 'the next request gets a new one')
  t.match(log.join('\n'), /an idle database connection failed/, 'the log tells of it')
})
