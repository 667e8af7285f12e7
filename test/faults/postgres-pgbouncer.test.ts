/** Everything by way of a pooler in transaction mode: each transaction may be on another connection of the database. */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startOwnPostgres } from '../support/embedded-postgres.js'
import { audit, type Ledger, startLoad } from '../support/load.js'
import { PGBOUNCER, startPgbouncer } from '../support/pgbouncer.js'
import { needs } from '../support/requires.js'
import { serve } from '../support/server.js'
import { openPostgres } from '../support/stores.js'
import { underLoad } from './under-load.js'

t.setTimeout(120_000)

t.test('over pgbouncer in transaction mode', { skip: needs(PGBOUNCER) }, async (t) => {
  const postgres = await startOwnPostgres()
  t.teardown(() => postgres.stop())
  const { location, sql } = await openPostgres(t, {}, postgres)
  const pooler = await startPgbouncer(location, 3)
  t.teardown(() => pooler.stop())
  const servers = [await serve(t, { DATABASE_URL: pooler.url }), await serve(t, { DATABASE_URL: pooler.url })]
  const urls = servers.map(({ url }) => url)
  const [url = ''] = urls
  t.equal((await fetch(`${url}/readyz`)).status, 200, 'the schema is found right')

  let ledger: Ledger | undefined
  await t.test(
    'two servers with ten connections each share three, and PostgreSQL is restarted',
    async (t) => {
      const scene = { urls, sql, clients: 30, retry: true, duplicateEvery: 5, longestMs: 16_000 }
      ledger = await underLoad(t, scene, async () => {
        await sleep(3_000)
        await postgres.restart('fast')
      })
      t.equal(ledger.count(null), 0, 'no request was left without an answer')
    },
  )

  await t.test('revocation, lists, replay, export and import', async (t) => {
    const [{ run_id: runId = '' } = {}] = await sql<{ run_id: string }>('select run_id from runs limit 1')
    const call = async (path: string, body?: string, type = 'application/json') => {
      const response = await fetch(`${url}${path}`, {
        ...(body !== undefined && { method: 'POST', body, headers: { 'content-type': type } }),
      })
      return { status: response.status, text: await response.text() }
    }
    const revoked = await call('/v1/admin/revocations', JSON.stringify({ run_id: runId, reason: 'pooled' }))
    t.equal(revoked.status, 201, revoked.text)
    const { revocation_id: id } = JSON.parse(revoked.text) as { revocation_id: string }
    t.equal((await call(`/v1/admin/revocations/${id}/undo`, '{"reason": "back"}')).status, 200)
    for (const path of ['/v1/runs?limit=5', '/v1/series', `/v1/runs/${runId}`]) {
      t.equal((await call(path)).status, 200, path)
    }
    const replayed = await call('/v1/replays', '{"declarations": null}')
    t.equal(replayed.status, 200, replayed.text.slice(0, 300))

    const exported = await call('/v1/export')
    t.equal(exported.status, 200)
    const again = await call('/v1/admin/import', exported.text, 'application/x-ndjson')
    t.equal(again.status, 201, again.text)
    t.match(JSON.parse(again.text), { runs: 0, values: 0 }, 'what is there is skipped')
    const fresh = Array.from({ length: 3_000 }, (_, index) =>
      JSON.stringify({
        series: { test_path: 'tests/other.py', backend: 'cpu', suite: 's' },
        provenance: { commit_sha: 'c'.repeat(40) },
        created_at: new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString(),
        trusted: true,
        values: [{ metric_key: 'm', step: -1, value: index }],
      }),
    )
    // While others work on the same connections.
    if (ledger === undefined) throw new Error('the first part failed')
    const before = ledger.count(201)
    const load = startLoad(t, ledger, { urls, clients: 5 })
    const imported = await call('/v1/admin/import', fresh.join('\n'), 'application/x-ndjson')
    await load.stop()
    t.equal(imported.status, 201, imported.text)
    t.match(JSON.parse(imported.text), { runs: 3_000, values: 3_000 })
    t.ok(ledger.count(201) > before)
    await audit(t, sql, ledger)
  })

  t.match(pooler.log.join(''), /login attempt/)
  t.notMatch(pooler.log.join(''), /unsupported|not allowed|prepared/i, 'the pooler refused nothing')
})
