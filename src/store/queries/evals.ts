/** Grids, eval runs and comparisons. */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Timestamp } from '../../gate/run.js'
import type {
  EvalKeyEntry,
  EvalKind,
  EvalRunDeletion,
  EvalVerdictHead,
  ItemPiece,
  NewEvalRun,
  NewEvalVerdict,
  StoredEvalRun,
  StoredEvalVerdict,
} from '../evals.js'
import type { Page } from '../lists.js'
import type { SubmissionKey } from '../verdicts.js'
import {
  assertStorableEvalRun,
  assertStorableEvalRunDeletion,
  assertStorableEvalVerdict,
  assertStorableKey,
} from '../write-checks.js'
import { afterRow, all } from './conditions.js'
import type { Database, Dialect } from './dialect.js'
import { chunks } from './rows.js'

/** Pieces a statement: a few hundred kilobytes, which the embedded database writes within some milliseconds. */
const PIECES = 4
/** The same to be read, which takes less time. */
const READ_PIECES = 16

export async function findEvalKey(db: Database, key: SubmissionKey): Promise<EvalKeyEntry | null> {
  const row = await db
    .selectFrom('eval_keys as k')
    .select(['k.eval_id', 'k.content_hash'])
    .where('k.owner', '=', key.owner)
    .where('k.key', '=', key.key)
    .executeTakeFirst()
  return row === undefined ? null : { evalId: row.eval_id, contentHash: row.content_hash }
}

export async function writeEvalKey(
  db: Database,
  dialect: Dialect,
  key: SubmissionKey,
  entry: EvalKeyEntry & { createdAt: Timestamp },
): Promise<void> {
  assertStorableKey(key)
  await db
    .insertInto('eval_keys')
    .values({
      owner: key.owner,
      key: key.key,
      content_hash: entry.contentHash,
      eval_id: entry.evalId,
      created_at: dialect.time(entry.createdAt),
    })
    .execute()
}

export async function findEvalVerdict(
  db: Database,
  dialect: Dialect,
  kind: EvalKind,
  evalId: string,
): Promise<StoredEvalVerdict | null> {
  const row = await db
    .selectFrom('eval_verdicts as v')
    .select(['v.eval_id', 'v.head', 'v.detail', dialect.timeText('v.created_at').as('created_at')])
    .where('v.eval_id', '=', evalId)
    .where('v.kind', '=', kind)
    .executeTakeFirst()
  return row === undefined
    ? null
    : { evalId: row.eval_id, createdAt: row.created_at, head: row.head, detail: row.detail }
}

export async function listEvalVerdicts(
  db: Database,
  dialect: Dialect,
  kind: EvalKind,
  page: Page,
): Promise<EvalVerdictHead[]> {
  const rows = await db
    .selectFrom('eval_verdicts as v')
    .select(['v.eval_id', 'v.head', dialect.timeText('v.created_at').as('created_at')])
    .where('v.kind', '=', kind)
    .where(all(afterRow(dialect, 'v.created_at', 'v.eval_id', page.after)))
    .orderBy('v.created_at', 'desc')
    .orderBy(dialect.byCodePoint('v.eval_id'), 'desc')
    .limit(page.limit)
    .execute()
  return rows.map((row) => ({ evalId: row.eval_id, createdAt: row.created_at, head: row.head }))
}

export async function writeEvalVerdict(
  db: Database,
  dialect: Dialect,
  verdict: NewEvalVerdict,
  rows: readonly ItemPiece[],
): Promise<void> {
  assertStorableEvalVerdict(verdict)
  const inserted = await db
    .insertInto('eval_verdicts')
    .values({
      eval_id: verdict.evalId,
      kind: verdict.kind,
      created_at: dialect.time(verdict.createdAt),
      name: verdict.name,
      outcome: verdict.outcome,
      actor: verdict.actor,
      head: verdict.head,
      detail: verdict.detail,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 0n) return
  // The detail of a large grid takes the embedded database as long as some hundred pieces.
  await setImmediate()
  for await (const pieces of unhurried(rows)) {
    const values = pieces.map((piece) => ({ eval_id: verdict.evalId, ...piece }))
    await db.insertInto('eval_grid_rows').values(values).execute()
  }
}

export async function gridRows(
  db: Database,
  evalId: string,
  position: number,
  limit: number,
): Promise<ItemPiece[]> {
  return db
    .selectFrom('eval_grid_rows as r')
    .select(['r.position', 'r.items'])
    .where('r.eval_id', '=', evalId)
    .where(
      sql<boolean>`r.position >= coalesce((
        select max(f.position) from eval_grid_rows f where f.eval_id = ${evalId} and f.position <= ${position}), 0)`,
    )
    .orderBy('r.position')
    .limit(limit)
    .execute()
}

export async function findEvalRun(
  db: Database,
  dialect: Dialect,
  name: string,
): Promise<StoredEvalRun | null> {
  const row = await selectRuns(db, dialect)
    .where(sql<boolean>`${dialect.byCodePoint('r.name')} = ${name}`)
    .executeTakeFirst()
  return row === undefined ? null : readRun(row)
}

export async function evalRunQuestions(db: Database, evalRunId: string): Promise<ItemPiece[]> {
  const pieces: ItemPiece[] = []
  for (;;) {
    const some = await db
      .selectFrom('eval_run_questions as q')
      .select(['q.position', 'q.items'])
      .where('q.eval_run_id', '=', evalRunId)
      .where('q.position', '>', pieces.at(-1)?.position ?? -1)
      .orderBy('q.position')
      .limit(READ_PIECES)
      .execute()
    pieces.push(...some)
    if (some.length < READ_PIECES) return pieces
    await setImmediate()
  }
}

export async function listEvalRuns(db: Database, dialect: Dialect, page: Page): Promise<StoredEvalRun[]> {
  const rows = await selectRuns(db, dialect)
    .where('d.eval_run_id', 'is', null)
    .where(all(afterRow(dialect, 'r.created_at', 'r.eval_run_id', page.after)))
    .orderBy('r.created_at', 'desc')
    .orderBy(dialect.byCodePoint('r.eval_run_id'), 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(readRun)
}

export async function writeEvalRun(
  db: Database,
  dialect: Dialect,
  run: NewEvalRun,
  questions: readonly ItemPiece[],
): Promise<boolean> {
  assertStorableEvalRun(run)
  const inserted = await db
    .insertInto('eval_runs')
    .values({
      eval_run_id: run.evalRunId,
      name: run.name,
      created_at: dialect.time(run.createdAt),
      actor: run.actor,
      content_hash: run.contentHash,
      head: run.head,
      questions: run.questions,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 0n) return false
  for await (const pieces of unhurried(questions)) {
    const values = pieces.map((piece) => ({ eval_run_id: run.evalRunId, ...piece }))
    await db.insertInto('eval_run_questions').values(values).execute()
  }
  return true
}

export async function writeEvalRunDeletion(
  db: Database,
  dialect: Dialect,
  evalRunId: string,
  deletion: EvalRunDeletion,
): Promise<void> {
  assertStorableEvalRunDeletion(deletion)
  await db
    .insertInto('eval_run_deletions')
    .values({
      eval_run_id: evalRunId,
      created_at: dialect.time(deletion.createdAt),
      actor: deletion.actor,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The embedded database works on this thread, and its promises alone never let the event loop go round. */
async function* unhurried(pieces: readonly ItemPiece[]): AsyncGenerator<ItemPiece[]> {
  for (const some of chunks(pieces, PIECES)) {
    yield some.map(({ position, items }) => ({ position, items }))
    await setImmediate()
  }
}

function selectRuns(db: Database, dialect: Dialect) {
  return db
    .selectFrom('eval_runs as r')
    .leftJoin('eval_run_deletions as d', 'd.eval_run_id', 'r.eval_run_id')
    .select(['r.eval_run_id', 'r.name', 'r.actor', 'r.content_hash', 'r.head', 'r.questions'])
    .select(['d.actor as deleted_by'])
    .select([
      dialect.timeText('r.created_at').as('created_at'),
      sql<Timestamp | null>`${dialect.timeText('d.created_at')}`.as('deleted_at'),
    ])
}

type RunRow = Awaited<ReturnType<ReturnType<typeof selectRuns>['execute']>>[number]

function readRun(row: RunRow): StoredEvalRun {
  return {
    evalRunId: row.eval_run_id,
    name: row.name,
    createdAt: row.created_at,
    actor: row.actor,
    contentHash: row.content_hash,
    head: row.head,
    questions: row.questions,
    deleted:
      row.deleted_at === null || row.deleted_by === null
        ? null
        : { createdAt: row.deleted_at, actor: row.deleted_by },
  }
}
