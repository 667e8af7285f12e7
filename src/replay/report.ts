import type { Coordinate, Series, Timestamp } from '../gate/run.js'

/** What a replay found. Lists of runs stand oldest first, lists of coordinates by series, metric key and step. */
export interface ReplayReport {
  readonly snapshot: ReplaySnapshot
  readonly counts: ReplayCounts
  readonly incomplete: Listed<IncompleteRun>
  readonly declarationsWithoutEligibleComparisons: Listed<IdleDeclaration>
  /** Failing candidates whose run is trusted. */
  readonly trustedInconsistencies: Listed<FailingCandidate>
  /** Failing candidates whose run is not. */
  readonly untrustedRegressions: Listed<FailingCandidate>
  readonly ambiguousWindows: Listed<AmbiguousWindow>
  readonly staleCoordinates: Listed<StaleCoordinate>
  readonly zeroFlipCoordinates: Listed<ZeroFlipCoordinate>
  readonly outcome: 'pass' | 'fail'
}

export interface ReplaySettings {
  /** Size of a baseline (BASELINE_WINDOW). */
  readonly window: number
  /** Trusted values that enforcement needs (ENFORCE_MIN_HISTORY). */
  readonly minimum: number
  /** How many entries each list of the report holds at most; the totals count all. */
  readonly listLimit: number
}

/** They bound the candidates and the coverage, not the baselines. `since` is inclusive, `until` exclusive. */
export interface ReplayBounds {
  readonly since: Timestamp | null
  readonly until: Timestamp | null
}

export interface ReplaySnapshot extends ReplaySettings, ReplayBounds {
  /** What was read: every run before `until`, with its values, and the series that they belong to. */
  readonly runs: number
  readonly values: number
  readonly series: number
}

/** `passes + failures = enforcementEligible + insufficientHistory = comparisons`. */
export interface ReplayCounts {
  comparisons: number
  passes: number
  failures: number
  enforcementEligible: number
  insufficientHistory: number
  coldStarts: number
  ambiguousWindow: number
  /** Pairs of a run and a metric that it lacks, wholly or in part. */
  incomplete: number
}

/** At most `listLimit` entries, and how many there are. */
export interface Listed<T> {
  readonly items: readonly T[]
  readonly total: number
}

export interface CandidatePlace extends Coordinate {
  readonly runId: string
  readonly createdAt: Timestamp
  readonly series: Series
  readonly value: number
}

export interface FailingCandidate extends CandidatePlace {
  readonly rule: 'band' | 'hard_ref'
  /** Where the value lies; null for a NaN. */
  readonly side: Side | null
  /** null for a `hard_ref`, whose `lower` and `upper` are its limits. */
  readonly n: number | null
  readonly mean: number | null
  readonly lower: number | null
  readonly upper: number | null
  readonly insufficientHistory: boolean
}

export type Side = 'above' | 'below'

export interface AmbiguousWindow extends CandidatePlace {
  readonly trusted: boolean
  /** The time of the group of values through which the window would cut. */
  readonly cutAt: Timestamp
}

export interface IncompleteRun {
  readonly runId: string
  readonly createdAt: Timestamp
  readonly series: Series
  readonly metricKey: string
  /** Ascending, the first hundred; empty where `steps` is "all" and the run holds nothing of the metric. */
  readonly missingSteps: readonly number[]
  readonly missingStepsTotal: number
}

export interface IdleDeclaration {
  readonly series: Series
  readonly metricKey: string
  /** Those with insufficient history. */
  readonly comparisons: number
  readonly coldStarts: number
}

/** The latest three comparisons all fail on the same side: the trusted history no longer matches the present level. */
export interface StaleCoordinate extends Coordinate {
  readonly series: Series
  readonly side: Side
  /** Those three, oldest first. */
  readonly latest: readonly FailingCandidate[]
  /**
   * The coordinate's trusted runs, oldest first: revoked, its history begins anew. All of them, or null where the
   * report would grow beyond bounds, since a reset in part is none.
   */
  readonly resetRunIds: readonly string[] | null
  readonly resetRunIdsTotal: number
  /** Other coordinates of the series that hold values of those runs: trust is per run. The first hundred. */
  readonly otherCoordinates: readonly AffectedCoordinate[]
  readonly otherCoordinatesTotal: number
  /** How many of all those others are left without any trusted value. */
  readonly otherCoordinatesEmptied: number
  /** Whether it is a zero-flip coordinate as well. */
  readonly ambiguous: boolean
}

export interface AffectedCoordinate extends Coordinate {
  readonly runsLost: number
  /** Trusted runs that still hold the coordinate afterwards. */
  readonly runsLeft: number
}

/** A failing coordinate whose values mix exact zeros with others: no tight band fits. */
export interface ZeroFlipCoordinate extends Coordinate {
  readonly series: Series
  readonly zeros: number
  readonly nonZeros: number
  readonly failures: number
  /** Whether it is a stale coordinate as well. */
  readonly ambiguous: boolean
}
