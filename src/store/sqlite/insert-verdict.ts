/** A verdict row by row, by statements that stay prepared: there is no way to the server to save. */
import { CompiledQuery } from 'kysely'
import type { Database } from '../queries/dialect.js'
import { nextTurn } from '../../next-turn.js'
import { statement } from '../queries/statement.js'
import { insertHead, verdictValues, type VerdictValues } from '../queries/verdicts.js'
import type { NewVerdict } from '../verdicts.js'
import { sqliteCodec } from './codec.js'

const head = statement((db, verdict: VerdictValues) => insertHead(db, sqliteCodec, verdict))

export async function insertVerdict(db: Database, verdict: NewVerdict): Promise<void> {
  const { verdictId, checks, evidence } = verdict
  const inserted = await head(db, verdictValues(sqliteCodec, verdict))
  if (inserted.length === 0) return
  await insertChecks(db, verdictId, checks)
  await insertEvidence(db, verdictId, evidence)
}

const INSERT_PIECE =
  'insert into verdict_checks (verdict_id, position, metric_key, checks) values (?, ?, ?, ?)'

/** Characters of checks that are written in one go, which takes some milliseconds. */
const PAUSE_AFTER = 512 * 1_024

async function insertChecks(db: Database, verdictId: string, checks: NewVerdict['checks']): Promise<void> {
  let written = 0
  for (const [position, piece] of checks.entries()) {
    await db.executeQuery(
      CompiledQuery.raw(INSERT_PIECE, [verdictId, position, piece.metricKey, piece.checks]),
    )
    written += piece.checks.length
    if (written < PAUSE_AFTER) continue
    written = 0
    await nextTurn()
  }
}

const INSERT_RUNS = 'insert into verdict_evidence (verdict_id, run_id) select ?, value from json_each(?)'

async function insertEvidence(db: Database, verdictId: string, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return
  await db.executeQuery(CompiledQuery.raw(INSERT_RUNS, [verdictId, JSON.stringify(runIds)]))
}
