import type { Declaration } from '../gate/declarations.js'
import type { Outcome } from '../gate/outcome.js'
import type { PlannedRecord } from '../operations/plan-record.js'

/** What the worker is asked; the parts' memory is handed over with it. */
export interface PlanRequest {
  readonly id: number
  readonly parts: readonly Uint8Array[]
  readonly declarations: readonly Declaration[]
}

export type PlanAnswer =
  | { readonly id: number; readonly outcome: Outcome<PlannedRecord> }
  | { readonly id: number; readonly error: string }
