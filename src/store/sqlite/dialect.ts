import { sql } from 'kysely'
import type { Dialect } from '../queries/dialect.js'
import type { Timestamp } from '../../gate/run.js'
import { newestTrustedSteps, recentTrustedValues } from './baselines.js'
import { sqliteCodec } from './codec.js'
import { hasUncopiable, replaceVectors, readCopies, uncopiedRuns } from './copies.js'
import { impactedCoordinates } from './impact.js'
import { insertRun } from './insert-run.js'
import { insertVerdict } from './insert-verdict.js'

/** @param now the store's clock */
export function sqliteDialect(now: () => Timestamp): Dialect {
  return {
    ...sqliteCodec,
    now: () => Promise.resolve(now()),
    readCopies: (db, series, metricKeys, limit) => readCopies(db, now(), series, metricKeys, limit),
    uncopiedRuns,
    hasUncopiable,
    replaceVectors,
    clock: () => sql`${now()}`,
    recentTrustedValues,
    newestTrustedSteps,
    impactedCoordinates,
    insertVerdict,
    insertRun,
    // A writing transaction begins with the database's only write lock: whoever holds a key, flips trust, makes a token
    // or evaluates a ladder is alone.
    lockSubmissionKey: () => Promise.resolve(),
    lockTrust: () => Promise.resolve(),
    lockTokens: () => Promise.resolve(),
    lockLadder: () => Promise.resolve(),
  }
}

/** Microseconds that never repeat or step back within a process, whatever the system's clock does. */
export function risingClock(clock: () => Date): () => Timestamp {
  let last = 0
  return () => {
    last = Math.max(clock().getTime() * 1_000, last + 1)
    const milliseconds = Math.floor(last / 1_000)
    const micros = String(last % 1_000).padStart(3, '0')
    return new Date(milliseconds).toISOString().replace('Z', `${micros}Z`)
  }
}
