/**
 * An import: staged in turns, then published.
 *
 * The values are written where they will stay, in `metric_values`, before there is a row of their run: every read joins
 * `runs`, so that nobody sees them. The runs wait in `staged_runs`, and a trigger keeps their ids from other writers.
 * Publishing moves the rows of the runs, which is all that has to happen at once.
 * Staging the values in a table of their own was rejected: to copy millions of them at the end takes as long as the
 * lock must never be held.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { assertSameRun, batchRuns, type ImportBatch } from '../import-batches.js'
import type { RunContent } from '../import-content.js'
import type { Database, Dialect } from '../queries/dialect.js'
import { contentsOf } from '../queries/run-contents.js'
import { StoreUnavailable } from '../errors.js'
import type { ImportedRun, ImportResult } from '../exchange.js'
import { whileBusy } from './busy.js'
import { connect, type Connection, type ConnectionOptions, type TransactionWatcher } from './connection.js'
import { tryImportLock, type ImportLock } from './import-lock.js'
import { publishStaged, recoverStaged, stagedContents, stageSteps } from './import-staging.js'
import type { OpenedFile } from './opened-file.js'
import { WriteTurns } from './write-turns.js'

const BATCH = { runs: 1_000, values: 2_000 }

/** In KiB. The indexes are written all over: with SQLite's usual 2 MiB an import takes twice the time. */
const PAGE_CACHE = 24_576

/** How long an import waits for another one to end. */
const WAIT_MS = 600_000
const ASK_AGAIN_MS = 100

export interface ImportContext {
  readonly file: OpenedFile
  readonly watcher: TransactionWatcher
  readonly dialect: Dialect
  readonly isClosing: () => boolean
  readonly options: ConnectionOptions
}

export async function importRuns(
  context: ImportContext,
  runs: AsyncIterable<ImportedRun>,
  onProgress: (runs: number) => void,
): Promise<ImportResult> {
  const lock = await waitForLock(context)
  try {
    return await withConnection(context, async (connection) => {
      const turns = new WriteTurns(connection, context.isClosing)
      await recoverStaged(connection.db, turns)
      try {
        const result = await stage(context, connection.db, turns, runs, onProgress)
        await publishStaged(turns)
        return result
      } catch (error) {
        // Where this fails too, the next import or start does it.
        await recoverStaged(connection.db, turns).catch(() => undefined)
        throw error
      }
    })
  } finally {
    lock.release()
  }
}

/** Finishes or removes what a process that ended in the middle left behind, unless an import is running. */
export async function recoverImport(context: ImportContext): Promise<void> {
  const lock = tryImportLock(context.file)
  if (lock === null) return
  try {
    await withConnection(context, (connection) =>
      recoverStaged(connection.db, new WriteTurns(connection, context.isClosing)),
    )
  } finally {
    lock.release()
  }
}

async function stage(
  { dialect }: ImportContext,
  db: Database,
  turns: WriteTurns,
  runs: AsyncIterable<ImportedRun>,
  onProgress: (runs: number) => void,
): Promise<ImportResult> {
  const result = { runs: 0, values: 0, skipped: 0 }
  let taken = 0
  for await (const batch of batchRuns(runs, BATCH)) {
    const fresh = await freshRuns(db, dialect, batch)
    await turns.take(stageSteps(fresh))
    result.runs += fresh.length
    result.values += fresh.reduce((sum, run) => sum + run.values.length, 0)
    result.skipped += batch.runs.length - fresh.length + batch.repeated
    taken += batch.runs.length + batch.repeated
    onProgress(taken)
  }
  return result
}

/** Those that are neither stored nor staged; compared with the others outside the lock, as no content ever changes. */
async function freshRuns(db: Database, dialect: Dialect, { runs }: ImportBatch): Promise<ImportedRun[]> {
  const ids = runs.map((run) => run.runId)
  const there = new Map<string, RunContent>([
    ...(await reading(() => contentsOf(db, dialect, ids))),
    ...(await reading(() => stagedContents(db, ids))),
  ])
  return runs.filter((run) => {
    const known = there.get(run.runId)
    if (known !== undefined) assertSameRun(known, run)
    return known === undefined
  })
}

function reading<T>(read: () => Promise<T>): Promise<T> {
  return whileBusy(WAIT_MS, read)
}

/** Without foreign keys: values stand before their run. */
async function withConnection<T>(
  { file, watcher, options }: ImportContext,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = connect(file.path, 'begin immediate', options, file)
  connection.watch(watcher)
  try {
    connection.handle.pragma('foreign_keys = off')
    connection.handle.pragma(`cache_size = -${PAGE_CACHE}`)
    return await work(connection)
  } finally {
    await connection.close()
  }
}

async function waitForLock({ file, isClosing }: ImportContext): Promise<ImportLock> {
  const deadline = performance.now() + WAIT_MS
  for (;;) {
    if (isClosing()) throw new StoreUnavailable('shutting down')
    const lock = tryImportLock(file)
    if (lock !== null) return lock
    if (performance.now() > deadline) throw new StoreUnavailable('another import is still running')
    await sleep(ASK_AGAIN_MS)
  }
}
