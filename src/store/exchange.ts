/** Runs as they leave a store and come into it. */
import type { Cadence } from '../gate/run.js'
import type { RunValue, StoredRun } from './runs.js'

/** A run as an export tells it. `declarations` is JSON text. */
export interface ExportedRun extends StoredRun {
  readonly cadence: Cadence | null
  readonly declarations: string | null
  readonly values: readonly RunValue[]
}

/** A run as a replay takes it. */
export interface ReplayedRun extends StoredRun {
  readonly values: ReadonlyArray<Pick<RunValue, 'metricKey' | 'step' | 'value'>>
}

/** A run that comes with its time, its trust and its id; without a commit where an export holds another writer's. */
export interface ImportedRun extends StoredRun {
  readonly values: readonly RunValue[]
  readonly cadence: Cadence | null
  readonly declarations: string | null
  /** Where it stands in the file (`line 17`), for a conflict's message. */
  readonly where: string
}

export interface ImportResult {
  readonly runs: number
  readonly values: number
  readonly skipped: number
}
