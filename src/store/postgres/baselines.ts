/** The reads that a gate waits for. */
import { sql, type RawBuilder } from 'kysely'
import type { Baseline, Coordinate, Series } from '../../gate/run.js'
import { readBaselines, readSteps, searchPlan, type BaselineRow } from '../queries/baselines.js'
import type { Database } from '../queries/dialect.js'
import { postgresCodec } from './codec.js'

const { hasTime, timeText } = postgresCodec

/** Not NaN, not infinite, not null: PostgreSQL counts NaN as greater than infinity. */
export const isFinite = sql<boolean>`(m.value > '-infinity'::double precision and m.value < 'infinity'::double precision)`

/** One statement; `searchPlan` says how it searches. */
export async function recentTrustedValues(
  db: Database,
  series: Series,
  coordinates: readonly Coordinate[],
  limit: number,
): Promise<Baseline[]> {
  const { nearRuns, few } = searchPlan(limit)
  const inSeries = trustedIn(series)
  /** The newest of a coordinate `c` on one side of the near runs' end. */
  const newest = (side: RawBuilder<unknown>) => sql`
    select r.run_id, r.created_at, m.value
    from runs r
    join metric_values m on m.run_id = r.run_id
    where m.metric_key = c.metric_key and m.step = c.step and ${inSeries} and ${isFinite} and ${side}
    order by r.created_at desc, r.run_id collate "C" desc, m.value desc
    limit ${limit}`
  const { rows } = await sql<BaselineRow>`
    with wanted as materialized (
      select c.metric_key, c.step, c.position::integer - 1 as position
      from unnest(
        ${coordinates.map(({ metricKey }) => metricKey)}::text[],
        ${coordinates.map(({ step }) => step)}::bigint[]
      ) with ordinality as c (metric_key, step, position)
    ),
    near_end as materialized (
      select r.created_at
      from runs r
      where ${inSeries}
      order by r.created_at desc
      limit 1 offset ${nearRuns - 1}
    ),
    near as materialized (
      select c.position, w.run_id, w.created_at, w.value
      from wanted c
      cross join lateral (
        ${newest(sql`r.created_at >= coalesce((select created_at from near_end), '-infinity')`)}
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
      select c.position, w.run_id, w.created_at, w.value
      from short c
      cross join lateral (
        select r.run_id, r.created_at, m.value
        from metric_values m
        -- Lateral and with an offset, so that the planner cannot turn the join around and walk the runs after all.
        cross join lateral (
          select r.run_id, r.created_at from runs r
          where r.run_id = m.run_id and ${inSeries} and r.created_at < (select created_at from near_end)
          offset 0
        ) r
        where c.holders <= ${few} and m.metric_key = c.metric_key and m.step = c.step and ${isFinite}
        order by r.created_at desc, r.run_id collate "C" desc, m.value desc
        limit ${limit}
      ) w
      union all
      select c.position, w.run_id, w.created_at, w.value
      from short c
      cross join lateral (
        ${newest(sql`r.created_at < (select created_at from near_end) and c.holders > ${few}`)}
      ) w
    )
    select b.position, b.run_id, ${timeText('b.created_at')} as created_at, b.value
    from (
      select * from near
      union all
      select * from far
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

/** The trusted runs `r` of one exact series. */
function trustedIn({ testPath, backend, suite }: Series): RawBuilder<boolean> {
  return sql<boolean>`r.test_path = ${testPath} and r.backend = ${backend} and r.suite = ${suite}
    and r.trusted and ${hasTime('r.created_at')}`
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
      from runs r
      where ${trustedIn(series)}
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
