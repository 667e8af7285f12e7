/** What a credential may allow. `admin` holds all of them. */
export const SCOPES = [
  'runs:submit',
  'baselines:write',
  'history:read',
  'trust:revoke',
  'evals:write',
  'promotions:write',
  'admin',
] as const
export type Scope = (typeof SCOPES)[number]

/** Whoever holds one of these can write history. */
export const WRITING_SCOPES: ReadonlySet<Scope> = new Set(['baselines:write', 'admin'])
