/**
 * Mean and spread of a baseline in plain IEEE doubles. Computed here and nowhere else (not in SQL): two sums of the
 * same values in another order need not agree to the bit, and both backends, the replay and an outside
 * re-computation must.
 */

/**
 * The sum in the order given, divided by n, then clamped to the smallest and largest value: three times 0.1 must
 * have the mean 0.1, or a zero band would fail on equal values. Where the running sum overflows, the sum of
 * `value / n` instead.
 * @param values finite, at least one; a baseline's come newest first
 */
export function mean(values: readonly number[]): number {
  const n = values.length
  if (n === 0) throw new RangeError('no mean of no values')
  let sum = 0
  let smallest = Infinity
  let largest = -Infinity
  for (const value of values) {
    sum += value
    if (value < smallest) smallest = value
    if (value > largest) largest = value
  }
  let result = sum / n
  if (!Number.isFinite(sum)) {
    result = 0
    for (const value of values) result += value / n
  }
  return Math.min(Math.max(result, smallest), largest)
}

/**
 * The sample standard deviation around `center`: squared differences summed in the order given, over n - 1.
 * @returns null for fewer than two values; Infinity where a square overflows
 */
export function sampleStd(values: readonly number[], center: number): number | null {
  if (values.length < 2) return null
  let squares = 0
  for (const value of values) {
    const difference = value - center
    squares += difference * difference
  }
  return Math.sqrt(squares / (values.length - 1))
}
