/** The rows of an import between their coming and their publishing. */
import type BetterSqlite3 from 'better-sqlite3'
import { sql } from 'kysely'
import { valuesByCoordinate } from '../import-batches.js'
import type { RunContent } from '../import-content.js'
import type { Database } from '../queries/dialect.js'
import { chunks, provenanceColumns, readValue, type RunRow, type ValueRow } from '../queries/rows.js'
import { readRun } from '../queries/runs.js'
import { ImportConflict } from '../errors.js'
import type { ImportedRun } from '../exchange.js'
import { insertValuesOfRuns } from './values.js'
import type { WriteStep, WriteTurns } from './write-turns.js'

/** What one step takes: some ten milliseconds each. */
const STEP_VALUES = 1_000
const STEP_RUNS = 500

/** For how long a turn of publishing goes on: what it moves is seen all at once. */
const PUBLISH_TURN_MS = 400

const RUN_COLUMNS = sql.raw(
  'run_id, test_path, backend, suite, commit_sha, pr_number, github_run_id, github_run_attempt, event_name, ref, created_at, trusted',
)

/** The steps that stage runs with all their values. */
export function* stageSteps(runs: readonly ImportedRun[]): Generator<WriteStep> {
  for (const some of chunks(runs, STEP_RUNS)) yield (db) => stageRuns(db, some)
  const values = valuesByCoordinate(runs)
  for (const some of chunks(values, STEP_VALUES)) yield (db) => insertValuesOfRuns(db, some)
}

async function stageRuns(db: Database, runs: readonly ImportedRun[]): Promise<void> {
  for (const run of runs) {
    const { testPath, backend, suite } = run.series
    const provenance = provenanceColumns(run.provenance)
    // Another writer may have taken the id since it was looked up. From now on the trigger keeps it.
    const { numAffectedRows } = await sql`
      insert into staged_runs (${RUN_COLUMNS}, cadence, declarations)
      select ${run.runId}, ${testPath}, ${backend}, ${suite}, ${provenance.commit_sha}, ${provenance.pr_number},
        ${provenance.github_run_id}, ${provenance.github_run_attempt}, ${provenance.event_name}, ${provenance.ref},
        ${run.createdAt}, ${run.trusted ? 1 : 0}, ${run.cadence}, ${run.declarations}
      where not exists (select 1 from runs where run_id = ${run.runId})`.execute(db)
    if (numAffectedRows !== 1n) throw new ImportConflict(run.runId, run.where)
  }
}

/** Those of the runs that are staged, with their values, by id. */
export async function stagedContents(
  db: Database,
  runIds: readonly string[],
): Promise<Map<string, RunContent>> {
  const staged = await sql<RunRow>`
    select s.run_id, s.test_path, s.backend, s.suite, s.commit_sha, s.pr_number, s.github_run_attempt, s.event_name,
      s.ref, s.created_at, s.trusted, cast(s.github_run_id as text) as github_run_id
    from json_each(${JSON.stringify(runIds)}) wanted
    cross join staged_runs s on s.run_id = wanted.value`.execute(db)
  const contents = new Map<string, RunContent>()
  for (const row of staged.rows) {
    const { rows } = await sql<ValueRow>`
      select metric_key, step, value, steps_key, constraint_key
      from metric_values
      where run_id = ${row.run_id}`.execute(db)
    contents.set(row.run_id, { ...readRun(row), values: rows.map(readValue) })
  }
  return contents
}

/** Makes runs of all that are staged. Once its first turn is over, the import is certain to be finished by someone. */
export async function publishStaged(turns: WriteTurns): Promise<void> {
  await turns.take(publishSteps(), PUBLISH_TURN_MS)
}

/** Whether there is something of an import: one that is under way, or was left behind. */
export function hasStaged(handle: BetterSqlite3.Database): boolean {
  const text = 'select 1 from staged_runs union all select 1 from staged_decision limit 1'
  return handle.prepare(text).get() !== undefined
}

/** Finishes what was being published, removes what was only staged. */
export async function recoverStaged(db: Database, turns: WriteTurns): Promise<void> {
  const { rows } = await sql<{ decided: number }>`
    select exists (select 1 from staged_decision) as decided`.execute(db)
  if (rows[0]?.decided === 1) await publishStaged(turns)
  else await turns.take(discardSteps())
}

function* publishSteps(): Generator<WriteStep> {
  yield async (db) => {
    await sql`insert into staged_decision (decided) values (1) on conflict do nothing`.execute(db)
  }
  for (let left = true; left;) {
    yield async (db) => {
      left = await publishSome(db)
    }
  }
  yield async (db) => {
    await sql`delete from staged_decision`.execute(db)
  }
}

/** Answers whether there was anything left. */
async function publishSome(db: Database): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update staged_runs set publishing = 1
    where rowid in (select rowid from staged_runs order by rowid limit ${STEP_RUNS})`.execute(db)
  if (numAffectedRows === 0n) return false
  await sql`
    insert into runs (${RUN_COLUMNS}) select ${RUN_COLUMNS} from staged_runs where publishing = 1`.execute(db)
  await sql`
    insert into imported_runs (run_id, cadence, declarations)
    select run_id, cadence, declarations from staged_runs
    where publishing = 1 and (cadence is not null or declarations is not null)`.execute(db)
  await sql`delete from staged_runs where publishing = 1`.execute(db)
  return true
}

function* discardSteps(): Generator<WriteStep> {
  for (let left = true; left;) {
    yield async (db) => {
      left = await discardSome(db)
    }
  }
}

/** Removes values of the first staged run, and the run with the last of them. Answers whether there was one. */
async function discardSome(db: Database): Promise<boolean> {
  const { rows } = await sql<{ run_id: string }>`
    select run_id from staged_runs order by rowid limit 1`.execute(db)
  const [run] = rows
  if (run === undefined) return false
  // Values of a run that is there are never touched, whatever else may have gone wrong.
  const { numAffectedRows } = await sql`
    delete from metric_values
    where rowid in (select rowid from metric_values where run_id = ${run.run_id} limit ${STEP_VALUES})
      and not exists (select 1 from runs where run_id = ${run.run_id})`.execute(db)
  if (Number(numAffectedRows ?? 0) < STEP_VALUES) {
    await sql`delete from staged_runs where run_id = ${run.run_id}`.execute(db)
  }
  return true
}
