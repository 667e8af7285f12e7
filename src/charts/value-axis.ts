/** The axis of values: what it spans, where a value lies on it, and its ticks. */

export interface Range {
  readonly min: number
  /** Greater than `min`; both are finite, their difference need not be. */
  readonly max: number
}

export interface Tick {
  readonly at: number
  readonly label: string
}

/** Free room above and below, as a part of the half span. */
const PADDING = 0.12
/** Of equal values, how far the axis reaches to either side, as a part of their magnitude. */
const AROUND_ONE = 0.1
/** A narrower span would need more digits than a label has room for. The values are then drawn as one. */
const NARROWEST = 1e-9
/** Beneath this, doubles have too few bits for a scale. */
const TINY = 1e-300

/** Labels are plain decimals up to these; beyond, a power of ten stands for the zeros. */
const MOST_DECIMALS = 6
const LARGEST_PLAIN = 1e7

/** A range that holds all finite ones of the numbers, with room around them; 0 to 1 where there is none. */
export function valueRange(numbers: Iterable<number>): Range {
  let low = Infinity
  let high = -Infinity
  for (const number of numbers) {
    if (!Number.isFinite(number)) continue
    low = Math.min(low, number)
    high = Math.max(high, number)
  }
  if (low > high) return { min: 0, max: 1 }
  const magnitude = Math.max(Math.abs(low), Math.abs(high))
  // Halves: a difference of two doubles may be none.
  const middle = low / 2 + high / 2
  const half =
    low === high
      ? magnitude * AROUND_ONE
      : Math.max(high / 2 - low / 2, magnitude * NARROWEST) * (1 + PADDING)
  const reach = magnitude === 0 ? 1 : Math.max(half, TINY)
  return { min: Math.max(-Number.MAX_VALUE, middle - reach), max: Math.min(Number.MAX_VALUE, middle + reach) }
}

/** Where a number lies: 0 at the range's lower end, 1 at its upper. */
export function position({ min, max }: Range, number: number): number {
  return (number / 2 - min / 2) / (max / 2 - min / 2)
}

/**
 * Round numbers within the range: multiples of 1, 2 or 5 times a power of ten.
 * @param about how many would be welcome, 2 or more; there are at most one more
 */
export function valueTicks(range: Range, about: number): Tick[] {
  const wanted = range.max / about - range.min / about
  const ticks = ticksAt(range, roundStep(wanted))
  // Where two are wanted, a step may leap over the whole range; the next smaller one does not.
  return ticks.length > 0 ? ticks : ticksAt(range, roundStep(wanted / 2))
}

function ticksAt({ min, max }: Range, { digit, exponent }: Step): Tick[] {
  const step = decimal(digit, exponent)
  const first = Math.ceil(min / step)
  const last = Math.floor(max / step)
  // In units of 10^exponent a tick is an integer: its text and its double are both exact.
  const units = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * digit)
  const write = writerFor(units, exponent)
  return units.map((unit) => ({ at: decimal(unit, exponent), label: write(unit) }))
}

/** digit * 10^exponent */
interface Step {
  readonly digit: 1 | 2 | 5
  readonly exponent: number
}

/** The smallest round step that is not below the wanted one. */
function roundStep(wanted: number): Step {
  const exponent = Math.floor(Math.log10(wanted))
  for (const digit of [1, 2, 5] as const) {
    if (decimal(digit, exponent) >= wanted) return { digit, exponent }
  }
  return Number.isFinite(decimal(1, exponent + 1))
    ? { digit: 1, exponent: exponent + 1 }
    : { digit: 1, exponent }
}

/** Nearest double of a decimal number: a product of powers would be off by some bits. */
function decimal(integer: number, exponent: number): number {
  return Number(`${integer}e${exponent}`)
}

/** Writes multiples of 10^exponent, all with the same decimals and the same power. */
function writerFor(units: readonly number[], exponent: number): (unit: number) => string {
  const largest = Math.max(0, ...units.map(Math.abs))
  const decimals = Math.max(0, -exponent)
  if (decimals <= MOST_DECIMALS && decimal(largest, exponent) < LARGEST_PLAIN) {
    return (unit) => decimal(unit, exponent).toFixed(decimals)
  }
  const digits = largest === 0 ? 0 : String(largest).length - 1
  return (unit) => (unit === 0 ? '0' : `${decimal(unit, -digits).toFixed(digits)}e${exponent + digits}`)
}
