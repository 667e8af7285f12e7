/** Rows to the words of the domain, and back. */
import type { Series } from '../../gate/run.js'
import type { RunValue, StoredRun } from '../runs.js'

export interface SeriesRow {
  readonly test_path: string
  readonly backend: string
  readonly suite: string
}

export interface ProvenanceRow {
  readonly commit_sha: string | null
  readonly pr_number: number | null
  readonly github_run_id: string | null
  readonly github_run_attempt: number | null
  readonly event_name: string | null
  readonly ref: string | null
}

export interface RunRow extends SeriesRow, ProvenanceRow {
  readonly run_id: string
  readonly created_at: string
  readonly trusted: boolean | number
}

export interface ValueRow {
  readonly metric_key: string
  readonly step: number
  readonly value: unknown
  readonly steps_key: string | null
  readonly constraint_key: string | null
}

export function readValue(row: ValueRow): RunValue {
  return {
    metricKey: row.metric_key,
    step: row.step,
    value: readNumber(row.value),
    stepsKey: row.steps_key ?? '',
    constraintKey: row.constraint_key ?? '',
  }
}

/** SQLite keeps another writer's NaN as null, and any text that it was given as text. */
export function readNumber(value: unknown): number {
  return typeof value === 'number' ? value : NaN
}

export function readSeries(row: SeriesRow): Series {
  return { testPath: row.test_path, backend: row.backend, suite: row.suite }
}

export function readProvenance(row: ProvenanceRow): StoredRun['provenance'] {
  return {
    commitSha: row.commit_sha,
    prNumber: row.pr_number,
    githubRunId: row.github_run_id === null ? null : BigInt(row.github_run_id),
    githubRunAttempt: row.github_run_attempt,
    eventName: row.event_name,
    ref: row.ref,
  }
}

export function provenanceColumns<P extends StoredRun['provenance']>(provenance: P) {
  return {
    // Only an imported run may lack one, and the type of a run that may not says so.
    commit_sha: provenance.commitSha as P['commitSha'],
    pr_number: provenance.prNumber,
    github_run_id: provenance.githubRunId,
    github_run_attempt: provenance.githubRunAttempt,
    event_name: provenance.eventName,
    ref: provenance.ref,
  }
}

/** Pieces of at most `size`, for statements of many rows. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  const pieces: T[][] = []
  for (let start = 0; start < items.length; start += size) pieces.push(items.slice(start, start + size))
  return pieces
}
