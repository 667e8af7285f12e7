/** Which coordinates lose their baseline, or fall under the minimum, with the trust of some runs. */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../queries/dialect.js'
import { readImpact, type ImpactRow } from '../queries/impacted-coordinates.js'
import type { ImpactedCoordinate, ImpactSettings } from '../trust.js'

/**
 * Counts no further than it must: after the revocation up to the minimum (a coordinate that has it is not affected),
 * and before it up to the window, for the affected ones alone.
 */
export async function impactedCoordinates(
  db: Database,
  runIds: readonly string[],
  { window, minimum, limit }: ImpactSettings,
): Promise<{ coordinates: ImpactedCoordinate[]; total: number }> {
  const { rows } = await sql<ImpactRow>`
    with revoked as materialized (
      select r.run_id, r.test_path, r.backend, r.suite
      from runs r
      where r.run_id in (select value from json_each(${JSON.stringify(runIds)})) and r.trusted = 1
    ),
    touched as materialized (
      select distinct v.test_path, v.backend, v.suite, m.metric_key, m.step
      from revoked v
      cross join metric_values m indexed by metric_values_coordinate on m.run_id = v.run_id
      where m.value > -9e999 and m.value < 9e999
    ),
    after as materialized (
      select a.*, ${size(sql`s.run_id not in (select run_id from revoked)`, minimum)} as n_after
      from touched a
    ),
    affected as materialized (
      select a.*, ${size(sql`1 = 1`, window)} as n_before
      from after a
      where a.n_after < ${minimum}
    )
    select a.*, count(*) over () as total
    from affected a
    where a.n_after = 0 or a.n_before >= ${minimum}
    order by a.n_after > 0, a.test_path, a.backend, a.suite, a.metric_key, a.step
    limit ${limit}`.execute(db)
  return readImpact(rows)
}

/** The size of the baseline of coordinate `a` over some runs `s`, at most `limit`. */
function size(runs: RawBuilder<unknown>, limit: number): RawBuilder<number> {
  return sql<number>`(
    select count(*) from (
      select 1
      from runs s
      cross join metric_values w indexed by metric_values_coordinate
        on w.run_id = s.run_id and w.metric_key = a.metric_key and w.step = a.step
      where s.test_path = a.test_path and s.backend = a.backend and s.suite = a.suite and s.trusted = 1
        and w.value > -9e999 and w.value < 9e999 and ${runs}
      order by s.created_at desc, s.run_id desc
      limit ${limit}
    )
  )`
}
