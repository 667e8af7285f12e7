import { commitShaFault, int64Fault, MAX_INT32, MAX_TEXT } from '../gate/identity.js'
import { accepted, type Fault, type Outcome } from '../gate/outcome.js'
import { shown, textFault } from '../gate/text.js'
import type { Claims } from './oidc-rules.js'
import type { JobClaims } from './provenance.js'

/** Of an owner and a name as hosts allow them; it becomes part of an index entry. */
const MAX_REPOSITORY = 256

/** What a token that names its repository proves of its job. */
export type NamedJobClaims = JobClaims & { readonly repository: string }

/**
 * Reads the claims that become a run's provenance, by the rules for what a client sends of it. Ids come as digits, or as
 * numbers that a double holds exactly; an empty claim says nothing, like one that is missing.
 * @returns every claim that is malformed, under its name
 */
export function readJobClaims(claims: Claims): Outcome<NamedJobClaims> {
  const faults: Fault[] = []
  const text = (name: string, faultOf: (value: string) => string | null): string | null => {
    const value = Object.hasOwn(claims, name) ? (claims[name] ?? '') : ''
    if (value === '') return null
    const digits = isExact(value) && faultOf === int64Fault ? String(value) : value
    const fault = typeof digits === 'string' ? faultOf(digits) : `is of the type ${typeof value}`
    if (fault === null) return digits as string
    faults.push({ where: name, message: fault })
    return null
  }

  const repository = text('repository', repositoryFault)
  const commitSha = text('sha', commitShaFault)
  const ref = text('ref', keptTextFault)
  const eventName = text('event_name', keptTextFault)
  const runId = text('run_id', int64Fault)
  const attempt = text('run_attempt', int64Fault)
  const githubRunAttempt = attempt === null ? null : Number(attempt)
  if (githubRunAttempt !== null && (githubRunAttempt < 1 || githubRunAttempt > MAX_INT32)) {
    faults.push({ where: 'run_attempt', message: `must be from 1 to ${MAX_INT32}` })
  }
  if (faults.length > 0) return { ok: false, faults }
  // Whose idempotency keys these are, and who is named in logs, hangs on it.
  if (repository === null) return { ok: false, faults: [{ where: 'repository', message: 'is missing' }] }
  const githubRunId = runId === null ? null : BigInt(runId)
  return accepted({ repository, commitSha, ref, eventName, githubRunId, githubRunAttempt })
}

function isExact(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function repositoryFault(text: string): string | null {
  if (text.length > MAX_REPOSITORY) return `is longer than ${MAX_REPOSITORY} characters`
  return /^[\w.-]+\/[\w.-]+$/.test(text) ? null : `is ${shown(text)}, and no OWNER/NAME`
}

function keptTextFault(text: string): string | null {
  return text.length > MAX_TEXT ? `is longer than ${MAX_TEXT} characters` : textFault(text)
}
