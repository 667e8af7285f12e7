import type { Fault } from './gate/outcome.js'

/**
 * The one catalogue of what can go wrong. A code stands in an answer's `type` (`urn:gatehouse:problem:CODE`) and
 * never changes its meaning; `docs/errors.md` explains each, and a test holds the two together.
 */
export const PROBLEMS = {
  malformed_body: { status: 400, title: 'The body cannot be parsed' },
  invalid_query: { status: 400, title: 'A query parameter is wrong' },
  bad_cursor: { status: 400, title: 'The cursor is not of this list' },
  bad_request: { status: 400, title: 'The request cannot be understood' },
  unauthorized: { status: 401, title: 'A good credential is needed' },
  forbidden: { status: 403, title: 'Not allowed' },
  not_found: { status: 404, title: 'Nothing is here' },
  method_not_allowed: { status: 405, title: 'The resource does not take this method' },
  idempotency_conflict: { status: 409, title: 'The idempotency key was used for other content' },
  import_conflict: { status: 409, title: 'An imported run is stored with other content' },
  name_taken: { status: 409, title: 'The name is taken' },
  content_conflict: { status: 409, title: 'The id was used for other content' },
  result_conflict: { status: 409, title: 'The comparison takes no such result' },
  override_refused: { status: 409, title: 'The variant cannot be moved so' },
  already_undone: { status: 409, title: 'The revocation is undone already' },
  too_large: { status: 413, title: 'Too large' },
  unsupported_media_type: { status: 415, title: 'This media type is not taken' },
  invalid_input: { status: 422, title: 'The input is not valid' },
  rate_limited: { status: 429, title: 'Too much at once' },
  internal: { status: 500, title: 'A fault of the service' },
  unavailable: { status: 503, title: 'Not available now' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof PROBLEMS

/** A refusal that becomes a problem document. Thrown by operations and routes; mapped to HTTP in one place. */
export class GatehouseError extends Error {
  override readonly name = 'GatehouseError'
  readonly status: number

  constructor(
    readonly code: ProblemCode,
    /** What was wrong and what would be right, for the person who reads the answer. */
    readonly detail: string,
    readonly faults: readonly Fault[] = [],
    /** Further members of the problem document (a failed write carries its checks). */
    readonly extensions: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(detail, options)
    this.status = PROBLEMS[code].status
  }
}

/** A 422 that names each fault. */
export function invalidInput(faults: readonly Fault[]): GatehouseError {
  const first = faults[0]
  if (first === undefined) throw new TypeError('a refusal needs a fault')
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return new GatehouseError('invalid_input', `${first.where}: ${first.message}${more}`, faults)
}
