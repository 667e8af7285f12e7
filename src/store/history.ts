/** The part of the contract that is about history: what dashboards and tools read. */
import type { Series, Timestamp } from '../gate/run.js'
import type { ExportedRun, ReplayedRun } from './exchange.js'
import type { TimeRange } from './lists.js'
import type { RunFilter } from './runs.js'

/** They may come from a replica, and use indexes alone. */
export interface HistoryQueries {
  /** Series by code point of test path, backend, suite; at most `limit`, strictly after `after`. */
  listSeries(
    filter: SeriesListFilter,
    page: { limit: number; after: Series | null },
  ): Promise<SeriesListing[]>
  /** The metrics of one series by code point, each with its distinct steps (ascending) and its number of values. */
  listCoordinates(series: Series, page: { limit: number; after: string | null }): Promise<CoordinateListing[]>
  /** The declarations (JSON text) of the newest run of the series that brought any; null where none did. */
  newestDeclarations(series: Series): Promise<string | null>
  /** Values of one metric newest first: `created_at DESC, run_id DESC, step ASC, value DESC`, with what the run's own verdict said. */
  listHistory(filter: HistoryFilter, page: HistoryPage): Promise<HistoryPoint[]>
  /**
   * Runs oldest first (`created_at ASC, run_id ASC`) with all their values, on the snapshot of this transaction; a
   * few at a time in memory. Values by metric key, then step.
   */
  exportRuns(filter: RunFilter): AsyncIterable<ExportedRun>
  /** The same runs and values without what came with them, read by copies where there are some. */
  replayRuns(filter: RunFilter): AsyncIterable<ReplayedRun>
}

export interface SeriesListFilter {
  readonly testPathPrefix?: string
  readonly backend?: string
  readonly suite?: string
}

export interface SeriesListing {
  readonly series: Series
  readonly runs: number
  readonly trustedRuns: number
  readonly lastRun: { readonly runId: string; readonly createdAt: Timestamp; readonly trusted: boolean }
  /** What the verdict of the newest run said; null where it came another way. */
  readonly lastOutcome: 'pass' | 'fail' | null
}

export interface CoordinateListing {
  readonly metricKey: string
  readonly steps: readonly number[]
  readonly values: number
}

export interface HistoryFilter extends TimeRange {
  readonly series: Series
  readonly metricKey: string
  readonly step?: number
  readonly trusted?: boolean
}

/** `after` names the last point told. */
export interface HistoryPage {
  readonly limit: number
  readonly after: {
    readonly createdAt: Timestamp
    readonly runId: string
    readonly step: number
    readonly value: number
  } | null
}

export interface HistoryPoint {
  readonly runId: string
  readonly createdAt: Timestamp
  readonly commitSha: string | null
  readonly githubRunId: bigint | null
  readonly trusted: boolean
  readonly step: number
  readonly value: number
  /** The check of this coordinate in the run's own verdict, as JSON text of the wire's check; null where unknown. */
  readonly check: string | null
}
