/** PostgreSQL goes away under load, and comes back. */
import t from 'tap'
import { startOwnPostgres } from '../support/embedded-postgres.js'
import { serve } from '../support/server.js'
import { openPostgres } from '../support/stores.js'
import { underLoad } from './under-load.js'

t.setTimeout(120_000)

const postgres = await startOwnPostgres()
t.teardown(() => postgres.stop())

for (const { what, how, downMs, refusals } of [
  { what: 'a restart is waited for', how: 'fast', downMs: 0, refusals: false },
  { what: 'two seconds without a database are waited for', how: 'fast', downMs: 2_000, refusals: false },
  { what: 'a crash, with its recovery, is waited for', how: 'immediate', downMs: 0, refusals: false },
  { what: 'longer than anyone waits: refused in time', how: 'fast', downMs: 16_000, refusals: true },
] as const) {
  t.test(what, async (t) => {
    const { location, sql } = await openPostgres(t, {}, postgres)
    const { url } = await serve(t, { DATABASE_URL: location })
    // The bound of trying again is 12 seconds, that of a judgement without a store 2.
    const scene = { urls: [url], sql, clients: 20, retry: true, longestMs: 16_000 }
    const ledger = await underLoad(t, scene, () => postgres.restart(how, downMs))
    t.equal(ledger.count(null), 0, 'no request was left without an answer')
    t.equal(ledger.count(503) > 0, refusals, refusals ? 'some were refused' : 'none was refused')
    t.equal((await fetch(`${url}/readyz`)).status, 200)
  })
}
