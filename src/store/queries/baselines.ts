/** From the rows of a backend's baseline statement to baselines. */
import { compareCodePoints } from '../../gate/literal.js'
import type { Baseline, TrustedRun } from '../../gate/run.js'

export interface BaselineRow {
  /** Which of the coordinates asked for, from 0. */
  readonly position: number
  readonly run_id: string
  readonly created_at: string
  /** Null for a non-finite value. */
  readonly value: number | null
}

/**
 * How both backends look for a baseline. Most coordinates are in nearly every run: the walk through the newest
 * trusted runs, a look-up in each, fills their window at once. It ends after twice the window, since a coordinate that
 * is new, or that only some runs hold, would otherwise be looked up in every run there is (measured with 1,000 runs:
 * 2 ms for each such coordinate, of which one test file may bring a thousand). For the rest of those: when few runs of
 * all series hold the coordinate, these are taken; when many do, the walk goes on to the end.
 */
export function searchPlan(limit: number): { nearRuns: number; few: number } {
  return { nearRuns: 2 * limit, few: 500 }
}

/**
 * @param rows in order of position, then newest first. Finite ones are at least those of the window; non-finite ones
 *   are all that the series holds at the coordinate.
 */
export function readBaselines(rows: readonly BaselineRow[], count: number, limit: number): Baseline[] {
  const windows = Array.from({ length: count }, () => ({
    values: [] as number[],
    runs: [] as TrustedRun[],
    nonFinite: [] as BaselineRow[],
  }))
  for (const row of rows) {
    const window = windows[row.position]
    if (row.value === null) window?.nonFinite.push(row)
    else if (window !== undefined && window.values.length < limit) {
      window.values.push(row.value)
      window.runs.push({ runId: row.run_id, createdAt: row.created_at })
    }
  }
  return windows.map(({ values, runs, nonFinite }) => ({
    values,
    runs,
    nonFinite: passedOver(nonFinite, values.length < limit ? undefined : runs.at(-1)),
  }))
}

/**
 * How many non-finite values a walk for the window passed over: every one where it came to the end of the history,
 * otherwise those of runs not older than the last one taken.
 */
function passedOver(nonFinite: readonly BaselineRow[], oldest: TrustedRun | undefined): number {
  if (oldest === undefined) return nonFinite.length
  return nonFinite.filter((row) => {
    const age = compareCodePoints(row.created_at, oldest.createdAt)
    return age > 0 || (age === 0 && compareCodePoints(row.run_id, oldest.runId) >= 0)
  }).length
}

/** Steps by metric key, from rows in order of step. */
export function readSteps(
  rows: ReadonlyArray<{ readonly metric_key: string; readonly step: number }>,
): Map<string, number[]> {
  const steps = new Map<string, number[]>()
  for (const { metric_key, step } of rows) {
    const known = steps.get(metric_key)
    if (known === undefined) steps.set(metric_key, [step])
    else known.push(step)
  }
  return steps
}
