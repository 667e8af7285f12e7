/** The copy of the history by vectors; the triggers that keep it right stand in `schema.ts`. */
import { CompiledQuery, sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Series, Timestamp } from '../../gate/run.js'
import { MAX_LOOSE_RUNS, once, type CopiedMetric, type CopiedRun, type LooseValue } from '../gate-history.js'
import { seriesText, type VectorRow } from '../queries/copies.js'
import type { Copies, Database } from '../queries/dialect.js'
import { readNumber } from '../queries/rows.js'
import { statement } from '../queries/statement.js'

interface CopyRow {
  /** Of the metric; -1 in the last row, whose `runs` are the ids of those without a copy. */
  readonly position: number
  readonly runs: string
  readonly bytes: Buffer
}

interface LooseRow extends Omit<LooseValue, 'metricKey' | 'value'> {
  readonly position: number
  readonly value: unknown
}

type Question = Series & { key: string; metricKeys: string; limit: number }

function trustedIn({ testPath, backend, suite }: Series) {
  return sql`r.test_path = ${testPath} and r.backend = ${backend} and r.suite = ${suite} and r.trusted = 1`
}

/**
 * Copies are chosen by their ids, and only then read. A row a metric: to hand over a row a run took most of a small
 * verdict's time. `||` and `group_concat` take bytes for a text and never look into it; the cast says again what they
 * are.
 * @param but a condition on the copies `w`
 */
function copiesOf(values: Question, but: RawBuilder<unknown>) {
  return sql<CopyRow>`
    select c.key as position,
      json_group_array(json_array(v.run_id, v.created_at, length(v.steps), length(v.vals))) as runs,
      cast(group_concat(v.steps || v.vals, '') as blob) as bytes
    from json_each(${values.metricKeys}) c
    cross join run_vectors v on v.rowid in (
      select w.rowid
      from run_vectors w indexed by run_vectors_newest
      cross join runs r on r.run_id = w.run_id
      where w.series_key = ${values.key} and w.metric_key = c.value and ${trustedIn(values)} ${but}
      order by w.created_at desc, w.run_id desc
      limit ${values.limit}
    )
    group by c.key
    union all
    select -1, (select json_group_array(u.run_id) from (${uncopiedIn(values)}) u), null`
}

const selectCopies = statement((_db, values: Question) => copiesOf(values, sql``))

/**
 * A run may be on the list and have a copy: a writer that replaces it while foreign keys are off leaves that behind. Asked
 * only where that was seen, as looking took a tenth of a small verdict's time.
 */
const selectCopiesOfOthers = statement((_db, values: Question) =>
  copiesOf(values, sql`and w.run_id not in (${uncopiedIn(values)})`),
)

/** By itself, as it mostly has nothing to find, and beside the copies cost a quarter of their time. */
const selectLoose = statement(
  (_db, values: Question) => sql<LooseRow>`
    select c.key as position, r.run_id as "runId", r.created_at as "createdAt", m.step, m.value
    from (${uncopiedIn(values)}) u
    cross join runs r on r.run_id = u.run_id
    cross join json_each(${values.metricKeys}) c
    cross join metric_values m indexed by metric_values_coordinate
      on m.run_id = r.run_id and m.metric_key = c.value
    where ${trustedIn(values)}`,
)

function uncopiedIn({ key }: Question) {
  return sql`select u.run_id from uncopied_runs u where u.series_key = ${key} limit ${MOST_LOOSE} + 1`
}
const MOST_LOOSE = sql.lit(MAX_LOOSE_RUNS)

export async function readCopies(
  db: Database,
  now: Timestamp,
  series: Series,
  metricKeys: readonly string[],
  limit: number,
): Promise<Copies> {
  const question = { ...series, key: seriesText(series), metricKeys: JSON.stringify(metricKeys), limit }
  const readRuns = once((text: string) => JSON.parse(text) as CopiedRun[])
  const read = (rows: readonly CopyRow[]) => {
    const copied: CopiedMetric[] = []
    let uncopied: readonly string[] = []
    for (const { position, runs, bytes } of rows) {
      if (position === -1) uncopied = JSON.parse(runs) as string[]
      else copied.push({ metricKey: metricKeys[position]!, runs: readRuns(runs), bytes })
    }
    return { copied, uncopied }
  }
  const { copied: all, uncopied } = read(await selectCopies(db, question))
  if (uncopied.length > MAX_LOOSE_RUNS) return { now, copied: all, loose: null }
  if (uncopied.length === 0) return { now, copied: all, loose: [] }
  const listed = new Set(uncopied)
  const isMixed = all.some(({ runs }) => runs.some(([runId]) => listed.has(runId)))
  const copied = isMixed ? read(await selectCopiesOfOthers(db, question)).copied : all
  const rows = await selectLoose(db, question)
  const loose = rows.map(({ position, value, ...row }) => ({
    ...row,
    metricKey: metricKeys[position]!,
    value: readNumber(value),
  }))
  return { now, copied, loose }
}

/** In the place of what copies there may be. */
export async function replaceVectors(db: Database, rows: readonly VectorRow[]): Promise<void> {
  for (const runId of new Set(rows.map((row) => row.runId))) {
    await db.executeQuery(CompiledQuery.raw('delete from run_vectors where run_id = ?', [runId]))
  }
  await insertVectors(db, rows)
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

/** The columns have no strict types: another writer may have given them anything. */
export function hasUncopiable(runId: string): RawBuilder<SqlBool> {
  return sql`exists (
    select 1 from metric_values m indexed by metric_values_coordinate
    where m.run_id = ${sql.ref(runId)} and (
      typeof(m.metric_key) <> 'text' or typeof(m.step) <> 'integer' or typeof(m.value) not in ('real', 'null')
    )
  )`
}
