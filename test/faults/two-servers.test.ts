/** Two server processes on one PostgreSQL: duplicates and revocations among parallel submissions. */
import t from 'tap'
import { audit, Ledger, startLoad, watchHealth } from '../support/load.js'
import { serve } from '../support/server.js'
import { openPostgres } from '../support/stores.js'
import { until } from './under-load.js'

t.setTimeout(120_000)

const RUNS = 300
const REVOCATIONS = 10

t.test('50 clients, every third submission sent to both servers at once, and revocations', async (t) => {
  const { location, sql } = await openPostgres(t)
  const env = { DATABASE_URL: location }
  const urls = (await Promise.all([serve(t, env), serve(t, env)])).map(({ url }) => url)
  const health = urls.map((url) => watchHealth(t, url))
  const ledger = new Ledger()
  // Servers that have only just started compile their code while they serve; that is another subject.
  for (let i = 0; i < 20; i++) await ledger.submit(urls[i % 2] ?? '', ledger.next())
  const begun = performance.now()
  const load = startLoad(t, ledger, { urls, clients: 50, retry: true, duplicateEvery: 3, total: RUNS })

  const revoked = new Set<string>()
  const late: string[] = []
  let among = 0
  const revoke = async (number: number) => {
    const known = () => [...ledger.acknowledged.values()].flatMap((ids) => [...ids])
    await until('runs to revoke are acknowledged', () => known().length > number * 5)
    const runId = known()[number * 5] ?? ''
    const [one, other] = number % 2 === 0 ? urls : [...urls].reverse()
    const response = await fetch(`${one}/v1/admin/revocations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ run_id: runId, reason: `bad data ${number}` }),
    })
    t.equal(response.status, 201, await response.text())
    if (ledger.acknowledged.size < RUNS) among++
    revoked.add(runId)
    const run = (await (await fetch(`${other}/v1/runs/${runId}`)).json()) as { trusted: boolean }
    if (run.trusted) late.push(runId)
  }
  await Promise.all(Array.from({ length: REVOCATIONS }, (_, number) => revoke(number)))
  await load.ended
  const took = performance.now() - begun
  for (const watch of health) await watch.stop()
  t.comment(
    `${ledger.figures()}; ${Math.round((RUNS / took) * 1_000)} runs a second; ${revoked.size} revocations`,
  )
  t.ok(among > 3, `${among} revocations were among the submissions`)
  t.same(late, [], 'a revocation bites at once, on the other server too')
  t.equal(ledger.acknowledged.size, RUNS, 'whatever was sent was acknowledged')
  t.equal(ledger.count(null), 0, 'no request was left without an answer')
  t.ok(ledger.longestMs < 16_000, 'every answer came in time')
  await audit(t, sql, ledger)

  const runs = await sql<{ run_id: string; trusted: boolean }>('select run_id, trusted from runs')
  t.same(
    runs.filter(({ run_id, trusted }) => trusted === revoked.has(run_id)),
    [],
    'exactly the revoked runs are untrusted',
  )
  const torn: string[] = []
  for (const { run_id: runId } of runs) {
    const [row] = await sql<{ verdict_id: string }>('select verdict_id from verdicts where run_id = $1', [
      runId,
    ])
    const verdict = (await (await fetch(`${urls[0]}/v1/verdicts/${row?.verdict_id}`)).json()) as {
      checks: ReadonlyArray<{ baseline: { n: number } | null }>
    }
    if (new Set(verdict.checks.map(({ baseline }) => baseline?.n ?? 0)).size !== 1) torn.push(runId)
  }
  t.same(torn, [], 'each verdict saw one state: all twenty coordinates of a run have the same n')
})
