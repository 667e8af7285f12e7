import type { Fault } from '../gate/outcome.js'
import type { Provenance } from '../gate/run.js'

/** What a job's identity token proves of it; null where the token says nothing. */
export interface JobClaims {
  readonly repository: string | null
  readonly commitSha: string | null
  readonly ref: string | null
  readonly eventName: string | null
  readonly githubRunId: bigint | null
  readonly githubRunAttempt: number | null
}

/** A job that identified itself. */
export interface Job {
  readonly claims: JobClaims
  /** It submits the record of another run (a fork's, say): commit, ref and pull request are that run's. */
  readonly onBehalf: boolean
}

/** What a client says of its run; null where it says nothing. */
export type GivenProvenance = { readonly [K in keyof Provenance]: Provenance[K] | null }

export type ProvenanceResult =
  | { readonly ok: true; readonly provenance: Provenance }
  | { readonly ok: false; readonly faults: ReadonlyArray<Fault & { readonly where: keyof Provenance }> }

const PROVEN = ['commitSha', 'ref', 'eventName', 'githubRunId', 'githubRunAttempt'] as const
const OTHERS_OWN: ReadonlySet<string> = new Set(['commitSha', 'ref'])

/**
 * The provenance of a run. What the job's token proves stands: what the client leaves out is filled from it, and what
 * contradicts it is a fault, so that no job can pass its run for another's. A job that submits on behalf of another run
 * says itself which commit and ref that run has.
 * @param job null where the credential is no job's
 * @returns every fault, each under its field
 */
export function resolveProvenance(given: GivenProvenance, job: Job | null): ProvenanceResult {
  const faults: Array<Fault & { where: keyof Provenance }> = []
  const proven: Partial<Record<keyof Provenance, unknown>> = {}
  for (const field of PROVEN) {
    const claim = job === null || (job.onBehalf && OTHERS_OWN.has(field)) ? null : job.claims[field]
    if (claim === null) continue
    if (given[field] !== null && given[field] !== claim) {
      const message = `is ${String(given[field])}, and the job's identity token says ${String(claim)}; leave it out, or send what the token says`
      faults.push({ where: field, message })
    }
    proven[field] = claim
  }
  const provenance = { ...given, ...proven } as GivenProvenance
  if (provenance.commitSha === null) {
    faults.push({ where: 'commitSha', message: 'is missing; send the whole SHA of the commit that ran' })
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, provenance: provenance as Provenance }
}
