/** Revoking trust, undoing that, and the record of both. */
import { sql } from 'kysely'
import { compareCodePoints } from '../../gate/literal.js'
import { assertStorableRevocation, assertStorableUndo } from '../write-checks.js'
import type {
  CoveringRevocation,
  MatchedRun,
  NewRevocation,
  NewUndo,
  RestorableRuns,
  Revocation,
  RunSelector,
} from '../trust.js'
import type { Page } from '../lists.js'
import { afterRow, all, type Condition } from './conditions.js'
import type { Database, Dialect } from './dialect.js'
import { chunks } from './rows.js'

export async function matchRuns(
  db: Database,
  dialect: Dialect,
  selector: RunSelector,
): Promise<MatchedRun[]> {
  const rows = await db
    .selectFrom('runs as r')
    .select(['r.run_id', 'r.test_path', 'r.trusted'])
    .where(selected(dialect, 'r', selector))
    .orderBy('r.created_at', 'desc')
    .orderBy(dialect.byCodePoint('r.run_id'), 'desc')
    .execute()
  return rows.map((row) => ({ runId: row.run_id, testPath: row.test_path, trusted: Boolean(row.trusted) }))
}

export async function markUntrusted(
  db: Database,
  dialect: Dialect,
  selector: RunSelector,
): Promise<string[]> {
  const rows = await db
    .updateTable('runs')
    .set({ trusted: dialect.flag(false) })
    .where(selected(dialect, 'runs', selector))
    .where('trusted', '=', dialect.flag(true))
    .returning(['run_id', dialect.timeText('runs.created_at').as('created_at')])
    .execute()
  // The order of RETURNING is not defined. A run of another writer may have no time at all; it comes last.
  return rows
    .map((row) => ({ runId: row.run_id, createdAt: (row.created_at as string | null) ?? '' }))
    .sort((a, b) => compareCodePoints(b.createdAt, a.createdAt) || compareCodePoints(b.runId, a.runId))
    .map((row) => row.runId)
}

export async function writeRevocation(
  db: Database,
  dialect: Dialect,
  revocation: NewRevocation,
): Promise<void> {
  assertStorableRevocation(revocation)
  await db
    .insertInto('revocations')
    .values({
      revocation_id: revocation.revocationId,
      created_at: dialect.time(revocation.createdAt),
      actor: revocation.actor,
      reason: revocation.reason,
      selector: selectorJson(revocation.selector),
      impact: revocation.impact,
    })
    .execute()
  const flipped = new Set(revocation.flipped)
  const rows = [...new Set(revocation.matched)].map((runId, position) => ({
    revocation_id: revocation.revocationId,
    run_id: runId,
    position,
    flipped: dialect.flag(flipped.has(runId)),
  }))
  for (const some of chunks(rows, 1_000)) await db.insertInto('revocation_runs').values(some).execute()
}

export async function findRevocation(
  db: Database,
  dialect: Dialect,
  revocationId: string,
): Promise<Revocation | null> {
  const rows = await selectRevocations(db, dialect).where('v.revocation_id', '=', revocationId).execute()
  const [revocation] = await withRuns(db, dialect, rows)
  return revocation ?? null
}

export async function listRevocations(db: Database, dialect: Dialect, page: Page): Promise<Revocation[]> {
  const rows = await selectRevocations(db, dialect)
    .where(all(afterRow(dialect, 'v.created_at', 'v.revocation_id', page.after)))
    .orderBy('v.created_at', 'desc')
    .orderBy(dialect.byCodePoint('v.revocation_id'), 'desc')
    .limit(page.limit)
    .execute()
  return withRuns(db, dialect, rows)
}

export async function revocationsOf(
  db: Database,
  dialect: Dialect,
  runId: string,
): Promise<CoveringRevocation[]> {
  const rows = await db
    .selectFrom('revocation_runs as c')
    .innerJoin('revocations as v', 'v.revocation_id', 'c.revocation_id')
    .leftJoin('revocation_undos as u', 'u.revocation_id', 'c.revocation_id')
    .select(['v.revocation_id', 'v.actor', 'v.reason', 'c.flipped', 'u.revocation_id as undone'])
    .select(dialect.timeText('v.created_at').as('created_at'))
    .where('c.run_id', '=', runId)
    .orderBy('v.created_at', 'desc')
    .orderBy(dialect.byCodePoint('v.revocation_id'), 'desc')
    .execute()
  return rows.map((row) => ({
    revocationId: row.revocation_id,
    createdAt: row.created_at,
    actor: row.actor,
    reason: row.reason,
    flipped: Boolean(row.flipped),
    undone: row.undone !== null,
  }))
}

export async function revokedAmong(
  db: Database,
  dialect: Dialect,
  runIds: readonly string[],
): Promise<string[]> {
  if (runIds.length === 0) return []
  const rows = await db
    .selectFrom('runs as r')
    .select('r.run_id')
    .where(dialect.isOneOf('r.run_id', runIds))
    .where('r.trusted', '=', dialect.flag(false))
    .where(onceFlipped(dialect))
    .where(
      sql<boolean>`exists (select 1 from revocation_runs o where o.run_id = r.run_id
        and not exists (select 1 from revocation_undos u where u.revocation_id = o.revocation_id))`,
    )
    .orderBy(dialect.byCodePoint('r.run_id'))
    .execute()
  return rows.map((row) => row.run_id)
}

export async function restorableRuns(
  db: Database,
  dialect: Dialect,
  revocationId: string,
): Promise<RestorableRuns> {
  const heldBy = sql<string | null>`(
    select o.revocation_id from revocation_runs o
    join revocations v on v.revocation_id = o.revocation_id
    where o.run_id = r.run_id and o.revocation_id <> ${revocationId}
      and not exists (select 1 from revocation_undos u where u.revocation_id = o.revocation_id)
    order by v.created_at desc, ${dialect.byCodePoint('v.revocation_id')} desc
    limit 1)`
  const rows = await db
    .selectFrom('revocation_runs as c')
    .innerJoin('runs as r', 'r.run_id', 'c.run_id')
    .select(['r.run_id', heldBy.as('held_by')])
    .where('c.revocation_id', '=', revocationId)
    .where('r.trusted', '=', dialect.flag(false))
    .where(onceFlipped(dialect))
    // Undone already: whatever is untrusted now became so by something else.
    .where(
      sql<boolean>`not exists (select 1 from revocation_undos u where u.revocation_id = ${revocationId})`,
    )
    .orderBy('r.created_at', 'desc')
    .orderBy(dialect.byCodePoint('r.run_id'), 'desc')
    .execute()
  const restore: string[] = []
  const heldBack: Array<{ runId: string; revocationId: string }> = []
  for (const row of rows) {
    if (row.held_by === null) restore.push(row.run_id)
    else heldBack.push({ runId: row.run_id, revocationId: row.held_by })
  }
  return { restore, heldBack }
}

/** A run `r` that no revocation ever flipped had not earned its trust. */
function onceFlipped(dialect: Dialect): Condition {
  return sql<boolean>`exists (select 1 from revocation_runs f
    where f.run_id = r.run_id and f.flipped = ${dialect.flag(true)})`
}

export async function writeUndo(db: Database, dialect: Dialect, undo: NewUndo): Promise<void> {
  assertStorableUndo(undo)
  await db
    .insertInto('revocation_undos')
    .values({
      revocation_id: undo.revocationId,
      created_at: dialect.time(undo.createdAt),
      actor: undo.actor,
      reason: undo.reason,
      restored: JSON.stringify(undo.restore),
    })
    .execute()
  await db
    .updateTable('runs')
    .set({ trusted: dialect.flag(true) })
    .where(dialect.isOneOf('runs.run_id', undo.restore))
    .where('trusted', '=', dialect.flag(false))
    .execute()
}

function selectRevocations(db: Database, dialect: Dialect) {
  return db
    .selectFrom('revocations as v')
    .leftJoin('revocation_undos as u', 'u.revocation_id', 'v.revocation_id')
    .select(['v.revocation_id', 'v.actor', 'v.reason', 'v.impact'])
    .select(['u.actor as undo_actor', 'u.reason as undo_reason'])
    .select(dialect.timeText('v.created_at').as('created_at'))
    .select(dialect.timeText('u.created_at').as('undone_at'))
}

type RevocationRow = Awaited<ReturnType<ReturnType<typeof selectRevocations>['execute']>>[number]

/** One more query for the runs of them all. */
async function withRuns(
  db: Database,
  dialect: Dialect,
  revocations: readonly RevocationRow[],
): Promise<Revocation[]> {
  if (revocations.length === 0) return []
  const ids = revocations.map((row) => row.revocation_id)
  const covered = await db
    .selectFrom('revocation_runs as c')
    .select(['c.revocation_id', 'c.run_id', 'c.flipped'])
    .where(dialect.isOneOf('c.revocation_id', ids))
    .orderBy('c.revocation_id')
    .orderBy('c.position')
    .execute()
  const runs = new Map(ids.map((id) => [id, { matched: [] as string[], flipped: [] as string[] }]))
  for (const row of covered) {
    const lists = runs.get(row.revocation_id)
    lists?.matched.push(row.run_id)
    if (row.flipped) lists?.flipped.push(row.run_id)
  }
  return revocations.map((row) => ({
    revocationId: row.revocation_id,
    createdAt: row.created_at,
    actor: row.actor,
    reason: row.reason,
    impact: row.impact,
    matched: runs.get(row.revocation_id)?.matched ?? [],
    flipped: runs.get(row.revocation_id)?.flipped ?? [],
    undone: readUndo(row),
  }))
}

function readUndo(row: RevocationRow): Revocation['undone'] {
  // A left join: the row of the undo is there as a whole or not at all.
  if (row.undo_actor === null || row.undo_reason === null) return null
  return { createdAt: row.undone_at, actor: row.undo_actor, reason: row.undo_reason }
}

function selected(dialect: Dialect, alias: string, selector: RunSelector): Condition {
  if ('runIds' in selector) return dialect.isOneOf(`${alias}.run_id`, selector.runIds)
  return 'githubRunId' in selector
    ? sql<boolean>`${sql.ref(`${alias}.github_run_id`)} = ${selector.githubRunId}`
    : sql<boolean>`${sql.ref(`${alias}.commit_sha`)} = ${selector.commitSha}`
}

function selectorJson(selector: RunSelector): string {
  if ('runIds' in selector) return JSON.stringify({ run_ids: selector.runIds })
  return 'githubRunId' in selector
    ? // By hand: JSON.stringify takes no bigint, and a string would not be the number that was asked for.
      `{"github_run_id":${selector.githubRunId}}`
    : JSON.stringify({ commit_sha: selector.commitSha })
}
