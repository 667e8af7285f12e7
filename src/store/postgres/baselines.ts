/** The reads that a gate waits for. */
import { sql, type RawBuilder } from 'kysely'
import type { Baseline, Coordinate, Series } from '../../gate/run.js'
import { readBaselines, readSteps, searchPlan, type BaselineRow } from '../queries/baselines.js'
import type { Database } from '../queries/dialect.js'
import { postgresCodec } from './codec.js'

const { hasTime, timeText } = postgresCodec

/** Not NaN, not infinite, not null: PostgreSQL counts NaN as greater than infinity. */
export const isFinite = sql<boolean>`(m.value > '-infinity'::double precision and m.value < 'infinity'::double precision)`

/**
 * One statement; `searchPlan` says how it searches.
 *
 * The planner is left no choice: the walk is a subquery that only the baseline index can put in order, and a look-up is
 * lateral with an offset, which cannot become a join. Left to itself it guesses by statistics that know nothing of how
 * the three columns of a series go together, and reads all runs of a series for each coordinate, or all runs newer than
 * those of a series that rests.
 */
export async function recentTrustedValues(
  db: Database,
  series: Series,
  coordinates: readonly Coordinate[],
  limit: number,
): Promise<Baseline[]> {
  const { nearRuns, few } = searchPlan(limit)
  const inSeries = trustedIn(series)
  const beyondNear = sql`(r.created_at, r.run_id collate "C") < (select created_at, ordered_id from near_end)`
  const newest = sql`order by r.trusted, r.created_at desc, r.ordered_id desc, m.value desc limit ${limit}`
  const { rows } = await sql<BaselineRow>`
    with wanted as materialized (
      select c.metric_key, c.step, c.position::integer - 1 as position
      from unnest(
        ${coordinates.map(({ metricKey }) => metricKey)}::text[],
        ${coordinates.map(({ step }) => step)}::bigint[]
      ) with ordinality as c (metric_key, step, position)
    ),
    near_end as materialized (
      select created_at, ordered_id from ${walk(inSeries, sql`limit 1 offset ${nearRuns - 1}`)} r
    ),
    near as materialized (
      select c.position, w.*
      from wanted c
      cross join lateral (
        select r.run_id, r.created_at, m.value
        from ${walk(inSeries, sql`limit ${nearRuns}`)} r
        cross join lateral ${finiteValues('c', 'r')} m
        ${newest}
      ) w
    ),
    short as materialized (
      select c.position, c.metric_key, c.step, (
        select count(*) from (
          select from metric_values m
          where m.metric_key = c.metric_key and m.step = c.step limit ${few + 1}
        ) held
      ) as holders
      from wanted c
      left join (select position, count(*) as n from near group by position) found using (position)
      where exists (select from near_end) and coalesce(found.n, 0) < ${limit}
    ),
    far as (
      select c.position, w.*
      from short c
      cross join lateral (
        select r.run_id, r.created_at, m.value
        from metric_values m
        cross join lateral (
          select r.run_id, r.created_at, r.trusted, r.run_id collate "C" as ordered_id from runs r
          where r.run_id = m.run_id and ${inSeries}
          offset 0
        ) r
        where c.holders <= ${few} and (r.created_at, r.ordered_id) < (select created_at, ordered_id from near_end)
          and m.metric_key = c.metric_key and m.step = c.step and ${isFinite}
        ${newest}
      ) w
      union all
      select c.position, w.*
      from short c
      cross join lateral (
        select r.run_id, r.created_at, m.value
        from ${walk(sql`${inSeries} and ${beyondNear}`)} r
        cross join lateral ${finiteValues('c', 'r')} m
        where c.holders > ${few}
        ${newest}
      ) w
    ),
    non_finite as materialized (
      select c.position, m.run_id
      from wanted c
      join metric_values m on m.metric_key = c.metric_key and m.step = c.step and ${isFinite} is not true
    )
    select b.position, b.run_id, ${timeText('b.created_at')} as created_at, b.value
    from (
      select * from near
      union all
      select * from far
      union all
      select n.position, r.run_id, r.created_at, null
      from non_finite n
      cross join lateral (
        select r.run_id, r.created_at from runs r where r.run_id = n.run_id and ${inSeries} offset 0
      ) r
    ) b
    order by b.position, b.created_at desc, b.run_id collate "C" desc, b.value desc nulls last`.execute(db)
  return readBaselines(rows, coordinates.length, limit)
}

export async function newestTrustedSteps(
  db: Database,
  series: Series,
  metricKeys: readonly string[],
): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ metric_key: string; step: number }>`
    select distinct c.metric_key collate "C" as metric_key, m.step
    from unnest(${[...new Set(metricKeys)]}::text[]) as c (metric_key)
    cross join lateral (
      select r.run_id
      from ${walk(trustedIn(series))} r
      cross join lateral (
        select from metric_values m
        where m.run_id = r.run_id and m.metric_key = c.metric_key and m.step >= 0 limit 1
      ) held
      order by r.trusted, r.created_at desc, r.ordered_id desc
      limit 1
    ) newest
    join metric_values m on m.run_id = newest.run_id and m.metric_key = c.metric_key and m.step >= 0
    order by 1, 2`.execute(db)
  return readSteps(rows)
}

/** The runs `r` that match, newest first; ordered as the baseline index alone is. */
export function walk(matching: RawBuilder<unknown>, limit: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  return sql`(
    select r.run_id, r.created_at, r.trusted, r.run_id collate "C" as ordered_id
    from runs r
    where ${matching}
    order by r.trusted, r.created_at desc, r.run_id collate "C" desc
    ${limit}
  )`
}

/** The finite values `m` of one coordinate in one run. */
export function finiteValues(coordinate: string, run: string): RawBuilder<unknown> {
  return sql`(
    select m.value
    from metric_values m
    where m.run_id = ${sql.ref(`${run}.run_id`)} and m.metric_key = ${sql.ref(`${coordinate}.metric_key`)}
      and m.step = ${sql.ref(`${coordinate}.step`)} and ${isFinite}
    offset 0
  )`
}

/**
 * The trusted runs `r` of one exact series. Not `trusted = true`: that would leave the order to `created_at` alone,
 * which the index of all runs by time has too.
 */
function trustedIn({ testPath, backend, suite }: Series): RawBuilder<boolean> {
  return sql<boolean>`r.test_path = ${testPath} and r.backend = ${backend} and r.suite = ${suite}
    and r.trusted >= true and ${hasTime('r.created_at')}`
}
