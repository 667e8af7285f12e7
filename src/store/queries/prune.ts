/** Deletion of what has expired, one bounded batch a call, so that no lock is held for long. */
import { sql } from 'kysely'
import type { Timestamp } from '../../gate/run.js'
import type { Database, Dialect } from './dialect.js'

export const PRUNE_BATCH = 500

/** Deletes keys of judged-only submissions; answers how many, at most `PRUNE_BATCH`. */
export async function pruneKeys(db: Database, dialect: Dialect, before: Timestamp): Promise<number> {
  const deleted = await db
    .deleteFrom('submission_keys')
    .where(
      sql<boolean>`(owner, key) in (
        select k.owner, k.key from submission_keys k
        where k.wrote_run = ${dialect.flag(false)} and k.created_at < ${dialect.time(before)}
        order by k.created_at limit ${sql.lit(PRUNE_BATCH)})`,
    )
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Deletes verdicts that wrote no run; their evidence and keys go with them. */
export async function pruneVerdicts(db: Database, dialect: Dialect, before: Timestamp): Promise<number> {
  const deleted = await db
    .deleteFrom('verdicts')
    .where(
      sql<boolean>`verdict_id in (
        select v.verdict_id from verdicts v
        where v.run_id is null and v.created_at < ${dialect.time(before)}
        order by v.created_at limit ${sql.lit(PRUNE_BATCH)})`,
    )
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Deletes sessions that ended long ago, and all but the newest use of a token; few rows, so without batches. */
export async function pruneCredentials(db: Database, dialect: Dialect, before: Timestamp): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where(sql<boolean>`expires_at < ${dialect.time(before)}`)
    .execute()
  await db
    .deleteFrom('api_token_uses as u')
    .where(
      sql<boolean>`u.used_at < ${dialect.time(before)} and exists (
        select 1 from api_token_uses n where n.token_id = u.token_id and n.hour > u.hour)`,
    )
    .execute()
}

/** Runs batch after batch until one is not full. Keys first: fewer are left to go with their verdicts. */
export async function pruneAll(
  keys: () => Promise<number>,
  verdicts: () => Promise<number>,
): Promise<{ keys: number; verdicts: number }> {
  return { keys: await exhaust(keys), verdicts: await exhaust(verdicts) }
}

async function exhaust(batch: () => Promise<number>): Promise<number> {
  for (let total = 0; ;) {
    const deleted = await batch()
    total += deleted
    if (deleted < PRUNE_BATCH) return total
  }
}
