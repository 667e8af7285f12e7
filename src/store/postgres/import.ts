/** An import in one transaction: nothing of it is seen before its end, and nothing is left of one that fails. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { assertSameRun, batchRuns, valuesByCoordinate } from '../import-batches.js'
import type { Database } from '../queries/dialect.js'
import { chunks } from '../queries/rows.js'
import { contentsOf } from '../queries/run-contents.js'
import { StoreUnavailable } from '../errors.js'
import type { ImportedRun, ImportResult } from '../exchange.js'
import { leaveCopiesToTriggers } from './copies.js'
import { postgresDialect, tryLock } from './dialect.js'
import { insertValuesOfRuns } from './values.js'

const BATCH = { runs: 1_000, values: 2_000 }

/** How long an import waits for another one to end. */
const WAIT_MS = 600_000
const ASK_AGAIN_MS = 250

/** @param isClosing asked between batches; an import may otherwise outlast any patience */
export async function importRuns(
  db: Database,
  runs: AsyncIterable<ImportedRun>,
  onProgress: (runs: number) => void,
  isClosing: () => boolean,
): Promise<ImportResult> {
  await lockImports(db, isClosing)
  await leaveCopiesToTriggers(db)
  let taken = 0
  const result = { runs: 0, values: 0, skipped: 0 }
  for await (const batch of batchRuns(runs, BATCH)) {
    if (isClosing()) throw new StoreUnavailable('shutting down')
    const fresh = await insertRuns(db, batch.runs)
    await assertStoredAlike(
      db,
      batch.runs.filter((run) => !fresh.has(run.runId)),
    )
    const inserted = batch.runs.filter((run) => fresh.has(run.runId))
    await insertNotes(db, inserted)
    for (const values of chunks(valuesByCoordinate(inserted), BATCH.values))
      await insertValuesOfRuns(db, values)
    result.runs += inserted.length
    result.values += inserted.reduce((sum, run) => sum + run.values.length, 0)
    result.skipped += batch.runs.length - inserted.length + batch.repeated
    taken += batch.runs.length + batch.repeated
    onProgress(taken)
  }
  return result
}

/**
 * Two imports that insert the same runs in different orders would wait for each other in a circle. Asked for again
 * and again rather than waited for in the server, where the wait would count as a statement that takes too long.
 */
async function lockImports(db: Database, isClosing: () => boolean): Promise<void> {
  const deadline = performance.now() + WAIT_MS
  while (!(await tryLock(db, JSON.stringify(['import'])))) {
    if (isClosing()) throw new StoreUnavailable('shutting down')
    if (performance.now() > deadline) throw new StoreUnavailable('another import is still running')
    await sleep(ASK_AGAIN_MS)
  }
}

/** Inserts those of the runs whose id is free; answers their ids. */
async function insertRuns(db: Database, runs: readonly ImportedRun[]): Promise<Set<string>> {
  const texts = (of: (run: ImportedRun) => string | null) => sql`${runs.map(of)}::text[]`
  const integers = (of: (run: ImportedRun) => number | null) => sql`${runs.map(of)}::integer[]`
  const { rows } = await sql<{ run_id: string }>`
    insert into runs (run_id, test_path, backend, suite, commit_sha, event_name, ref, pr_number, github_run_attempt,
      github_run_id, created_at, trusted)
    select * from unnest(
      ${texts((run) => run.runId)},
      ${texts((run) => run.series.testPath)},
      ${texts((run) => run.series.backend)},
      ${texts((run) => run.series.suite)},
      ${texts((run) => run.provenance.commitSha)},
      ${texts((run) => run.provenance.eventName)},
      ${texts((run) => run.provenance.ref)},
      ${integers((run) => run.provenance.prNumber)},
      ${integers((run) => run.provenance.githubRunAttempt)},
      ${runs.map((run) => run.provenance.githubRunId?.toString() ?? null)}::bigint[],
      ${runs.map((run) => run.createdAt)}::timestamptz[],
      ${runs.map((run) => run.trusted)}::boolean[]
    )
    on conflict (run_id) do nothing
    returning run_id`.execute(db)
  return new Set(rows.map((row) => row.run_id))
}

/** Runs that were there, or that came earlier in this import. */
async function assertStoredAlike(db: Database, runs: readonly ImportedRun[]): Promise<void> {
  const ids = runs.map((run) => run.runId)
  const stored = await contentsOf(db, postgresDialect, ids)
  for (const run of runs) {
    const there = stored.get(run.runId)
    if (there !== undefined) assertSameRun(there, run)
  }
}

async function insertNotes(db: Database, runs: readonly ImportedRun[]): Promise<void> {
  const noted = runs.filter((run) => run.cadence !== null || run.declarations !== null)
  if (noted.length === 0) return
  await sql`
    insert into imported_runs (run_id, cadence, declarations)
    select * from unnest(
      ${noted.map((run) => run.runId)}::text[],
      ${noted.map((run) => run.cadence)}::text[],
      ${noted.map((run) => run.declarations)}::text[]
    )
    on conflict (run_id) do nothing`.execute(db)
}
