import { compareCodePoints } from '../gate/literal.js'
import type { Series, Timestamp } from '../gate/run.js'
import type { IncompleteRun } from './report.js'

const MAX_MISSING_STEPS = 100

/** A run of the group of equal times that is being read, and what it lacks by metric. */
export interface CoveredRun {
  readonly runId: string
  readonly createdAt: Timestamp
  readonly series: Series
  /** null while it lacks nothing. */
  missing: Map<string, number[]> | null
}

/** Adds a step to what a run lacks of a metric; with null the run lacks the metric without a step to name. */
export function addMissing(run: CoveredRun, metricKey: string, step: number | null): void {
  run.missing ??= new Map()
  let steps = run.missing.get(metricKey)
  if (steps === undefined) run.missing.set(metricKey, (steps = []))
  if (step !== null) steps.push(step)
}

/** What a run lacks, one entry a metric by code point. */
export function* incompleteEntries({
  runId,
  createdAt,
  series,
  missing,
}: CoveredRun): Generator<IncompleteRun> {
  const metrics = [...(missing ?? [])].sort(([a], [b]) => compareCodePoints(a, b))
  for (const [metricKey, steps] of metrics) {
    steps.sort((a, b) => a - b)
    yield {
      runId,
      createdAt,
      series,
      metricKey,
      missingSteps: steps.slice(0, MAX_MISSING_STEPS),
      missingStepsTotal: steps.length,
    }
  }
}
