/** The copy of the history by vectors; the triggers that keep it right stand in `schema.ts`. */
import { CompiledQuery, sql, type RawBuilder } from 'kysely'
import type { Series, Timestamp } from '../../gate/run.js'
import { MAX_LOOSE_RUNS, once, type CopiedMetric, type CopiedRun, type LooseValue } from '../gate-history.js'
import { seriesText, type VectorRow } from '../queries/copies.js'
import type { Copies, Database } from '../queries/dialect.js'
import { readNumber } from '../queries/rows.js'
import { statement } from '../queries/statement.js'

interface CopyRow {
  readonly position: number
  readonly runs: string
  readonly bytes: Buffer | null
  readonly run_id: string
  readonly created_at: string
  readonly step: number
  readonly value: unknown
}

/**
 * One statement; copies are chosen by their ids, and only then read. A row a metric: to hand over a row a run took most
 * of a small verdict's time. `||` and `group_concat` take bytes for a text and never look into it; the cast says again
 * what they are.
 */
const selectCopies = statement((_db, values: Series & { key: string; metricKeys: string; limit: number }) => {
  const { key, metricKeys, testPath, backend, suite, limit } = values
  const wanted = sql`json_each(${metricKeys}) c`
  const trusted = sql`r.test_path = ${testPath} and r.backend = ${backend} and r.suite = ${suite} and r.trusted = 1`
  return sql<CopyRow>`
      with uncopied as materialized (
        select u.run_id from uncopied_runs u where u.series_key = ${key} limit ${MOST_LOOSE} + 1
      )
      select c.key as position,
        json_group_array(json_array(v.run_id, v.created_at, length(v.steps), length(v.vals))) as runs,
        cast(group_concat(v.steps || v.vals, '') as blob) as bytes,
        null as run_id, null as created_at, null as step, null as value
      from ${wanted}
      cross join run_vectors v on v.rowid in (
        select w.rowid
        from run_vectors w indexed by run_vectors_newest
        cross join runs r on r.run_id = w.run_id
        where w.series_key = ${key} and w.metric_key = c.value and ${trusted}
        order by w.created_at desc, w.run_id desc
        limit ${limit}
      )
      group by c.key
      union all
      select c.key, null, null, r.run_id, r.created_at, m.step, m.value
      from uncopied u
      cross join runs r on r.run_id = u.run_id
      cross join ${wanted}
      cross join metric_values m indexed by metric_values_coordinate
        on m.run_id = r.run_id and m.metric_key = c.value
      where ${trusted} and (select count(*) from uncopied) <= ${MOST_LOOSE}
      union all
      select -1, null, null, null, null, (select count(*) from uncopied), null`
})
const MOST_LOOSE = sql.lit(MAX_LOOSE_RUNS)

export async function readCopies(
  db: Database,
  now: Timestamp,
  series: Series,
  metricKeys: readonly string[],
  limit: number,
): Promise<Copies> {
  const key = seriesText(series)
  const rows = await selectCopies(db, { ...series, key, metricKeys: JSON.stringify(metricKeys), limit })
  const copied: CopiedMetric[] = []
  const loose: LooseValue[] = []
  const readRuns = once((text: string) => JSON.parse(text) as CopiedRun[])
  let uncopied = 0
  for (const row of rows) {
    if (row.position < 0) uncopied = row.step
    else {
      const metricKey = metricKeys[row.position]!
      const { runs, bytes, run_id: runId, created_at: createdAt, step, value } = row
      if (bytes !== null) copied.push({ metricKey, runs: readRuns(runs), bytes })
      else loose.push({ metricKey, runId, createdAt, step, value: readNumber(value) })
    }
  }
  return { now, copied, loose: uncopied > MAX_LOOSE_RUNS ? null : loose }
}

/** Takes the runs off the list of those that have no copy. */
export async function insertVectors(db: Database, rows: readonly VectorRow[]): Promise<void> {
  for (const { series, metricKey, createdAt, runId, steps, vals } of rows) {
    const parameters = [seriesText(series), metricKey, createdAt, runId, steps, vals]
    await db.executeQuery(CompiledQuery.raw(INSERT, parameters))
  }
  for (const runId of new Set(rows.map((row) => row.runId))) {
    await db.executeQuery(CompiledQuery.raw('delete from uncopied_runs where run_id = ?', [runId]))
  }
}

const INSERT = `insert into run_vectors (series_key, metric_key, created_at, run_id, steps, vals)
  values (?, ?, ?, ?, ?, ?)`

export function uncopiedRuns(limit: number): RawBuilder<unknown> {
  return sql`(
    select r.run_id, r.test_path, r.backend, r.suite, r.created_at
    from uncopied_runs u
    cross join runs r on r.run_id = u.run_id
    order by u.run_id
    limit ${limit}
  )`
}
