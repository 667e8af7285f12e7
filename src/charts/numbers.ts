import { percentChange, signOf } from '../gate/reasons.js'

/** Numbers for people: short, and never so short that two different ones look the same. */

const SIGNIFICANT_DIGITS = 6

/** Stands where there is no value. */
export const NO_VALUE = '—'

/**
 * Six significant digits, but never fewer than the integer part has: 3069448.25 is `3069448`, not `3069450`. So the
 * order of two numbers is never turned round by rounding, also where one of them is an integer printed in full.
 */
export function shortNumber(value: number): string {
  const magnitude = Math.abs(value)
  if (!Number.isFinite(value) || magnitude >= 1e15)
    return String(Number(value.toPrecision(SIGNIFICANT_DIGITS)))
  const integerDigits = magnitude < 1 ? 1 : Math.floor(Math.log10(magnitude)) + 1
  return String(Number(value.toPrecision(Math.max(SIGNIFICANT_DIGITS, integerDigits))))
}

/** Short forms of numbers that stand side by side; those that differ and would look equal are printed in full. */
export function distinctNumbers(values: readonly number[]): string[] {
  const short = values.map(shortNumber)
  return values.map((value, i) => {
    const hidesDifference = values.some((other, j) => other !== value && short[j] === short[i])
    return hidesDifference ? String(value) : short[i]!
  })
}

/** How far a value lies from its reference: in percent, or as a plain difference where a percentage has no meaning. */
export function changeFrom(reference: number, value: number): string {
  const percent = percentChange(value, reference)
  if (percent !== null) return `${signOf(percent)}${Number(percent.toPrecision(3))} %`
  const difference = value - reference
  return Number.isFinite(difference) ? `${signOf(difference)}${shortNumber(difference)}` : NO_VALUE
}
