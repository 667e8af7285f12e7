import type { HistoryPointDocument } from '../documents/history.js'
import type { RevocationDocument } from '../documents/revocation.js'

/** The points of a history chart, and what each of them is. */

export const POINT_KINDS = ['trusted', 'unjudged', 'failed', 'untrusted', 'revoked'] as const

/**
 * What a point is drawn as; one kind each, so that no mark needs two signs.
 * - `trusted`: of a trusted run, and its own check passed
 * - `unjudged`: of a trusted run, compared with nothing: a cold start, or a run that came another way than by a submission
 * - `failed`: its own check failed
 * - `untrusted`: of a run that is untrusted for another reason: another metric failed, or it was imported so
 * - `revoked`: of a run whose trust was taken away
 */
export type PointKind = (typeof POINT_KINDS)[number]

/** A legend's words for the kinds. */
export const KIND_WORDS: Readonly<Record<PointKind, string>> = {
  trusted: 'trusted',
  unjudged: 'trusted, not compared',
  failed: 'failed',
  untrusted: 'untrusted run',
  revoked: 'revoked',
}

export interface ChartPoint {
  /** What `GET /v1/history` told. */
  readonly item: HistoryPointDocument
  /** When the run was received, in milliseconds since 1970. */
  readonly at: number
  /** Finite. */
  readonly value: number
  readonly kind: PointKind
  /** The corridor of the run's own verdict; each null where it is unknown, or has no such side. */
  readonly mean: number | null
  readonly lower: number | null
  readonly upper: number | null
}

/**
 * Reads a point of the history.
 * @param revoked the runs whose trust was taken away, as `revokedRuns` tells them
 * @returns null where there is nothing to draw: the value is not finite, or the time none
 */
export function chartPoint(item: HistoryPointDocument, revoked: ReadonlySet<string>): ChartPoint | null {
  const value = finite(item.value)
  const at = Date.parse(item.created_at)
  if (value === null || !Number.isFinite(at)) return null
  return {
    item,
    at,
    value,
    kind: kindOf(item, revoked),
    mean: finite(item.mean),
    lower: finite(item.lower),
    upper: finite(item.upper),
  }
}

function kindOf({ run_id, trusted, status }: HistoryPointDocument, revoked: ReadonlySet<string>): PointKind {
  if (!trusted && revoked.has(run_id)) return 'revoked'
  if (status === 'fail' || status === 'error') return 'failed'
  if (!trusted) return 'untrusted'
  return status === 'pass' ? 'trusted' : 'unjudged'
}

/** A bound that JSON cannot carry bounds nothing. */
function finite(value: number | string | null): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/**
 * The runs that a revocation keeps untrusted: a standing one covers them, and one (undone or not) had flipped them. A
 * covered run that no revocation flipped had never earned trust.
 * @param revocations all that were made since the oldest run in question
 */
export function revokedRuns(
  revocations: ReadonlyArray<Pick<RevocationDocument, 'run_ids' | 'matched_run_ids' | 'undone'>>,
): Set<string> {
  const flipped = new Set(revocations.flatMap(({ run_ids }) => run_ids))
  const standing = revocations.filter(({ undone }) => undone === null)
  return new Set(standing.flatMap(({ matched_run_ids }) => matched_run_ids.filter((id) => flipped.has(id))))
}
