import { Decimal } from 'decimal.js'

/**
 * Scores as decimals. A score arrives as a JSON number and is kept as a double; its decimal value is the shortest text
 * that reads back as that double, which is what any writer of up to 15 digits wrote: 6.9 - 6.8 is 0.1 here, and
 * 0.3 - 0.2 too. Keeping the literals of whole runs was rejected: a store gives doubles back, and a verdict must not
 * depend on whether its run was stored or sent along.
 *
 * Sums run over whole numbers of a common unit, 10^-places, and are exact, hence the same in any order. A Decimal for
 * every score was rejected: 100,000 questions took 1.5 s where whole numbers take a quarter of one. The library rounds
 * the results.
 */
const Rounded = Decimal.clone({ precision: 40, toExpNeg: -9e15, toExpPos: 9e15 })

const SHORTEST = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/
/** Below this a product with a power of ten names its nearest whole number without doubt. */
const MAX_QUICK = 2 ** 49
const MAX_QUICK_PLACES = 15

/**
 * How many decimal places the shortest text of a number has; 0 for a whole one.
 * @param value finite
 */
export function decimalPlaces(value: number): number {
  for (let places = 0, power = 1; places <= MAX_QUICK_PLACES; places++, power *= 10) {
    const whole = Math.round(value * power)
    if (Math.abs(whole) > MAX_QUICK) break
    if (whole / power === value) return places
  }
  const { fraction, exponent } = shortest(value)
  return Math.max(0, fraction.length - exponent)
}

/**
 * A number in units of 10^-places, exactly.
 * @param value finite
 * @param places at least its own
 */
export function unitsOf(value: number, places: number): bigint {
  if (places <= MAX_QUICK_PLACES) {
    const whole = Math.round(value * 10 ** places)
    if (Math.abs(whole) <= MAX_QUICK) return BigInt(whole)
  }
  const { sign, digits, fraction, exponent } = shortest(value)
  const magnitude = BigInt(digits) * 10n ** BigInt(places + exponent - fraction.length)
  return sign === '-' ? -magnitude : magnitude
}

function shortest(value: number) {
  const match = SHORTEST.exec(value.toExponential())
  if (match === null) throw new RangeError(`${value} is no finite number`)
  const [, sign = '', first = '', fraction = '', exponent = '0'] = match
  return { sign, digits: first + fraction, fraction, exponent: Number(exponent) }
}

/** The most decimal places among some numbers. */
export function commonPlaces(values: Iterable<number>): number {
  let places = 0
  for (const value of values) places = Math.max(places, decimalPlaces(value))
  return places
}

/** `units / (10^places * divisor)` with 40 digits, far more than a double has. */
export function quotient(units: bigint, divisor: bigint | number, places: number): Decimal {
  return new Rounded(`${units}e${-places}`).div(divisor.toString())
}

/**
 * The same as the double next to it. Where both sides of the division are whole numbers that a double holds, it rounds
 * once, and to the same; a grid of 50,000 tasks has 50,000 means.
 */
export function doubleQuotient(units: bigint, divisor: bigint | number, places: number): number {
  const above = Number(units)
  const below = Number(divisor) * 10 ** Math.max(0, places)
  return places >= 0 && Number.isSafeInteger(above) && Number.isSafeInteger(below)
    ? above / below
    : quotient(units, divisor, places).toNumber()
}

/** The mean of numbers as decimals, as the double next to it; null where there are none. */
export function decimalMean(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const places = commonPlaces(values)
  let sum = 0n
  for (const value of values) sum += unitsOf(value, places)
  return doubleQuotient(sum, values.length, places)
}
