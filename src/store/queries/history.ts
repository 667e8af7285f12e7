/** The values of one metric over time. */
import { sql } from 'kysely'
import type { HistoryFilter, HistoryPage, HistoryPoint } from '../history.js'
import { all, asText, equals, type Condition } from './conditions.js'
import type { Database, Dialect } from './dialect.js'
import { checksOf } from './history-checks.js'
import { readNumber } from './rows.js'
import { matchesRun } from './runs.js'

interface PointRow {
  readonly run_id: string
  readonly created_at: string
  readonly commit_sha: string | null
  readonly github_run_id: string | null
  readonly trusted: boolean | number
  readonly step: number
  readonly value: unknown
}

export async function listHistory(
  db: Database,
  dialect: Dialect,
  { series, metricKey, step, ...rest }: HistoryFilter,
  { limit, after }: HistoryPage,
): Promise<HistoryPoint[]> {
  const coordinate = all([...equals('m.metric_key', metricKey), ...equals('m.step', step)])
  const runId = dialect.byCodePoint('r.run_id')
  const { rows } = await sql<PointRow>`
    select r.run_id, r.commit_sha, r.trusted, m.step, m.value,
      ${asText('r.github_run_id')} as github_run_id, ${dialect.timeText('r.created_at')} as created_at
    from runs r
    ${dialect.joinValues(coordinate)}
    where ${all([...matchesRun(dialect, { ...series, ...rest }, after === null), ...afterPoint(dialect, after)])}
    order by ${dialect.byCodePoint('r.suite')}, r.created_at desc, ${runId} desc, m.step, m.value desc
    limit ${limit}`.execute(db)
  const checks = await checksOf(db, dialect, metricKey, pointsByRun(rows))
  return rows.map((row) => ({
    runId: row.run_id,
    createdAt: row.created_at,
    commitSha: row.commit_sha,
    githubRunId: row.github_run_id === null ? null : BigInt(row.github_run_id),
    trusted: Boolean(row.trusted),
    step: row.step,
    value: readNumber(row.value),
    check: checks.get(row.run_id)?.get(row.step) ?? null,
  }))
}

/** The points older than the last one told, and those of its own run that come after it. */
function afterPoint(dialect: Dialect, after: HistoryPage['after']): Condition[] {
  if (after === null) return []
  const { createdAt, runId, step, value } = after
  return [
    sql<boolean>`(r.created_at, ${dialect.byCodePoint('r.run_id')}) <= (${dialect.time(createdAt)}, ${runId})`,
    sql<boolean>`(r.run_id <> ${runId} or m.step > ${step} or (m.step = ${step} and m.value < ${value}))`,
  ]
}

function pointsByRun(rows: readonly PointRow[]): Map<string, Set<number>> {
  const runs = new Map<string, Set<number>>()
  for (const { run_id, step } of rows) {
    const steps = runs.get(run_id)
    if (steps === undefined) runs.set(run_id, new Set([step]))
    else steps.add(step)
  }
  return runs
}
