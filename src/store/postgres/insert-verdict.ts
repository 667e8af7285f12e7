import { sql } from 'kysely'
import type { Database } from '../queries/dialect.js'
import { statement } from '../queries/statement.js'
import { insertHead, verdictValues, type VerdictValues } from '../queries/verdicts.js'
import type { NewVerdict } from '../verdicts.js'
import { postgresCodec } from './codec.js'

interface Pieces {
  readonly metricKeys: readonly string[]
  /** A line each: to quote megabytes for an array took the driver longer than all else of a large write. */
  readonly pieces: string
}

const LINE_BREAK = sql.lit('\n')

/** In one statement: each way to the server costs more than what it does there. */
const insertAll = statement(
  (db, verdict: VerdictValues & Pieces) => sql`
    with written as (${insertHead(db, postgresCodec, verdict)}),
    checked as (
      insert into verdict_checks (verdict_id, position, metric_key, checks)
      select w.verdict_id, c.position - 1, c.metric_key, c.checks
      from written w
      cross join unnest(${verdict.metricKeys}::text[], string_to_array(${verdict.pieces}::text, ${LINE_BREAK})) with ordinality
        as c (metric_key, checks, position)
    )
    insert into verdict_evidence (verdict_id, run_id)
    select w.verdict_id, e.run_id from written w cross join unnest(${verdict.evidence}::text[]) as e (run_id)`,
)

export async function insertVerdict(db: Database, verdict: NewVerdict): Promise<void> {
  await insertAll(db, {
    ...verdictValues(postgresCodec, verdict),
    metricKeys: verdict.checks.map(({ metricKey }) => metricKey),
    pieces: verdict.checks.map(({ checks }) => checks).join('\n'),
  })
}
