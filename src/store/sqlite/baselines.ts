/**
 * The reads that a gate waits for. `cross join` is SQLite's way to fix the order of the loops: without statistics it
 * may otherwise begin with `metric_values` and read the whole history.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Baseline, Coordinate, Series } from '../../gate/run.js'
import { readBaselines, readSteps, searchPlan, type BaselineRow } from '../queries/baselines.js'
import type { Database } from '../queries/dialect.js'

/** One statement; `searchPlan` says how it searches. Rows are chosen by their ids, and only then read. */
export async function recentTrustedValues(
  db: Database,
  series: Series,
  coordinates: readonly Coordinate[],
  limit: number,
): Promise<Baseline[]> {
  const { nearRuns, few } = searchPlan(limit)
  const wanted = JSON.stringify(coordinates.map(({ metricKey, step }) => [metricKey, step]))
  const trustedRun = (alias: string) => trustedIn(series, alias)
  const newest = sql`order by s.created_at desc, s.run_id desc, w.value desc limit ${limit}`
  const walk = sql`
    select w.rowid
    from runs s indexed by runs_baseline
    cross join metric_values w indexed by metric_values_coordinate
      on w.run_id = s.run_id and w.metric_key = c.metric_key and w.step = c.step
    where ${trustedRun('s')} and w.value > -9e999 and w.value < 9e999`
  const holders = sql`
    select w.rowid
    from metric_values w indexed by metric_values_holders
    cross join runs s on s.run_id = w.run_id
    where w.metric_key = c.metric_key and w.step = c.step
      and ${trustedRun('s')} and w.value > -9e999 and w.value < 9e999`
  const { rows } = await sql<BaselineRow>`
    with wanted as materialized (
      select key as position, json_extract(value, '$[0]') as metric_key, json_extract(value, '$[1]') as step
      from json_each(${wanted})
    ),
    near_end as materialized (
      select s.created_at
      from runs s indexed by runs_baseline
      where ${trustedRun('s')}
      order by s.created_at desc
      limit 1 offset ${nearRuns - 1}
    ),
    near as materialized (
      select c.position, m.run_id, m.value
      from wanted c
      cross join metric_values m on m.rowid in (
        ${walk} and s.created_at >= coalesce((select created_at from near_end), '') ${newest}
      )
    ),
    short as materialized (
      select c.position, c.metric_key, c.step, (
        select count(*) from (
          select 1 from metric_values w indexed by metric_values_holders
          where w.metric_key = c.metric_key and w.step = c.step limit ${few + 1}
        )
      ) as holders
      from wanted c
      where exists (select 1 from near_end)
        and (select count(*) from near n where n.position = c.position) < ${limit}
    ),
    far as materialized (
      select c.position, m.run_id, m.value
      from short c
      cross join metric_values m on m.rowid in (
        ${holders} and s.created_at < (select created_at from near_end) ${newest}
      )
      where c.holders <= ${few}
      union all
      select c.position, m.run_id, m.value
      from short c
      cross join metric_values m on m.rowid in (
        ${walk} and s.created_at < (select created_at from near_end) ${newest}
      )
      where c.holders > ${few}
    )
    select n.position, r.run_id, r.created_at, n.value
    from near n cross join runs r on r.run_id = n.run_id
    union all
    select n.position, r.run_id, r.created_at, n.value
    from far n cross join runs r on r.run_id = n.run_id
    union all
    select c.position, r.run_id, r.created_at, null
    from wanted c
    cross join metric_values m indexed by metric_values_non_finite
      on m.metric_key = c.metric_key and m.step = c.step
    cross join runs r on r.run_id = m.run_id
    where (m.value is null or m.value >= 9e999 or m.value <= -9e999) and ${trustedRun('r')}
    order by 1, 3 desc, 2 desc, 4 desc`.execute(db)
  return readBaselines(rows, coordinates.length, limit)
}

/** The trusted runs of one exact series. */
function trustedIn({ testPath, backend, suite }: Series, alias: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<boolean>`${column('test_path')} = ${testPath} and ${column('backend')} = ${backend}
    and ${column('suite')} = ${suite} and ${column('trusted')} = 1`
}

export async function newestTrustedSteps(
  db: Database,
  series: Series,
  metricKeys: readonly string[],
): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ metric_key: string; step: number }>`
    select distinct c.value as metric_key, m.step
    from json_each(${JSON.stringify([...new Set(metricKeys)])}) c
    cross join metric_values m indexed by metric_values_coordinate
      on m.run_id = (
        select s.run_id
        from runs s
        where ${trustedIn(series, 's')}
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
