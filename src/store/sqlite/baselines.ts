/**
 * The reads that a gate waits for. `cross join` is SQLite's way to fix the order of the loops: without statistics it
 * may otherwise begin with `metric_values` and read the whole history.
 */
import { sql } from 'kysely'
import type { Baseline, Coordinate, Series } from '../../gate/run.js'
import { readBaselines, readSteps, type BaselineRow } from '../queries/baselines.js'
import type { Database } from '../queries/dialect.js'

/**
 * For each coordinate: walks the series' trusted runs newest first, looks its value up in each, and stops when it has
 * enough. Only then are the chosen rows read. Ranking all values of the series by a window function was rejected: it
 * reads the whole history.
 */
export async function recentTrustedValues(
  db: Database,
  series: Series,
  coordinates: readonly Coordinate[],
  limit: number,
): Promise<Baseline[]> {
  const { testPath, backend, suite } = series
  const wanted = JSON.stringify(coordinates.map(({ metricKey, step }) => [metricKey, step]))
  const { rows } = await sql<BaselineRow>`
    with wanted as materialized (
      select key as position, json_extract(value, '$[0]') as metric_key, json_extract(value, '$[1]') as step
      from json_each(${wanted})
    )
    select c.position, r.run_id, r.created_at, m.value
    from wanted c
    cross join metric_values m on m.rowid in (
      select w.rowid
      from runs s
      cross join metric_values w indexed by metric_values_coordinate
        on w.run_id = s.run_id and w.metric_key = c.metric_key and w.step = c.step
      where s.test_path = ${testPath} and s.backend = ${backend} and s.suite = ${suite} and s.trusted = 1
        and w.value > -9e999 and w.value < 9e999
      order by s.created_at desc, s.run_id desc, w.value desc
      limit ${limit}
    )
    cross join runs r on r.run_id = m.run_id
    union all
    select c.position, r.run_id, r.created_at, null
    from wanted c
    cross join metric_values m indexed by metric_values_non_finite
      on m.metric_key = c.metric_key and m.step = c.step
    cross join runs r on r.run_id = m.run_id
    where (m.value is null or m.value >= 9e999 or m.value <= -9e999)
      and r.test_path = ${testPath} and r.backend = ${backend} and r.suite = ${suite} and r.trusted = 1
    order by 1, 3 desc, 2 desc, 4 desc`.execute(db)
  return readBaselines(rows, coordinates.length, limit)
}

export async function newestTrustedSteps(
  db: Database,
  series: Series,
  metricKeys: readonly string[],
): Promise<Map<string, number[]>> {
  const { testPath, backend, suite } = series
  const { rows } = await sql<{ metric_key: string; step: number }>`
    select distinct c.value as metric_key, m.step
    from json_each(${JSON.stringify([...new Set(metricKeys)])}) c
    cross join metric_values m indexed by metric_values_coordinate
      on m.run_id = (
        select s.run_id
        from runs s
        where s.test_path = ${testPath} and s.backend = ${backend} and s.suite = ${suite} and s.trusted = 1
          and exists (
            select 1 from metric_values w indexed by metric_values_coordinate
            where w.run_id = s.run_id and w.metric_key = c.value and w.step >= 0
          )
        order by s.created_at desc, s.run_id desc
        limit 1
      )
      and m.metric_key = c.value and m.step >= 0
    order by 1, 2`.execute(db)
  return readSteps(rows)
}
