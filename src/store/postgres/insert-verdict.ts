/** The rows beside a verdict, each kind in one statement. */
import { sql } from 'kysely'
import type { Database } from '../queries/dialect.js'
import { statement } from '../queries/statement.js'
import type { NewVerdict } from '../store.js'

const insertPieces = statement(
  (_db, piece: { verdictId: string; metricKeys: readonly string[]; checks: readonly string[] }) => sql`
    insert into verdict_checks (verdict_id, position, metric_key, checks)
    select ${piece.verdictId}, c.position - 1, c.metric_key, c.checks
    from unnest(${piece.metricKeys}::text[], ${piece.checks}::text[]) with ordinality as c (metric_key, checks, position)`,
)

export async function insertChecks(
  db: Database,
  verdictId: string,
  checks: NewVerdict['checks'],
): Promise<void> {
  if (checks.length === 0) return
  await insertPieces(db, {
    verdictId,
    metricKeys: checks.map(({ metricKey }) => metricKey),
    checks: checks.map((piece) => piece.checks),
  })
}

const insertRuns = statement(
  (_db, evidence: { verdictId: string; runIds: readonly string[] }) => sql`
    insert into verdict_evidence (verdict_id, run_id)
    select ${evidence.verdictId}, unnest(${evidence.runIds}::text[])`,
)

export async function insertEvidence(
  db: Database,
  verdictId: string,
  runIds: readonly string[],
): Promise<void> {
  if (runIds.length > 0) await insertRuns(db, { verdictId, runIds })
}
