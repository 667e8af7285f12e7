/** Addresses of the views, in one place; and those of the forge that a run came from. */
import type { Provenance, Series } from './api/types'

/** What a series' view can be opened with. */
export interface SeriesView {
  readonly metric?: string
  readonly step?: number | null
  /** The time range that is looked at, as the address names it. */
  readonly range?: string | null
}

export function seriesHref(
  { test_path, backend, suite }: Series,
  { metric, step, range }: SeriesView = {},
): string {
  const query = new URLSearchParams({ test_path, backend, suite })
  if (metric !== undefined) query.set('metric_key', metric)
  if (step !== undefined && step !== null) query.set('step', String(step))
  if (range !== undefined && range !== null) query.set('range', range)
  return `/series?${query}`
}

export function runHref(runId: string): string {
  return `/runs/${encodeURIComponent(runId)}`
}

export function verdictHref(verdictId: string): string {
  return `/verdicts/${encodeURIComponent(verdictId)}`
}

export function revocationHref(revocationId: string): string {
  return `/revocations/${encodeURIComponent(revocationId)}`
}

export function gridHref(gridId: string): string {
  return `/evals/grids/${encodeURIComponent(gridId)}`
}

export function comparisonHref(comparisonId: string): string {
  return `/evals/comparisons/${encodeURIComponent(comparisonId)}`
}

export function ladderHref(ladder: string, variant?: string): string {
  const query = variant === undefined ? '' : `?${new URLSearchParams({ variant })}`
  return `/ladders/${encodeURIComponent(ladder)}${query}`
}

/** Where GitHub shows what a run came from; only a verified claim names the repository. */
export function forgeHrefs(repository: string | null, provenance: Provenance) {
  // From outside, though verified: nothing else may stand in an address.
  const isName = repository !== null && /^[\w.-]+\/[\w.-]+$/.test(repository)
  const base = isName ? `https://github.com/${repository}` : null
  const { commit_sha: sha, pr_number: pr, github_run_id: run, github_run_attempt: attempt } = provenance
  return {
    repository: base,
    commit: base && sha !== null && /^[0-9a-f]{7,64}$/i.test(sha) ? `${base}/commit/${sha}` : null,
    pullRequest: base && pr !== null ? `${base}/pull/${pr}` : null,
    workflowRun:
      base && run !== null
        ? `${base}/actions/runs/${run}${attempt === null ? '' : `/attempts/${attempt}`}`
        : null,
  }
}
