import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Timestamp } from '../../gate/run.js'
import type { Database, Dialect } from '../queries/dialect.js'
import { newestTrustedSteps, recentTrustedValues } from './baselines.js'
import { postgresCodec } from './codec.js'
import { replaceVectors, readCopies, uncopiedRuns } from './copies.js'
import { impactedCoordinates } from './impact.js'
import { statement } from '../queries/statement.js'
import { insertRun } from './insert-run.js'
import { insertVerdict } from './insert-verdict.js'

export const postgresDialect: Dialect = {
  ...postgresCodec,
  now,
  readCopies,
  uncopiedRuns,
  hasUncopiable: () => sql`false`,
  replaceVectors,
  // As `now`: not the transaction's time, which stands still.
  clock: () => sql`clock_timestamp()`,
  recentTrustedValues,
  newestTrustedSteps,
  impactedCoordinates,
  insertVerdict,
  insertRun,
  lockSubmissionKey: (db, key) => lock(db, JSON.stringify(['submission', key.owner, key.key])),
  lockTrust: (db) => lock(db, JSON.stringify(['trust'])),
  lockTokens: (db) => lock(db, JSON.stringify(['tokens'])),
  lockLadder: (db, ladder) => lock(db, JSON.stringify(['ladder', ladder])),
}

/** The clock itself: `now()` stands still within a transaction, which may have waited for a lock. */
async function now(db: Database): Promise<Timestamp> {
  const { rows } = await sql<{ now: Timestamp }>`
    select ${postgresCodec.timeText('c.now')} as now from (select clock_timestamp() as now) c`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the clock gave no time')
  return row.now
}

const takeLock = statement(
  (_db, { hash }: { hash: bigint }) => sql`select pg_advisory_xact_lock(${hash}::bigint)`,
)

/**
 * An advisory lock that the end of the transaction frees, the only kind that a transaction-mode pooler keeps right.
 * Two names with one hash only wait for each other without need.
 */
async function lock(db: Database, name: string): Promise<void> {
  await takeLock(db, { hash: hashOf(name) })
}

/** As `lock`, but does not wait; answers whether it has the lock. */
export async function tryLock(db: Database, name: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${hashOf(name)}::bigint) as locked`.execute(db)
  return rows[0]?.locked === true
}

function hashOf(name: string): bigint {
  return createHash('sha256').update(`gatehouse ${name}`).digest().readBigInt64BE()
}
