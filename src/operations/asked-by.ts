import type { Principal } from '../auth/principal.js'
import type { Caller } from './submission.js'

/** Who asked, as each log line has it. */
export interface AskedBy {
  readonly actor: string
  /** Of tokens the id, by which one is told from an older one of its name. */
  readonly credential: string
  readonly request_id: string
}

export function askedBy({ principal, requestId }: Caller): AskedBy {
  return { ...credentialOf(principal), request_id: requestId }
}

/** Whose credential it was; for lines that have the request's id already. */
export function credentialOf({ actor, owner }: Principal): Omit<AskedBy, 'request_id'> {
  return { actor, credential: owner }
}
