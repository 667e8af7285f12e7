/** Runs and their values. */
import { sql } from 'kysely'
import { assertStorable } from '../write-checks.js'
import type { NewRun, Page, RunFilter, RunListing, RunValue, StoredRun } from '../store.js'
import { afterRow, all, asText, equals, inSeries, inTimeRange } from './conditions.js'
import type { Database, Dialect } from './dialect.js'
import { provenanceColumns, readProvenance, readSeries, type RunRow } from './rows.js'

function selectRuns(db: Database, dialect: Dialect) {
  return db
    .selectFrom('runs as r')
    .select([
      'r.run_id',
      'r.test_path',
      'r.backend',
      'r.suite',
      'r.commit_sha',
      'r.pr_number',
      'r.github_run_attempt',
      'r.event_name',
      'r.ref',
      'r.trusted',
      asText('r.github_run_id').as('github_run_id'),
      dialect.timeText('r.created_at').as('created_at'),
    ])
}

export async function findRun(db: Database, dialect: Dialect, runId: string): Promise<StoredRun | null> {
  const row = await selectRuns(db, dialect)
    .where('r.run_id', '=', runId)
    .where(dialect.hasTime('r.created_at'))
    .executeTakeFirst()
  return row === undefined ? null : readRun(row)
}

export async function listRuns(
  db: Database,
  dialect: Dialect,
  filter: RunFilter,
  page: Page,
): Promise<RunListing[]> {
  const rows = await selectRuns(db, dialect)
    .leftJoin('verdicts as v', 'v.run_id', 'r.run_id')
    .select(['v.cadence', 'v.verdict_id', 'v.outcome'])
    .where(
      all([
        ...equals('r.run_id', filter.runId),
        ...inSeries('r', filter),
        ...equals('r.commit_sha', filter.commitSha),
        ...equals('r.github_run_id', filter.githubRunId),
        ...equals('r.pr_number', filter.prNumber),
        ...equals('r.trusted', filter.trusted === undefined ? undefined : dialect.flag(filter.trusted)),
        ...inTimeRange(dialect, 'r.created_at', filter),
        ...afterRow(dialect, 'r.created_at', 'r.run_id', page.after),
      ]),
    )
    .orderBy('r.created_at', 'desc')
    .orderBy(dialect.byCodePoint('r.run_id'), 'desc')
    .limit(page.limit)
    .execute()
  return rows.map((row) => ({
    ...readRun(row),
    cadence: row.cadence as RunListing['cadence'],
    verdictId: row.verdict_id,
    outcome: row.outcome,
  }))
}

export async function valuesOf(db: Database, dialect: Dialect, runId: string): Promise<RunValue[]> {
  const rows = await db
    .selectFrom('metric_values as m')
    .select(['m.metric_key', 'm.step', 'm.value', 'm.steps_key', 'm.constraint_key'])
    .where('m.run_id', '=', runId)
    .orderBy(dialect.byCodePoint('m.metric_key'))
    .orderBy('m.step')
    .orderBy('m.value', 'desc')
    .execute()
  return rows.map((row) => ({
    metricKey: row.metric_key,
    step: row.step,
    // SQLite keeps another writer's NaN as null, and any text that it was given as text.
    value: typeof row.value === 'number' ? row.value : NaN,
    stepsKey: row.steps_key ?? '',
    constraintKey: row.constraint_key ?? '',
  }))
}

export async function writeRun(db: Database, dialect: Dialect, run: NewRun): Promise<void> {
  assertStorable(run)
  const inserted = await db
    .insertInto('runs')
    .values({
      run_id: run.runId,
      test_path: run.series.testPath,
      backend: run.series.backend,
      suite: run.series.suite,
      ...provenanceColumns(run.provenance),
      created_at: dialect.time(run.createdAt),
      trusted: dialect.flag(run.trusted),
    })
    .onConflict((conflict) => conflict.column('run_id').doNothing())
    .returning(sql<number>`1`.as('one'))
    .execute()
  // A retry after a commit whose answer was lost: the values came with the run, in one transaction.
  if (inserted.length === 0 || run.values.length === 0) return
  await dialect.insertValues(db, run.runId, run.values)
}

function readRun(row: RunRow): StoredRun {
  return {
    runId: row.run_id,
    createdAt: row.created_at,
    trusted: Boolean(row.trusted),
    series: readSeries(row),
    provenance: readProvenance(row),
  }
}
