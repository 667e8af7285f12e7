import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { startServer, type Server } from './server.js'
import type { OpenedStore } from './stores.js'

const STEPS = 20
const CLIENTS = 6

/**
 * Kills the process under a stream of submissions, again and again, then looks into the database with plain SQL:
 * every acknowledged run is there whole, and no run is there in part.
 */
export async function killUnderLoad(
  t: Test,
  databaseUrl: string,
  { sql, ownerUrl }: Pick<OpenedStore, 'sql' | 'ownerUrl'>,
  kills: number,
): Promise<void> {
  const acknowledged = new Set<string>()
  let sent = 0
  for (let kill = 1; kill <= kills; kill++) {
    const server = await startServer({ DATABASE_URL: databaseUrl })
    let dead = false
    let answered = 0
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!dead) {
        const runId = await submit(server, ++sent).catch(() => null)
        if (runId === null) continue
        acknowledged.add(runId)
        answered++
      }
    })
    // Once some were answered, at another moment of a transaction each time.
    const wanted = 1 + (kill % 7)
    const patience = performance.now() + 20_000
    while (answered < wanted && performance.now() < patience) await sleep(2)
    await sleep((kill * 7) % 40)
    const ended = server.stop('SIGKILL')
    dead = true
    await Promise.all([ended, ...clients])
  }
  // The last transactions of the dead process may still be ending in PostgreSQL, one way or the other.
  while (ownerUrl !== null && (await isBusy(sql))) await sleep(20)

  const runs = await sql<{ run_id: string; held: number | string }>(
    'select r.run_id, (select count(*) from metric_values v where v.run_id = r.run_id) as held from runs r',
  )
  const verdicts = await sql<{ run_id: string }>('select run_id from verdicts where run_id is not null')
  const keys = await sql<{ verdict_id: string }>('select verdict_id from submission_keys')
  const orphans = await sql('select run_id from metric_values where run_id not in (select run_id from runs)')
  const stored = new Set(runs.map(({ run_id }) => run_id))
  t.ok(
    acknowledged.size >= kills,
    `${acknowledged.size} of ${sent} submissions were acknowledged over ${kills} kills`,
  )
  t.same(
    [...acknowledged].filter((runId) => !stored.has(runId)),
    [],
    'every acknowledged run is there',
  )
  t.same(
    runs.filter(({ held }) => Number(held) !== STEPS),
    [],
    'and whole',
  )
  t.same(orphans, [], 'no value without its run')
  t.same(
    new Set(verdicts.map(({ run_id }) => run_id)),
    stored,
    'each run has its verdict, and each verdict its run',
  )
  t.equal(keys.length, runs.length, 'and its idempotency key')
}

/** Told by locks: the owner may not see what the sessions of another role are doing. */
async function isBusy(sql: OpenedStore['sql']): Promise<boolean> {
  const locks = await sql(
    `select 1 from pg_locks
     where pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())`,
  )
  return locks.length > 0
}

/** Submits one nightly run of its own; answers its id when the server acknowledged it. */
async function submit(server: Server, number: number): Promise<string | null> {
  const response = await fetch(`${server.url}/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      series: { test_path: 'tests/kill.py', backend: 'cpu', suite: `s${number % 3}` },
      provenance: { commit_sha: 'a'.repeat(40), github_run_id: number },
      cadence: 'nightly',
      declarations: [{ metric_key: 'm', steps: 'all', constraint: { rel_up: 0.5, rel_down: 0.5 } }],
      record: [{ metric: 'm', series: Array.from({ length: STEPS }, (_, step) => [step, 1 + step]) }],
    }),
  })
  if (response.status !== 201) return null
  return ((await response.json()) as { run_id: string }).run_id
}
