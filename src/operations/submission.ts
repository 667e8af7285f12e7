import type { Principal } from '../auth/principal.js'
import type { Cadence, Provenance, Series } from '../gate/run.js'
import type { Job } from '../policy/provenance.js'

/** A submission as its transport read it: fields are valid on their own, declarations and record are still raw. */
export interface Submission {
  readonly series: Series
  readonly provenance: Provenance
  /** The job that submits it, where it identified itself. */
  readonly job: Job | null
  /** What the client named, and the facts from which a cadence is resolved otherwise. */
  readonly cadence: Cadence | null
  readonly schedule: string | null
  readonly labels: readonly string[]
  readonly declarations: DeclarationSource
  readonly record: RecordSource | null
}

/** Declarations are read from source text, or from JSON text whose literals are still unread. */
export type DeclarationSource =
  | { readonly kind: 'python'; readonly bytes: Uint8Array }
  | { readonly kind: 'json'; readonly bytes: Uint8Array }

/** JSON Lines as sent (one part per process), or the array of a JSON body as `JSON.parse` made it. */
export type RecordSource =
  | { readonly kind: 'parts'; readonly parts: readonly Uint8Array[] }
  | { readonly kind: 'array'; readonly items: readonly unknown[] }

/** What an operation knows of the one who asks. */
export interface Caller {
  readonly principal: Principal
  /** For the log line of each state change. */
  readonly requestId: string
}
