import type { Declaration, GateDefaults } from '../gate/declarations.js'
import type { SourceReading } from '../gate/literal.js'
import type { Outcome } from '../gate/outcome.js'
import type { CadencePolicy } from '../policy/cadence.js'
import type { MetricHistoryStore } from '../store/store.js'
import type { PlannedRecord } from './plan-record.js'
import type { RecordSource } from './submission.js'

/** The operator's settings that decide how runs are judged and kept. */
export interface Settings {
  /** How many trusted values a baseline holds at most (BASELINE_WINDOW). */
  readonly baselineWindow: number
  /** How many of them a failing band needs to fail CI (ENFORCE_MIN_HISTORY). */
  readonly enforceMinHistory: number
  readonly cadencePolicy: CadencePolicy
  readonly gateDefaults: GateDefaults
  /** Days that a verdict which wrote no run is kept (VERDICT_RETENTION_DAYS). */
  readonly verdictRetentionDays: number
}

/** What every operation works with. */
export interface Gatehouse {
  readonly store: MetricHistoryStore
  readonly settings: Settings
  /** Reads the gate calls out of a Python test file, within a deadline. */
  readPython(source: Uint8Array): Promise<SourceReading>
  /** Reads a record and selects what is judged; a large one where nothing waits for it. */
  planRecord(
    source: RecordSource | null,
    declarations: readonly Declaration[],
  ): Promise<Outcome<PlannedRecord>>
  readonly log: OperationLog
}

/** The part of a pino logger that operations use: every state change is logged with actor and request id. */
export interface OperationLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
