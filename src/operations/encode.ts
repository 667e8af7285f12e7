import type { Static } from 'typebox'
import { wireInteger } from '../documents/json.js'
import type { ProvenanceSchema, SeriesSchema } from '../documents/common.js'
import type { VerdictDocument } from '../documents/verdict.js'
import type { Series } from '../gate/run.js'
import type { Job } from '../policy/provenance.js'
import type { StoredRun } from '../store/runs.js'

/** The series as a document names it. */
export function encodeSeries({ testPath, backend, suite }: Series): Static<typeof SeriesSchema> {
  return { test_path: testPath, backend, suite }
}

/** The provenance as a document names it; another writer's run may lack its commit. */
export function encodeProvenance(provenance: StoredRun['provenance']): Static<typeof ProvenanceSchema> {
  return {
    commit_sha: provenance.commitSha,
    pr_number: provenance.prNumber,
    github_run_id: wireInteger(provenance.githubRunId),
    github_run_attempt: provenance.githubRunAttempt,
    event_name: provenance.eventName,
    ref: provenance.ref,
  }
}

/** What the submitting job's token says, beside the provenance of the run. */
export function encodeClaims({ claims, onBehalf }: Job): NonNullable<VerdictDocument['claims']> {
  return {
    repository: claims.repository,
    sha: claims.commitSha,
    ref: claims.ref,
    event_name: claims.eventName,
    run_id: wireInteger(claims.githubRunId),
    run_attempt: claims.githubRunAttempt,
    on_behalf: onBehalf,
  }
}
