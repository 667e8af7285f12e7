/** What the lists of the contract have in common. */
import type { Timestamp } from '../gate/run.js'

export interface SeriesFilter {
  readonly testPath?: string
  readonly backend?: string
  readonly suite?: string
}

/** `since` is inclusive, `until` exclusive. */
export interface TimeRange {
  readonly since?: Timestamp
  readonly until?: Timestamp
}

/** A page of a list that is newest first: at most `limit` rows strictly after (older than) the given row. */
export interface Page {
  readonly limit: number
  readonly after: { readonly createdAt: Timestamp; readonly id: string } | null
}
