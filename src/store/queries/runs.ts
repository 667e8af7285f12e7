/** Runs and their values. */
import { sql, type QueryCreator } from 'kysely'
import type { Provenance, Series } from '../../gate/run.js'
import type { Tables } from '../tables.js'
import { assertStorable } from '../write-checks.js'
import type { NewRun, RunFilter, RunListing, RunValue, StoredRun } from '../runs.js'
import type { Page } from '../lists.js'
import { afterRow, all, asText, equals, inTimeRange, runsInSeries, type Condition } from './conditions.js'
import type { Database, Dialect } from './dialect.js'
import { provenanceColumns, readProvenance, readSeries, readValue, type RunRow } from './rows.js'

/** Of a run `r`, what `readRun` reads. */
export function runColumns(dialect: Dialect) {
  return [
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
  ] as const
}

export function selectRuns(db: Database, dialect: Dialect) {
  return db.selectFrom('runs as r').select(runColumns(dialect))
}

export async function listRuns(
  db: Database,
  dialect: Dialect,
  filter: RunFilter,
  page: Page,
): Promise<RunListing[]> {
  const inOneSeries = exactSeries(filter) !== null
  const suite = dialect.byCodePoint('r.suite')
  const rows = await db
    // The page first, then what belongs to its runs: without statistics the planner joins all runs before it sorts.
    .selectFrom((from) =>
      from
        .selectFrom('runs as r')
        .selectAll()
        .where(
          all([
            ...matchesRun(dialect, filter, page.after === null),
            ...afterRow(dialect, 'r.created_at', 'r.run_id', page.after),
          ]),
        )
        .$if(inOneSeries, (query) => query.orderBy(suite))
        .orderBy('r.created_at', 'desc')
        .orderBy(dialect.byCodePoint('r.run_id'), 'desc')
        .limit(page.limit)
        .as('r'),
    )
    .leftJoin('verdicts as v', 'v.run_id', 'r.run_id')
    .leftJoin('imported_runs as i', 'i.run_id', 'r.run_id')
    .select(runColumns(dialect))
    .select(['v.verdict_id', 'v.outcome', sql<string | null>`coalesce(v.cadence, i.cadence)`.as('cadence')])
    .orderBy('r.created_at', 'desc')
    .orderBy(dialect.byCodePoint('r.run_id'), 'desc')
    .execute()
  return rows.map((row) => ({
    ...readRun(row),
    cadence: row.cadence as RunListing['cadence'],
    verdictId: row.verdict_id,
    outcome: row.outcome,
  }))
}

/** @param first whether the first page is asked for, newest first */
export function matchesRun(dialect: Dialect, filter: RunFilter, first: boolean): Condition[] {
  const series = exactSeries(filter)
  return [
    ...equals('r.run_id', filter.runId),
    ...(first && series !== null ? [dialect.inRestingSeries('r', series)] : runsInSeries(dialect, filter)),
    ...equals('r.commit_sha', filter.commitSha),
    ...equals('r.github_run_id', filter.githubRunId),
    ...equals('r.pr_number', filter.prNumber),
    ...equals('r.trusted', filter.trusted === undefined ? undefined : dialect.flag(filter.trusted)),
    ...inTimeRange(dialect, 'r.created_at', filter),
  ]
}

function exactSeries({ testPath, backend, suite }: RunFilter): Series | null {
  if (testPath === undefined || backend === undefined || suite === undefined) return null
  return { testPath, backend, suite }
}

export async function valuesOf(db: Database, dialect: Dialect, runId: string): Promise<RunValue[]> {
  const rows = await db
    .selectFrom('metric_values as m')
    .select(['m.metric_key', 'm.step', 'm.value', 'm.steps_key', 'm.constraint_key'])
    .where('m.run_id', '=', runId)
    // On SQLite an import's values stand here before their run does.
    .where(sql<boolean>`exists (select 1 from runs r where r.run_id = ${runId})`)
    .orderBy(dialect.byCodePoint('m.metric_key'))
    .orderBy('m.step')
    .orderBy('m.value', 'desc')
    .execute()
  return rows.map(readValue)
}

export type RunColumns = Pick<NewRun, 'runId' | 'createdAt'> &
  Series &
  Provenance & { flag: boolean | number }

export function runColumnsOf({ flag }: Pick<Dialect, 'flag'>, run: NewRun): RunColumns {
  const { runId, createdAt, series, provenance, trusted } = run
  return { runId, createdAt, ...series, ...provenance, flag: flag(trusted) }
}

/** Inserts the row of a run, and answers its id; nothing where it is there already. */
export function insertRunRow(db: QueryCreator<Tables>, { time }: Pick<Dialect, 'time'>, run: RunColumns) {
  return db
    .insertInto('runs')
    .values({
      run_id: run.runId,
      test_path: run.testPath,
      backend: run.backend,
      suite: run.suite,
      ...provenanceColumns(run),
      created_at: time(run.createdAt),
      trusted: run.flag,
    })
    .onConflict((conflict) => conflict.column('run_id').doNothing())
    .returning('run_id')
}

/** Does nothing for a retry after a commit whose answer was lost: the values came with the run, in one transaction. */
export async function writeRun(db: Database, dialect: Dialect, run: NewRun): Promise<void> {
  assertStorable(run)
  await dialect.insertRun(db, run)
}

export function readRun(row: RunRow): StoredRun {
  return {
    runId: row.run_id,
    createdAt: row.created_at,
    trusted: Boolean(row.trusted),
    series: readSeries(row),
    provenance: readProvenance(row),
  }
}
