/** The part of the contract that is about trust, and about what takes it away and gives it back. */
import type { Coordinate, Series, Timestamp } from '../gate/run.js'
import type { Page } from './lists.js'

export interface TrustQueries {
  /** The revocations that cover a run, newest first. */
  revocationsOf(runId: string): Promise<CoveringRevocation[]>
  /**
   * Those of the runs that a revocation keeps untrusted, by code point: untrusted now, covered by a standing revocation,
   * and flipped by one (undone or not). Others are untrusted because they never earned trust.
   */
  revokedAmong(runIds: readonly string[]): Promise<string[]>

  /** The runs that a selector matches, oldest last, with their trust. */
  matchRuns(selector: RunSelector): Promise<MatchedRun[]>
  /**
   * What would change if the trust of these runs went: coordinates that lose their baseline or fall under the
   * enforcement minimum, and the stored verdicts whose evidence holds one of them. Read before the runs are flipped.
   */
  revocationImpact(runIds: readonly string[], settings: ImpactSettings): Promise<RevocationImpact>
  findRevocation(revocationId: string): Promise<Revocation | null>
  listRevocations(page: Page): Promise<Revocation[]>
  /**
   * The runs that undoing a standing revocation makes trusted again: those it covers that some revocation (undone or
   * not) had flipped, that are untrusted now, and that no other standing revocation covers; and those held back by
   * another standing one.
   */
  restorableRuns(revocationId: string): Promise<RestorableRuns>
}

export interface TrustWrites {
  /** Revocations and undos of all instances come one after the other; held to the end of the transaction. */
  lockTrust(): Promise<void>
  /** Flips every matching trusted run to untrusted; answers the runs it changed, newest first. */
  markUntrusted(selector: RunSelector): Promise<string[]>
  writeRevocation(revocation: NewRevocation): Promise<void>
  /** Makes runs trusted again and keeps who undid the revocation, when and why. */
  writeUndo(undo: NewUndo): Promise<void>
}

export type RunSelector =
  { readonly runIds: readonly string[] } | { readonly githubRunId: bigint } | { readonly commitSha: string }

export interface MatchedRun {
  readonly runId: string
  readonly testPath: string
  readonly trusted: boolean
}

export interface ImpactSettings {
  /** Size of a baseline (BASELINE_WINDOW). */
  readonly window: number
  /** Trusted values that enforcement needs (ENFORCE_MIN_HISTORY). */
  readonly minimum: number
  /** How many entries each list holds at most; the totals count all. */
  readonly limit: number
}

export interface RevocationImpact {
  /** Cold ones first, then by series, metric key and step. `nBefore` and `nAfter` are sizes of the baseline. */
  readonly coordinates: readonly ImpactedCoordinate[]
  readonly coordinatesTotal: number
  /** Newest first. */
  readonly verdicts: readonly ImpactedVerdict[]
  readonly verdictsTotal: number
}

export interface ImpactedCoordinate extends Coordinate {
  readonly series: Series
  readonly nBefore: number
  readonly nAfter: number
  readonly effect: 'cold' | 'below_minimum'
}

export interface ImpactedVerdict {
  readonly verdictId: string
  readonly createdAt: Timestamp
  readonly series: Series
  readonly outcome: 'pass' | 'fail'
}

export interface NewRevocation {
  readonly revocationId: string
  readonly createdAt: Timestamp
  readonly actor: string
  readonly reason: string
  readonly selector: RunSelector
  /** Every run that matched when it was made, also those untrusted already. */
  readonly matched: readonly string[]
  /** Those of them that it changed. */
  readonly flipped: readonly string[]
  /** The impact as JSON text, as it was told when the revocation was made. */
  readonly impact: string
}

export interface Revocation extends Omit<NewRevocation, 'selector'> {
  readonly undone: { readonly createdAt: Timestamp; readonly actor: string; readonly reason: string } | null
}

export interface CoveringRevocation {
  readonly revocationId: string
  readonly createdAt: Timestamp
  readonly actor: string
  readonly reason: string
  /** Whether this revocation is the one that made the run untrusted. */
  readonly flipped: boolean
  readonly undone: boolean
}

export interface RestorableRuns {
  readonly restore: readonly string[]
  readonly heldBack: ReadonlyArray<{ readonly runId: string; readonly revocationId: string }>
}

export interface NewUndo {
  readonly revocationId: string
  readonly createdAt: Timestamp
  readonly actor: string
  readonly reason: string
  readonly restore: readonly string[]
}
