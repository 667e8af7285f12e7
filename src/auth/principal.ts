import type { Job } from '../policy/provenance.js'
import { type Scope, SCOPES } from '../policy/scopes.js'

export { SCOPES, type Scope }

/** Who asks, and what they may do. Open mode is a principal with every scope. */
export interface Principal {
  /** Named in logs, revocations and verdicts. */
  readonly actor: string
  /** Idempotency keys belong to this owner: a token, or an OIDC repository. */
  readonly owner: string
  readonly scopes: ReadonlySet<Scope>
  /** The configuration rule that granted the scopes; null where none did. */
  readonly rule: string | null
  /** The test paths that it may change begin with one of these; null where it is not confined. */
  readonly testPathPrefixes: readonly string[] | null
  /** The CI job that identified itself by its own token; null for every other credential. */
  readonly job: Job | null
}

/** What most principals lack. */
export const UNCONFINED = { rule: null, testPathPrefixes: null, job: null } as const

/** Without any credential configured, on loopback alone. */
export const OPEN_MODE_PRINCIPAL: Principal = {
  actor: 'open-mode',
  owner: 'open-mode',
  scopes: new Set(SCOPES),
  ...UNCONFINED,
}

/** Whether the principal holds one of `scopes`; `admin` holds them all. */
export function mayDo(principal: Principal, ...scopes: readonly Scope[]): boolean {
  return principal.scopes.has('admin') || scopes.some((scope) => principal.scopes.has(scope))
}
