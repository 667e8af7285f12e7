import type { CheckDocument } from '../../documents/verdict.js'
import { LAST_STEP, MEAN_STEP } from '../../gate/run.js'
import { changeFrom, distinctNumbers, NO_VALUE } from '../../charts/numbers.js'

/** The figures of one check as text, not yet escaped for any format. */
export interface CheckText {
  readonly step: string
  readonly value: string
  /** Against the mean, in percent or as a difference. */
  readonly change: string
  readonly mean: string
  /** What the value had to lie within. */
  readonly corridor: string
  readonly n: string
}

type Bound = number | string | null

/** Writes the figures of a check, each short, and a value never like a bound that it differs from. */
export function checkText(check: CheckDocument): CheckText {
  const { baseline, limit, value } = check
  const lower = (limit ? limit.min : baseline?.lower) ?? null
  const upper = (limit ? limit.max : baseline?.upper) ?? null
  const mean = baseline?.mean ?? null
  const text = besideEachOther([value, mean, lower, upper])
  return {
    step: stepText(check),
    value: text(value),
    change: value === null || mean === null ? NO_VALUE : changeFrom(mean, value),
    mean: text(mean),
    corridor: corridorText(lower, upper, text),
    n: baseline ? String(baseline.n) : NO_VALUE,
  }
}

/** The step of a check in words: `3`, `last (step 7)`, `mean`. */
export function stepText({ step, at_step: atStep }: Pick<CheckDocument, 'step' | 'at_step'>): string {
  if (step === null) return NO_VALUE
  if (step === MEAN_STEP) return 'mean'
  if (step === LAST_STEP) return atStep === null ? 'last' : `last (step ${atStep})`
  return String(step)
}

function corridorText(lower: Bound, upper: Bound, text: (bound: Bound) => string): string {
  if (lower !== null && upper !== null) return `${text(lower)} … ${text(upper)}`
  if (lower !== null) return `≥ ${text(lower)}`
  return upper === null ? NO_VALUE : `≤ ${text(upper)}`
}

/** Bounds that JSON cannot carry come as their markers and stay so. */
function besideEachOther(bounds: readonly Bound[]): (bound: Bound) => string {
  const numbers = bounds.filter((bound) => typeof bound === 'number')
  const forms = new Map(distinctNumbers(numbers).map((form, i) => [numbers[i]!, form]))
  return (bound) => (typeof bound === 'number' ? forms.get(bound)! : (bound ?? NO_VALUE))
}
