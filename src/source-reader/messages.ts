import type { SourceReading } from '../gate/literal.js'

/** What a parser process is asked; one file at a time. */
export interface ReadRequest {
  readonly bytes: Uint8Array
}

/** What it tells: `ready` once, then for each request `started` and `read`, or `broken` if a parser broke down. */
export type ParserReport =
  | { readonly kind: 'ready' | 'started' | 'broken' }
  | { readonly kind: 'read'; readonly outcome: SourceReading }
