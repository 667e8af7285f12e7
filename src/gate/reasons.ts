import type { Corridor } from './evaluate.js'
import type { HardRefRule } from './rules.js'

/** Why a band judged as it did, for the person who reads the verdict. */
export function reasonForBand(
  status: 'pass' | 'fail' | 'inactive',
  value: number,
  corridor: Corridor,
  minimum: number,
): string {
  const { n, mean, lower, upper } = corridor
  if (status === 'inactive') {
    return n === 0
      ? 'cold start: no trusted value yet'
      : `no spread to scale from: ${n} trusted value, and only k_std is written`
  }
  const history = n < minimum ? ` (${n} of ${minimum} trusted values for enforcement)` : ''
  if (status === 'pass') return `ok${history}`
  const [side, bound] =
    upper !== null && value > upper ? ['above the upper', upper] : ['below the lower', lower!]
  return `${value} is ${side} bound ${bound} (${relativeChange(value, mean!)})${history}`
}

/** Why an absolute limit judged as it did. */
export function reasonForLimit(rule: HardRefRule, value: number, status: 'pass' | 'fail'): string {
  if (status === 'pass') return 'ok (absolute limit)'
  return rule.max !== null && value > rule.max
    ? `${value} is above the absolute limit ${rule.max}`
    : `${value} is below the absolute limit ${rule.min}`
}

/** A change beside the mean, as `percentChange` tells it, or as a difference. */
function relativeChange(value: number, reference: number): string {
  const percent = percentChange(value, reference)
  if (percent !== null)
    return `${signOf(percent)}${Number(percent.toPrecision(3))} % of the mean ${reference}`
  const difference = value - reference
  return `${signOf(difference)}${difference} beside the mean ${reference}`
}

/**
 * How far a value lies from its reference, in percent.
 * @returns null where a percentage would mislead or does not exist: a reference of zero or below, a quotient beyond a double
 */
export function percentChange(value: number, reference: number): number | null {
  const percent = ((value - reference) / reference) * 100
  return reference > 0 && Number.isFinite(percent) ? percent : null
}

/** Negative numbers bring their own sign. */
export function signOf(value: number): '+' | '' {
  return value > 0 ? '+' : ''
}
