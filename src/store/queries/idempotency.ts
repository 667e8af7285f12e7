/** Submission keys: which verdict a key stands for. */
import { assertStorableKey } from '../write-checks.js'
import type { KeyedVerdict, SubmissionKey } from '../verdicts.js'
import type { Timestamp } from '../../gate/run.js'
import type { Database, Dialect } from './dialect.js'
import { forDialect, statement } from './statement.js'

const selectKey = statement((db, key: SubmissionKey) =>
  db
    .selectFrom('submission_keys as k')
    .select(['k.verdict_id', 'k.content_hash'])
    .where('k.owner', '=', key.owner)
    .where('k.key', '=', key.key),
)

export async function findKeyedVerdict(db: Database, key: SubmissionKey): Promise<KeyedVerdict | null> {
  const [row] = await selectKey(db, key)
  return row === undefined ? null : { verdictId: row.verdict_id, contentHash: row.content_hash }
}

interface KeyEntry extends KeyedVerdict {
  readonly createdAt: Timestamp
  readonly wroteRun: boolean
}

const insertKey = forDialect((dialect) =>
  statement((db, entry: SubmissionKey & KeyedVerdict & { createdAt: Timestamp; flag: boolean | number }) =>
    db.insertInto('submission_keys').values({
      owner: entry.owner,
      key: entry.key,
      content_hash: entry.contentHash,
      verdict_id: entry.verdictId,
      created_at: dialect.time(entry.createdAt),
      wrote_run: entry.flag,
    }),
  ),
)

export async function writeSubmissionKey(
  db: Database,
  dialect: Dialect,
  key: SubmissionKey,
  entry: KeyEntry,
): Promise<void> {
  assertStorableKey(key)
  await insertKey(dialect)(db, { ...key, ...entry, flag: dialect.flag(entry.wroteRun) })
}
