/** The copy of the history by vectors, as `migrations-external/005_vectors.sql` keeps it. */
import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Series } from '../../gate/run.js'
import { MAX_LOOSE_RUNS, once, type CopiedMetric, type LooseValue } from '../gate-history.js'
import { seriesText, type VectorRow } from '../queries/copies.js'
import type { Copies, Database } from '../queries/dialect.js'
import { statement } from '../queries/statement.js'
import { postgresCodec } from './codec.js'
import { packedRun, unpackRuns } from './packed-runs.js'

const { hasTime, timeText } = postgresCodec

/** As `gatehouse_series_key` makes it. */
function seriesKey(series: Series): string {
  return createHash('md5').update(seriesText(series)).digest('hex')
}

interface CopyRow {
  readonly kind: 'copy' | 'loose' | 'end'
  readonly position: number
  readonly runs: Buffer
  readonly bytes: Buffer
  readonly run_id: string
  readonly created_at: string
  readonly step: number
  readonly value: number | null
}

/**
 * One statement, so that clock, copies and what has none are of one moment. Copies are walked newest first by their own
 * index, however long the history is and however seldom it holds the metric; each is held to its run, which tells the
 * trust. A run that is on the list of those without a copy is read by its rows, whatever there is: a writer in a
 * transaction of one snapshot puts it there, and cannot take away a copy that was made since its snapshot.
 */
const selectCopies = statement(
  (_db, values: Series & { key: string; metricKeys: readonly string[]; limit: number }) => {
    const { metricKeys, testPath, backend, suite, limit } = values
    const key = sql`${values.key}::uuid`
    const wanted = sql`unnest(${metricKeys}::text[]) with ordinality as c (metric_key, position)`
    const trustedRun = (alias: string) => sql`(
      select r.run_id, r.created_at from runs r
      where r.run_id = ${sql.ref(`${alias}.run_id`)} and r.trusted
        and r.test_path = ${testPath}::text and r.backend = ${backend}::text and r.suite = ${suite}::text
        and ${hasTime('r.created_at')}
      offset 0
    )`
    return sql<CopyRow>`
      with uncopied as materialized (
        select u.run_id from uncopied_runs u where u.series_key = ${key} limit ${MOST_LOOSE} + 1
      )
      select 'copy' as kind, c.position, v.runs, v.bytes, null as run_id, null as created_at,
        null::bigint as step, null::double precision as value
      from ${wanted}
      cross join lateral (
        select
          string_agg(${packedRun}, '') as runs,
          string_agg(v.steps || v.vals, '') as bytes
        from (
          select v.run_id, v.created_at, v.steps, v.vals
          from run_vectors v
          cross join lateral ${trustedRun('v')} r
          where v.series_key = ${key} and v.metric_key = c.metric_key
            and v.run_id <> all (array(select u.run_id from uncopied u))
          order by v.created_at desc, v.run_id collate "C" desc
          limit ${limit}
        ) v
        having count(*) > 0
      ) v
      union all
      select 'loose', c.position, null, null, r.run_id, ${timeText('r.created_at')}, m.step, m.value
      from uncopied u
      cross join lateral ${trustedRun('u')} r
      cross join ${wanted}
      cross join lateral (
        select m.step, m.value from metric_values m
        where m.run_id = r.run_id and m.metric_key = c.metric_key offset 0
      ) m
      where (select count(*) from uncopied) <= ${MOST_LOOSE}
      union all
      select 'end', (select count(*) from uncopied), null, null, null, ${timeText('clock.now')}, null, null
      from (select clock_timestamp() as now) clock`
  },
)
const MOST_LOOSE = sql.lit(MAX_LOOSE_RUNS)

export async function readCopies(
  db: Database,
  series: Series,
  metricKeys: readonly string[],
  limit: number,
): Promise<Copies> {
  const rows = await selectCopies(db, { ...series, key: seriesKey(series), metricKeys, limit })
  const copied: CopiedMetric[] = []
  const loose: LooseValue[] = []
  const readRuns = once((packed: string) => unpackRuns(Buffer.from(packed, 'latin1')))
  let end: CopyRow | undefined
  for (const row of rows) {
    if (row.kind === 'end') end = row
    else {
      const metricKey = metricKeys[row.position - 1]!
      const { kind, runs, bytes, run_id: runId, created_at: createdAt, step, value } = row
      if (kind === 'copy') copied.push({ metricKey, runs: readRuns(runs.toString('latin1')), bytes })
      else loose.push({ metricKey, runId, createdAt, step, value })
    }
  }
  if (end === undefined) throw new Error('the clock gave no time')
  return { now: end.created_at, copied, loose: end.position > MAX_LOOSE_RUNS ? null : loose }
}

/** One array a column. */
export interface VectorColumns {
  readonly seriesKeys: readonly string[]
  readonly vectorMetrics: readonly string[]
  readonly createdAts: readonly string[]
  readonly runIds: readonly string[]
  readonly vectorSteps: readonly Buffer[]
  readonly vectorValues: readonly Buffer[]
}

export function vectorColumns(rows: readonly VectorRow[]): VectorColumns {
  return {
    seriesKeys: rows.map(({ series }) => seriesKey(series)),
    vectorMetrics: rows.map(({ metricKey }) => metricKey),
    createdAts: rows.map(({ createdAt }) => createdAt),
    runIds: rows.map(({ runId }) => runId),
    vectorSteps: rows.map(({ steps }) => steps),
    vectorValues: rows.map(({ vals }) => vals),
  }
}

/** A table of the columns of `run_vectors`. */
export function vectorsOf(columns: VectorColumns): RawBuilder<unknown> {
  return sql`unnest(
    ${columns.seriesKeys}::uuid[],
    ${columns.vectorMetrics}::text[],
    ${columns.createdAts}::timestamptz[],
    ${columns.runIds}::text[],
    ${columns.vectorSteps}::bytea[],
    ${columns.vectorValues}::bytea[]
  )`
}

/** There are none to be replaced: `uncopiedRuns` leaves out runs that have one nevertheless, which the server's role may not delete. */
export async function replaceVectors(db: Database, rows: readonly VectorRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into run_vectors (series_key, metric_key, created_at, run_id, steps, vals)
    select * from ${vectorsOf(vectorColumns(rows))}`.execute(db)
}

/** Of this transaction on, whoever has no copy is on the list, and whoever gets one is taken off it. */
export async function leaveCopiesToTriggers(db: Database): Promise<void> {
  await sql`set local gatehouse.copying = 'off'`.execute(db)
}

/**
 * Held against those who change their values meanwhile; ones that somebody else is copying are left to them. Others
 * than the server's own writes: the trigger takes the runs off the list.
 */
export function uncopiedRuns(limit: number): RawBuilder<unknown> {
  return sql`(
    select r.run_id, r.test_path, r.backend, r.suite, r.created_at
    from uncopied_runs u
    join runs r on r.run_id = u.run_id
    where ${hasTime('r.created_at')} and not exists (select from run_vectors v where v.run_id = u.run_id)
    order by u.run_id
    limit ${limit}
    for update of r skip locked
  )`
}
