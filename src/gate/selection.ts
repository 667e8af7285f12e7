import { describeInvalid, type MetricPoints, type Point } from './record.js'
import { LAST_STEP, MEAN_STEP } from './run.js'
import { mean } from './statistics.js'
import type { Steps } from './steps.js'

/** One value to judge: the step of its coordinate, and the step that it came from (null where it came from none). */
export interface SelectedValue {
  readonly step: number
  readonly atStep: number | null
  readonly value: number
}

/** What a declaration selects from its metric, or why it can select nothing. */
export type Selection =
  | { readonly ok: true; readonly values: readonly SelectedValue[] }
  | { readonly ok: false; readonly reason: string }

/** @param metric the merged points; undefined where the record does not hold the metric */
export function select(steps: Steps, metric: MetricPoints | undefined): Selection {
  if (metric === undefined) return nothing('the record does not hold this metric')
  const [invalid] = metric.invalid
  if (invalid !== undefined) {
    const more = metric.invalid.length > 1 ? ` (and ${metric.invalid.length - 1} more invalid points)` : ''
    return nothing(`${describeInvalid(invalid)}${more}`)
  }
  if (metric.points.length === 0) return nothing('the series of this metric is empty')
  switch (steps.kind) {
    case 'last':
      return selectLast(metric.points)
    case 'mean':
      return selectMean(metric.points)
    case 'all':
      return selectAll(metric.points)
    case 'list':
      return selectList(steps.steps, metric.points)
  }
}

function nothing(reason: string): Selection {
  return { ok: false, reason }
}

/** Points are sorted with unknown steps last, so the highest step is the last known one. */
function selectLast(points: readonly Point[]): Selection {
  const [atStep, value] = points.findLast(([step]) => step !== null) ?? points.at(-1)!
  if (!Number.isFinite(value))
    return nothing(`the last value${atStep === null ? '' : ` (step ${atStep})`} is ${value}`)
  return { ok: true, values: [{ step: LAST_STEP, atStep, value }] }
}

function selectMean(points: readonly Point[]): Selection {
  const bad = points.find(([, value]) => !Number.isFinite(value))
  if (bad) return nothing(`the mean needs finite values; at ${shownStep(bad[0])} stands ${bad[1]}`)
  return {
    ok: true,
    values: [{ step: MEAN_STEP, atStep: null, value: mean(points.map(([, value]) => value)) }],
  }
}

function selectAll(points: readonly Point[]): Selection {
  const values: SelectedValue[] = []
  for (const [step, value] of points) {
    if (step === null) return nothing('a point has no step, and "all" keys each value on its step')
    if (values.at(-1)?.step === step) return nothing(`step ${step} occurs more than once`)
    if (!Number.isFinite(value)) return nothing(`the value at step ${step} is ${value}`)
    values.push({ step, atStep: step, value })
  }
  return { ok: true, values }
}

function selectList(wanted: readonly number[], points: readonly Point[]): Selection {
  const byStep = new Map<number, number[]>()
  const required = new Set(wanted)
  for (const [step, value] of points) {
    if (step === null || !required.has(step)) continue
    const known = byStep.get(step)
    if (known) known.push(value)
    else byStep.set(step, [value])
  }
  const values: SelectedValue[] = []
  for (const step of wanted) {
    const found = byStep.get(step) ?? []
    if (found.length === 0) return nothing(`the required step ${step} is missing`)
    if (found.length > 1) return nothing(`step ${step} occurs ${found.length} times`)
    const [value] = found as [number]
    if (!Number.isFinite(value)) return nothing(`the value at step ${step} is ${value}`)
    values.push({ step, atStep: step, value })
  }
  return { ok: true, values }
}

function shownStep(step: number | null): string {
  return step === null ? 'a point without a step' : `step ${step}`
}
