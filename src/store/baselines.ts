/** The part of the contract that a gate waits for. */
import type { Baseline, Coordinate, Series, Timestamp } from '../gate/run.js'

export interface BaselineQueries {
  /**
   * For each coordinate of one exact series the newest `limit` trusted finite values, newest first, in the order of
   * `coordinates` (which holds no coordinate twice). Two queries at most, whatever the number of coordinates and however
   * long the history. Two values of one coordinate in one run (another writer's) both count, the greater first.
   */
  recentTrustedValues(series: Series, coordinates: readonly Coordinate[], limit: number): Promise<Baseline[]>

  /**
   * All that a verdict asks of one exact series, of one moment: baselines as `recentTrustedValues` gives them, and for
   * each metric of `stepsOf` that a trusted run holds at a step >= 0 the steps (ascending, distinct) of the newest such
   * run. One query in the usual case, three at most.
   */
  gateHistory(series: Series, question: GateQuestion): Promise<GateHistory>
}

/** What a gate asks of the history of one series. */
export interface GateQuestion {
  /** No coordinate twice. */
  readonly coordinates: readonly Coordinate[]
  /** The metrics whose newest trusted steps are asked for. */
  readonly stepsOf: readonly string[]
  /** Values of a baseline at most. */
  readonly limit: number
}

/** What `gateHistory` answers; the baselines in the order of the coordinates. */
export interface GateHistory {
  /** The store's clock at the moment of reading. */
  readonly now: Timestamp
  readonly baselines: readonly Baseline[]
  readonly trustedSteps: ReadonlyMap<string, readonly number[]>
}
