import type { Declaration } from '../gate/declarations.js'

/** What the thread is asked; the parts' memory is handed over with it. */
export interface PlanRequest {
  readonly parts: readonly Uint8Array[]
  readonly declarations: readonly Declaration[]
}
