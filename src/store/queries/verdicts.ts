/** Verdicts, their evidence, and the question whether the gates of one commit or workflow run passed. */
import { sql, type QueryCreator } from 'kysely'
import { nextTurn } from '../../next-turn.js'
import type { Provenance, Series } from '../../gate/run.js'
import { assertStorableVerdict } from '../write-checks.js'
import type {
  LatestVerdict,
  NewVerdict,
  StoredVerdict,
  StoredVerdictHead,
  VerdictFilter,
} from '../verdicts.js'
import type { Page } from '../lists.js'
import { afterRow, all, equals, inSeries, inTimeRange, type Condition } from './conditions.js'
import type { Database, Dialect } from './dialect.js'
import type { Tables } from '../tables.js'
import { provenanceColumns, readSeries } from './rows.js'

export async function findVerdict(
  db: Database,
  dialect: Dialect,
  verdictId: string,
): Promise<StoredVerdict | null> {
  const row = await db
    .selectFrom('verdicts as v')
    .select(['v.verdict_id', 'v.document', dialect.timeText('v.created_at').as('created_at')])
    .where('v.verdict_id', '=', verdictId)
    .executeTakeFirst()
  if (row === undefined) return null
  const pieces = await db
    .selectFrom('verdict_checks as c')
    .select('c.checks')
    .where('c.verdict_id', '=', verdictId)
    .orderBy('c.position')
    .execute()
  return {
    verdictId: row.verdict_id,
    createdAt: row.created_at,
    document: row.document,
    checks: pieces.map(({ checks }) => checks),
  }
}

export async function listVerdicts(
  db: Database,
  dialect: Dialect,
  filter: VerdictFilter,
  page: Page,
): Promise<StoredVerdictHead[]> {
  const rows = await db
    .selectFrom('verdicts as v')
    .select(['v.verdict_id', 'v.document', dialect.timeText('v.created_at').as('created_at')])
    .where(
      all([...matches(dialect, filter), ...afterRow(dialect, 'v.created_at', 'v.verdict_id', page.after)]),
    )
    .orderBy('v.created_at', 'desc')
    .orderBy(dialect.byCodePoint('v.verdict_id'), 'desc')
    .limit(page.limit)
    .execute()
  return rows.map((row) => ({
    verdictId: row.verdict_id,
    createdAt: row.created_at,
    document: row.document,
  }))
}

export async function latestVerdicts(
  db: Database,
  dialect: Dialect,
  filter: VerdictFilter,
): Promise<LatestVerdict[]> {
  const rank = sql<number>`row_number() over (
    partition by v.test_path, v.backend, v.suite
    order by coalesce(v.github_run_attempt, 1) desc, v.created_at desc,
      ${dialect.byCodePoint('v.verdict_id')} desc)`
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('verdicts as v')
        .select(['v.verdict_id', 'v.test_path', 'v.backend', 'v.suite', 'v.outcome', 'v.failing_ci'])
        .select(rank.as('rank'))
        .where(all(matches(dialect, filter)))
        .as('ranked'),
    )
    .selectAll()
    .where('ranked.rank', '=', 1)
    .orderBy(dialect.byCodePoint('ranked.test_path'))
    .orderBy(dialect.byCodePoint('ranked.backend'))
    .orderBy(dialect.byCodePoint('ranked.suite'))
    .execute()
  return rows.map((row) => ({
    verdictId: row.verdict_id,
    series: readSeries(row),
    outcome: row.outcome,
    failingCi: row.failing_ci,
  }))
}

/** Characters; to look through them takes some milliseconds. */
const LONG_CHECKS = 512 * 1_024

/** The columns of a verdict, and what its rows beside it are made of. */
export type VerdictValues = Omit<NewVerdict, 'trusted'> & Series & Provenance & { flag: boolean | number }

export function verdictValues({ flag }: Pick<Dialect, 'flag'>, verdict: NewVerdict): VerdictValues {
  return { ...verdict, ...verdict.series, ...verdict.provenance, flag: flag(verdict.trusted) }
}

/** Inserts the row of a verdict, and answers its id; nothing where it is there already. */
export function insertHead(
  db: QueryCreator<Tables>,
  { time }: Pick<Dialect, 'time'>,
  verdict: VerdictValues,
) {
  return db
    .insertInto('verdicts')
    .values({
      verdict_id: verdict.verdictId,
      created_at: time(verdict.createdAt),
      test_path: verdict.testPath,
      backend: verdict.backend,
      suite: verdict.suite,
      ...provenanceColumns(verdict),
      cadence: verdict.cadence,
      run_id: verdict.runId,
      trusted: verdict.flag,
      outcome: verdict.outcome,
      failing_ci: verdict.failingCi,
      actor: verdict.actor,
      document: verdict.document,
      declarations: verdict.declarations,
    })
    .onConflict((conflict) => conflict.column('verdict_id').doNothing())
    .returning('verdict_id')
}

export async function writeVerdict(db: Database, dialect: Dialect, verdict: NewVerdict): Promise<void> {
  assertStorableVerdict(verdict)
  // Long texts have just been looked through, and are about to be copied.
  if (verdict.checks.reduce((sum, { checks }) => sum + checks.length, 0) > LONG_CHECKS) await nextTurn()
  await dialect.insertVerdict(db, { ...verdict, evidence: [...new Set(verdict.evidence)] })
}

function matches(dialect: Dialect, filter: VerdictFilter): Condition[] {
  return [
    ...inSeries('v', filter),
    ...equals('v.commit_sha', filter.commitSha),
    ...equals('v.github_run_id', filter.githubRunId),
    ...equals('v.pr_number', filter.prNumber),
    ...equals('v.outcome', filter.outcome),
    ...inTimeRange(dialect, 'v.created_at', filter),
  ]
}
