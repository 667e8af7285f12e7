/** Submission keys: which verdict a key stands for. */
import { assertStorableKey } from '../write-checks.js'
import type { KeyedVerdict, SubmissionKey } from '../store.js'
import type { Timestamp } from '../../gate/run.js'
import type { Database, Dialect } from './dialect.js'

export async function findKeyedVerdict(db: Database, key: SubmissionKey): Promise<KeyedVerdict | null> {
  const row = await db
    .selectFrom('submission_keys as k')
    .select(['k.verdict_id', 'k.content_hash'])
    .where('k.owner', '=', key.owner)
    .where('k.key', '=', key.key)
    .executeTakeFirst()
  return row === undefined ? null : { verdictId: row.verdict_id, contentHash: row.content_hash }
}

export async function writeSubmissionKey(
  db: Database,
  dialect: Dialect,
  key: SubmissionKey,
  entry: KeyedVerdict & { createdAt: Timestamp; wroteRun: boolean },
): Promise<void> {
  assertStorableKey(key)
  await db
    .insertInto('submission_keys')
    .values({
      owner: key.owner,
      key: key.key,
      content_hash: entry.contentHash,
      verdict_id: entry.verdictId,
      created_at: dialect.time(entry.createdAt),
      wrote_run: dialect.flag(entry.wroteRun),
    })
    .execute()
}
