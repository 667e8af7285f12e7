/** The rows beside a verdict. Row by row, by a statement that stays prepared: there is no way to the server to save. */
import { CompiledQuery } from 'kysely'
import type { Database } from '../queries/dialect.js'
import type { NewVerdict } from '../store.js'

const INSERT_PIECE =
  'insert into verdict_checks (verdict_id, position, metric_key, checks) values (?, ?, ?, ?)'

export async function insertChecks(
  db: Database,
  verdictId: string,
  checks: NewVerdict['checks'],
): Promise<void> {
  for (const [position, piece] of checks.entries()) {
    await db.executeQuery(
      CompiledQuery.raw(INSERT_PIECE, [verdictId, position, piece.metricKey, piece.checks]),
    )
  }
}

const INSERT_RUNS = 'insert into verdict_evidence (verdict_id, run_id) select ?, value from json_each(?)'

export async function insertEvidence(
  db: Database,
  verdictId: string,
  runIds: readonly string[],
): Promise<void> {
  if (runIds.length === 0) return
  await db.executeQuery(CompiledQuery.raw(INSERT_RUNS, [verdictId, JSON.stringify(runIds)]))
}
