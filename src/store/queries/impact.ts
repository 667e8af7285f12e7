/** What a revocation would change. The coordinates are counted by the backend's own statement. */
import { sql } from 'kysely'
import type { ImpactedVerdict, ImpactSettings, RevocationImpact } from '../trust.js'
import type { Database, Dialect } from './dialect.js'
import { readSeries } from './rows.js'

export async function revocationImpact(
  db: Database,
  dialect: Dialect,
  runIds: readonly string[],
  settings: ImpactSettings,
): Promise<RevocationImpact> {
  const { coordinates, total } = await dialect.impactedCoordinates(db, runIds, settings)
  const verdicts = await impactedVerdicts(db, dialect, runIds, settings.limit)
  return {
    coordinates,
    coordinatesTotal: total,
    verdicts: verdicts.listed,
    verdictsTotal: verdicts.total,
  }
}

async function impactedVerdicts(
  db: Database,
  dialect: Dialect,
  runIds: readonly string[],
  limit: number,
): Promise<{ listed: ImpactedVerdict[]; total: number }> {
  const rested = sql<boolean>`v.verdict_id in (
    select e.verdict_id from verdict_evidence e where ${dialect.isOneOf('e.run_id', runIds)})`
  const listed = await db
    .selectFrom('verdicts as v')
    .select(['v.verdict_id', 'v.test_path', 'v.backend', 'v.suite', 'v.outcome'])
    .select(dialect.timeText('v.created_at').as('created_at'))
    .where(rested)
    .orderBy('v.created_at', 'desc')
    .orderBy(dialect.byCodePoint('v.verdict_id'), 'desc')
    .limit(limit)
    .execute()
  const { total } = await db
    .selectFrom('verdicts as v')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(rested)
    .executeTakeFirstOrThrow()
  return {
    listed: listed.map((row) => ({
      verdictId: row.verdict_id,
      createdAt: row.created_at,
      series: readSeries(row),
      outcome: row.outcome,
    })),
    total: Number(total),
  }
}
