/** The words of the domain that gate, store and operations share. Types only. */

/** The "same test": two runs that differ in any of the three never share a baseline. */
export interface Series {
  readonly testPath: string
  readonly backend: string
  /** The stage that the run executed on. */
  readonly suite: string
}

/** Where a value lives within a run. */
export interface Coordinate {
  readonly metricKey: string
  /** The step the value came from, or `LAST_STEP` / `MEAN_STEP` for a reduction of the whole series. */
  readonly step: number
}

/** The step of a `"last"` coordinate: never the step it happened to land on. */
export const LAST_STEP = -1
/** The step of a `"mean"` coordinate. */
export const MEAN_STEP = -2

/** Audit data and a handle for revoking; never part of a baseline's key. */
export interface Provenance {
  readonly commitSha: string
  readonly prNumber: number | null
  readonly githubRunId: bigint | null
  readonly githubRunAttempt: number | null
  readonly eventName: string | null
  readonly ref: string | null
}

export const CADENCES = ['nightly', 'weekly', 'regular', 'release'] as const
export type Cadence = (typeof CADENCES)[number]

/** RFC 3339 in UTC with six decimals (`2026-11-30T18:00:00.123456Z`): one fixed width, so that text order is time order. */
export type Timestamp = string

/** A run that a baseline's value comes from. */
export interface TrustedRun {
  readonly runId: string
  readonly createdAt: Timestamp
}

/** The newest trusted finite values of one coordinate in one series, newest first. */
export interface Baseline {
  readonly values: readonly number[]
  /** The run of each value. Most coordinates of a metric share one array, and what is asked of it is asked once. */
  readonly runs: readonly TrustedRun[]
  /**
   * How many non-finite values (another writer's) the search passed over: all of the series' trusted ones while the
   * window is not full, otherwise those of runs not older than the oldest of `values`.
   */
  readonly nonFinite: number
}
