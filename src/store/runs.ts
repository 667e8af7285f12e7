/** The part of the contract that is about runs and their values. */
import type { Cadence, Provenance, Series, Timestamp } from '../gate/run.js'
import type { Page, SeriesFilter, TimeRange } from './lists.js'

export interface RunQueries {
  listRuns(filter: RunFilter, page: Page): Promise<RunListing[]>
  /** The values of one run, by metric key, then step. */
  valuesOf(runId: string): Promise<RunValue[]>
}

export interface RunWrites {
  /**
   * One run with provenance, trust and all its values. Refuses, before touching anything, a value that is not finite
   * or a step or text the databases cannot both hold (`assertStorable`). -0 is stored as 0.
   * The same `runId` again changes nothing.
   */
  writeRun(run: NewRun): Promise<void>
}

export interface NewRun {
  readonly runId: string
  readonly series: Series
  readonly provenance: Provenance
  readonly createdAt: Timestamp
  readonly trusted: boolean
  readonly values: readonly RunValue[]
}

export interface RunValue {
  readonly metricKey: string
  readonly step: number
  readonly value: number
  /** Canonical JSON of the literals that judged the value; empty where another tool wrote none. */
  readonly stepsKey: string
  readonly constraintKey: string
}

/** A run as stored. Another writer's rows may lack a commit. */
export interface StoredRun {
  readonly runId: string
  readonly createdAt: Timestamp
  readonly trusted: boolean
  readonly series: Series
  readonly provenance: Omit<Provenance, 'commitSha'> & { readonly commitSha: string | null }
}

/** A run with what its own verdict said; null where the run came another way. */
export interface RunListing extends StoredRun {
  readonly cadence: Cadence | null
  readonly verdictId: string | null
  readonly outcome: 'pass' | 'fail' | null
}

/** Filters are joined by AND; an absent one selects everything. */
export interface RunFilter extends TimeRange, SeriesFilter {
  readonly runId?: string
  readonly commitSha?: string
  readonly githubRunId?: bigint
  readonly prNumber?: number
  readonly trusted?: boolean
}
