/** All runs with their values as a replay takes them: by their copies, and by their rows where there is none. */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ReplayedRun } from '../exchange.js'
import type { RunFilter, StoredRun } from '../runs.js'
import { decodeVector } from '../vectors.js'
import { all } from './conditions.js'
import type { Database, Dialect } from './dialect.js'
import { batches, countValues, newerThan } from './export.js'
import { valuesOfRuns } from './run-contents.js'
import { matchesRun, readRun, selectRuns } from './runs.js'

/** Runs read at once. */
const RUNS = 200

/** Values in memory at once, unless one run alone has more. */
const VALUES = 20_000

type Values = ReplayedRun['values']

export async function* replayRuns(
  db: Database,
  dialect: Dialect,
  filter: RunFilter,
): AsyncGenerator<ReplayedRun, void, undefined> {
  for (let after: StoredRun | undefined; ;) {
    const runs: StoredRun[] = await runsAfter(db, dialect, filter, after)
    const runIds = runs.map(({ runId }) => runId)
    const copied = await countCopied(db, dialect, runIds)
    const uncopied = await countValues(
      db,
      runIds.filter((runId) => !copied.has(runId)),
      dialect,
    )
    for (const some of batches(runs, new Map([...copied, ...uncopied]), VALUES)) {
      const ids = some.map(({ runId }) => runId)
      const byCopies = await copiesOfRuns(
        db,
        dialect,
        ids.filter((runId) => copied.has(runId)),
      )
      const byRows = await valuesOfRuns(
        db,
        dialect,
        ids.filter((runId) => !copied.has(runId)),
      )
      // SQLite answers without ever leaving the event loop: others get their turn here.
      await setImmediate()
      for (const run of some) {
        yield { ...run, values: byCopies.get(run.runId) ?? byRows.get(run.runId) ?? [] }
      }
    }
    after = runs.at(-1)
    if (runs.length < RUNS) return
  }
}

async function runsAfter(
  db: Database,
  dialect: Dialect,
  filter: RunFilter,
  after: StoredRun | undefined,
): Promise<StoredRun[]> {
  const rows = await selectRuns(db, dialect)
    .where(all([...matchesRun(dialect, filter, false), ...newerThan(dialect, after)]))
    .orderBy('r.created_at')
    .orderBy(dialect.byCodePoint('r.run_id'))
    .limit(RUNS)
    .execute()
  return rows.map((row) => readRun(row))
}

/** Those of the runs that have a copy, each with its number of values. */
async function countCopied(
  db: Database,
  dialect: Dialect,
  runIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ run_id: string; bytes: number | string }>`
    select r.run_id, sum(length(v.vals)) as bytes
    from ${dialect.ids('run_id', runIds)} r
    inner join run_vectors v on v.run_id = r.run_id
    where not exists (select 1 from uncopied_runs u where u.run_id = r.run_id)
    group by r.run_id`.execute(db)
  return new Map(rows.map(({ run_id: runId, bytes }) => [runId, Number(bytes) / 8]))
}

async function copiesOfRuns(
  db: Database,
  dialect: Dialect,
  runIds: readonly string[],
): Promise<Map<string, Values>> {
  if (runIds.length === 0) return new Map()
  const { rows } = await sql<{ run_id: string; metric_key: string; steps: Buffer; vals: Buffer }>`
    select v.run_id, v.metric_key, v.steps, v.vals
    from ${dialect.ids('run_id', runIds)} r
    inner join run_vectors v on v.run_id = r.run_id
    order by ${dialect.byCodePoint('v.metric_key')}`.execute(db)
  const values = new Map<string, Array<Values[number]>>(runIds.map((runId) => [runId, []]))
  for (const { run_id: runId, metric_key: metricKey, steps, vals } of rows) {
    const vector = decodeVector(steps, vals)
    const known = values.get(runId)
    for (let at = 0; at < vector.length; at++) {
      known?.push({ metricKey, step: vector.stepAt(at), value: vector.valueAt(at) })
    }
  }
  return values
}
