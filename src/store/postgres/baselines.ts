/** The reads that a gate waits for. */
import { sql } from 'kysely'
import type { Baseline, Coordinate, Series } from '../../gate/run.js'
import { readBaselines, readSteps, type BaselineRow } from '../queries/baselines.js'
import type { Database } from '../queries/dialect.js'
import { postgresCodec } from './codec.js'

const { hasTime, timeText } = postgresCodec

/** Not NaN, not infinite, not null: PostgreSQL counts NaN as greater than infinity. */
export const isFinite = sql<boolean>`(m.value > '-infinity'::double precision and m.value < 'infinity'::double precision)`

/**
 * For each coordinate: walks the series' trusted runs newest first, looks its value up in each, and stops when it has
 * enough. Ranking all values of the series by a window function was rejected: it reads the whole history.
 */
export async function recentTrustedValues(
  db: Database,
  series: Series,
  coordinates: readonly Coordinate[],
  limit: number,
): Promise<Baseline[]> {
  const { testPath, backend, suite } = series
  const inSeries = sql`r.test_path = ${testPath} and r.backend = ${backend} and r.suite = ${suite}
    and r.trusted and ${hasTime('r.created_at')}`
  const { rows } = await sql<BaselineRow>`
    with wanted as materialized (
      select c.metric_key, c.step, c.position::integer - 1 as position
      from unnest(
        ${coordinates.map(({ metricKey }) => metricKey)}::text[],
        ${coordinates.map(({ step }) => step)}::bigint[]
      ) with ordinality as c (metric_key, step, position)
    )
    select b.position, b.run_id, ${timeText('b.created_at')} as created_at, b.value
    from (
      select c.position, w.run_id, w.created_at, w.value
      from wanted c
      cross join lateral (
        select r.run_id, r.created_at, m.value
        from runs r
        join metric_values m on m.run_id = r.run_id and m.metric_key = c.metric_key and m.step = c.step
        where ${inSeries} and ${isFinite}
        order by r.created_at desc, r.run_id collate "C" desc, m.value desc
        limit ${limit}
      ) w
      union all
      select c.position, r.run_id, r.created_at, null
      from wanted c
      join metric_values m on m.metric_key = c.metric_key and m.step = c.step and ${isFinite} is not true
      join runs r on r.run_id = m.run_id
      where ${inSeries}
    ) b
    order by b.position, b.created_at desc, b.run_id collate "C" desc, b.value desc nulls last`.execute(db)
  return readBaselines(rows, coordinates.length, limit)
}

export async function newestTrustedSteps(
  db: Database,
  series: Series,
  metricKeys: readonly string[],
): Promise<Map<string, number[]>> {
  const { testPath, backend, suite } = series
  const { rows } = await sql<{ metric_key: string; step: number }>`
    select distinct c.metric_key collate "C" as metric_key, m.step
    from unnest(${[...new Set(metricKeys)]}::text[]) as c (metric_key)
    cross join lateral (
      select r.run_id
      from runs r
      where r.test_path = ${testPath} and r.backend = ${backend} and r.suite = ${suite} and r.trusted
        and ${hasTime('r.created_at')}
        and exists (
          select from metric_values w
          where w.run_id = r.run_id and w.metric_key = c.metric_key and w.step >= 0
        )
      order by r.created_at desc, r.run_id collate "C" desc
      limit 1
    ) newest
    join metric_values m on m.run_id = newest.run_id and m.metric_key = c.metric_key and m.step >= 0
    order by 1, 2`.execute(db)
  return readSteps(rows)
}
