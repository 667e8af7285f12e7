/** By which metric a series is shown whose newest run failed: one that failed in it. */
import { get } from './client'
import type { RunItem, Verdict } from './types'

/** A verdict of more checks is not worth its bytes for this. */
const MOST_CHECKS = 1_000

export interface Chosen {
  readonly metric: string
  readonly step: number | null
}

/** @returns null where the run has no verdict, a very large one, or one without a failure */
export async function failedMetric(
  { verdict_id: id }: Pick<RunItem, 'verdict_id'>,
  signal: AbortSignal,
): Promise<Chosen | null> {
  if (id === null) return null
  const verdict = await get<Verdict>(`/v1/verdicts/${encodeURIComponent(id)}`, { signal })
  if (verdict.counts.checks > MOST_CHECKS) return null
  const check =
    verdict.checks.find(({ fails_ci }) => fails_ci) ?? verdict.checks.find(({ status }) => status === 'fail')
  return check ? { metric: check.metric_key, step: check.step } : null
}
