/** What the verdicts of some runs said about one metric. */
import { sql } from 'kysely'
import type { Database, Dialect } from './dialect.js'

/** Bytes of check texts in memory at once. A metric with thousands of steps has a megabyte of them in each run. */
const BATCH_BYTES = 4 * 2 ** 20

interface Piece {
  readonly run_id: string
  readonly verdict_id: string
  readonly bytes: number
}

/**
 * By run and step, the check as JSON text.
 * @param wanted the steps asked for, by run
 */
export async function checksOf(
  db: Database,
  dialect: Dialect,
  metricKey: string,
  wanted: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<Map<string, Map<number, string>>> {
  const checks = new Map<string, Map<number, string>>()
  if (wanted.size === 0) return checks
  const ofMetric = sql<boolean>`c.verdict_id = v.verdict_id and c.metric_key = ${metricKey}`
  const { rows: pieces } = await sql<Piece>`
    select v.run_id, v.verdict_id, octet_length(c.checks) as bytes
    from ${dialect.ids('run_id', [...wanted.keys()])} r
    ${dialect.lookUp('verdicts', 'v', sql<boolean>`v.run_id = r.run_id`)}
    ${dialect.lookUp('verdict_checks', 'c', ofMetric)}`.execute(db)
  const runOf = new Map(pieces.map(({ verdict_id, run_id }) => [verdict_id, run_id]))
  for (const verdictIds of batches(pieces)) {
    const { rows } = await sql<{ verdict_id: string; checks: string }>`
      select v.verdict_id, c.checks
      from ${dialect.ids('verdict_id', verdictIds)} v
      ${dialect.lookUp('verdict_checks', 'c', ofMetric)}`.execute(db)
    for (const row of rows) {
      const runId = runOf.get(row.verdict_id) ?? ''
      const found = checksAt(row.checks, wanted.get(runId) ?? new Set())
      checks.set(runId, new Map([...(checks.get(runId) ?? []), ...found]))
    }
  }
  return checks
}

/** The checks of a piece at some steps, each as JSON text. */
function checksAt(piece: string, steps: ReadonlySet<number>): Array<[number, string]> {
  const checks = JSON.parse(piece) as Array<{ readonly step?: unknown } | null>
  return checks.flatMap((check): Array<[number, string]> => {
    const step = check?.step
    return typeof step === 'number' && steps.has(step) ? [[step, JSON.stringify(check)]] : []
  })
}

function batches(pieces: readonly Piece[]): string[][] {
  const all: string[][] = []
  let room = 0
  for (const { verdict_id, bytes } of pieces) {
    if (bytes > room || all.length === 0) {
      all.push([])
      room = BATCH_BYTES
    }
    all.at(-1)?.push(verdict_id)
    room -= bytes
  }
  return all
}
