import type { SourceReading } from '../gate/literal.js'

/** What the worker is asked; one file at a time. */
export interface ReadRequest {
  readonly bytes: Uint8Array
}

/** What the worker tells: `ready` once, then for each request `started` and `read`, or `broken` if a parser broke down. */
export type WorkerReport =
  | { readonly kind: 'ready' | 'started' | 'broken' }
  | { readonly kind: 'read'; readonly outcome: SourceReading }
