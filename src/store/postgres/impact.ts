/** Which coordinates lose their baseline, or fall under the minimum, with the trust of some runs. */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../queries/dialect.js'
import { readImpact, type ImpactRow } from '../queries/impacted-coordinates.js'
import type { ImpactedCoordinate, ImpactSettings } from '../trust.js'
import { finiteValues, isFinite, walk } from './baselines.js'
import { postgresCodec } from './codec.js'

/**
 * Counts no further than it must: after the revocation up to the minimum (a coordinate that has it is not affected),
 * and before it up to the window, for the affected ones alone.
 */
export async function impactedCoordinates(
  db: Database,
  runIds: readonly string[],
  { window, minimum, limit }: ImpactSettings,
): Promise<{ coordinates: ImpactedCoordinate[]; total: number }> {
  const ids = sql`${[...runIds]}::text[]`
  const { rows } = await sql<ImpactRow>`
    with touched as materialized (
      select distinct r.test_path, r.backend, r.suite, m.metric_key, m.step
      from runs r
      join metric_values m on m.run_id = r.run_id
      where r.run_id = any(${ids}) and r.trusted and ${postgresCodec.hasTime('r.created_at')} and ${isFinite}
    ),
    after as materialized (
      select a.*, ${size(sql`r.run_id <> all(${ids})`, minimum)} as n_after
      from touched a
    ),
    affected as materialized (
      select a.*, ${size(sql`true`, window)} as n_before
      from after a
      where a.n_after < ${minimum}
    )
    select a.*, count(*) over () as total
    from affected a
    where a.n_after = 0 or a.n_before >= ${minimum}
    order by a.n_after > 0, a.test_path collate "C", a.backend collate "C", a.suite collate "C",
      a.metric_key collate "C", a.step
    limit ${limit}`.execute(db)
  return readImpact(rows)
}

/** The size of the baseline of coordinate `a` over some runs `r`, at most `limit`. */
function size(runs: RawBuilder<unknown>, limit: number): RawBuilder<number> {
  const matching = sql`r.test_path = a.test_path and r.backend = a.backend and r.suite = a.suite
    and r.trusted >= true and ${postgresCodec.hasTime('r.created_at')} and ${runs}`
  return sql<number>`(
    select count(*) from (
      select from ${walk(matching)} r cross join lateral ${finiteValues('a', 'r')} m limit ${limit}
    ) counted
  )`
}
