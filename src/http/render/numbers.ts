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

/**
 * How far a value lies from its reference: in percent, or as a plain difference where a percentage has no meaning
 * (a reference of zero or below, or a quotient beyond a double).
 */
export function changeFrom(reference: number, value: number): string {
  const difference = value - reference
  const percent = (difference / reference) * 100
  if (reference > 0 && Number.isFinite(percent))
    return `${signed(percent, String(Number(percent.toPrecision(3))))} %`
  return Number.isFinite(difference) ? signed(difference, shortNumber(difference)) : NO_VALUE
}

function signed(value: number, text: string): string {
  return value > 0 ? `+${text}` : text
}
