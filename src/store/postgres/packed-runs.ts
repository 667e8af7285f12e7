/**
 * Which runs the copies of a metric are of, in the server's binary form. JSON with times as text took half of what a
 * small verdict's statement costs the server (200 of 415 µs for a hundred copies).
 */
import { sql } from 'kysely'
import type { Timestamp } from '../../gate/run.js'
import type { CopiedRun } from '../gate-history.js'

/** One row `v` of the copies: time, bytes of steps, of values, of the id, and the id. */
export const packedRun = sql`timestamptz_send(v.created_at) || int4send(length(v.steps)) || int4send(length(v.vals))
  || int4send(octet_length(v.run_id)) || textsend(v.run_id)`

const HEAD_BYTES = 8 + 3 * 4

/** The runs that were packed one behind the other. */
export function unpackRuns(packed: Buffer): CopiedRun[] {
  const runs: CopiedRun[] = []
  for (let at = 0; at < packed.length;) {
    const id = at + HEAD_BYTES
    const end = id + packed.readInt32BE(at + 16)
    runs.push([
      packed.toString('utf8', id, end),
      timestampOf(packed.readBigInt64BE(at)),
      packed.readInt32BE(at + 8),
      packed.readInt32BE(at + 12),
    ])
    at = end
  }
  return runs
}

/** @param micros since 2000 */
export function timestampOf(micros: bigint): Timestamp {
  const rest = ((micros % 1_000n) + 1_000n) % 1_000n
  const milliseconds = Number((micros - rest) / 1_000n)
  return `${new Date(FIRST_MS + milliseconds).toISOString().slice(0, -1)}${String(rest).padStart(3, '0')}Z`
}

const FIRST_MS = Date.UTC(2000, 0)
