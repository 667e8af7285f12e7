import type { DriftSeries } from './config.js'
import type { Evidence } from './evidence.js'
import type { Ladder } from './ladder.js'
import type { Readings } from './readings.js'

/** The newest stored run of a drift series with a variant's commit, as it stands now. */
export interface DriftFact {
  readonly series: DriftSeries
  readonly run: {
    readonly runId: string
    readonly trusted: boolean
    /** What its own verdict said; null where it came another way than by a submission. */
    readonly outcome: 'pass' | 'fail' | null
  } | null
}

/** Version to the facts of its drift series. A series without a fact has no run. */
export type DriftFacts = ReadonlyMap<string, readonly DriftFact[]>

/** What predicates may look at. */
export interface Context {
  readonly ladder: Ladder
  readonly evidence: Evidence
  readonly readings: Readings
  readonly drift: DriftFacts
}
