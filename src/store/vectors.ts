/**
 * The copy of a run's values by vectors: for each metric its steps and its values as bytes. A verdict reads a window of
 * twenty runs, and a row a run and metric costs a hundredth of a row a value to fetch (measured on PostgreSQL with a
 * thousand coordinates: 1.6 ms against 55). `metric_values` stays the truth; `migrations-external/005_vectors.sql` says
 * how a copy that is no longer right goes away by itself.
 */
import { compareCodePoints } from '../gate/literal.js'
import type { RunValue } from './runs.js'
import { withoutNegativeZero } from './write-checks.js'

/** One metric of one run. Doubles, eight bytes each, little-endian. */
export interface EncodedVector {
  readonly metricKey: string
  /** The first step alone where each step is one more than that before it (the usual case), else all of them. */
  readonly steps: Buffer
  /** In order of step, then the greater first: a step may have two values, another writer's. */
  readonly vals: Buffer
}

/** Stands for a run that holds no value at all, so that it too is known to be copied. */
export const NO_METRIC = ''

/** The vectors of one run, by metric key. */
export function encodeVectors(values: readonly RunValue[]): EncodedVector[] {
  const byMetric = new Map<string, Point[]>()
  for (const { metricKey, step, value } of values) {
    const points = byMetric.get(metricKey)
    if (points === undefined) byMetric.set(metricKey, [[step, withoutNegativeZero(value)]])
    else points.push([step, withoutNegativeZero(value)])
  }
  if (byMetric.size === 0) {
    return [{ metricKey: NO_METRIC, steps: Buffer.alloc(0), vals: Buffer.alloc(0) }]
  }
  return [...byMetric]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([metricKey, points]) => {
      sortPoints(points)
      const steps = points.map(([step]) => step)
      const first = steps[0]!
      const isRange = steps.every((step, index) => step === first + index)
      return {
        metricKey,
        steps: toBytes(isRange ? [first] : steps),
        vals: toBytes(points.map(([, value]) => value)),
      }
    })
}

type Point = readonly [step: number, value: number]

/** In order of step, then the greater first. Sorted already in most cases, which is looked at first. */
function sortPoints(points: Point[]): void {
  const order = ([stepA, a]: Point, [stepB, b]: Point) => stepA - stepB || compareDescending(a, b)
  if (points.some((point, index) => index > 0 && order(points[index - 1]!, point) > 0)) points.sort(order)
}

/** NaN counts as the greatest, as PostgreSQL orders it. */
function compareDescending(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(b)) - Number(Number.isNaN(a))
  return a === b ? 0 : b > a ? 1 : -1
}

/** The values of one metric in one run, in order of step: a stretch of doubles, its steps before its values. */
export class StepVector {
  readonly length: number
  readonly #doubles: Float64Array
  readonly #from: number
  /** Where the values begin. */
  readonly #values: number
  readonly #isRange: boolean

  /**
   * @param from where the stretch begins
   * @param steps how many of its doubles are steps: one where they are a range
   * @param values how many are values
   */
  constructor(doubles: Float64Array, from: number, steps: number, values: number) {
    this.length = values
    this.#doubles = doubles
    this.#from = from
    this.#values = from + steps
    this.#isRange = steps !== values || steps < 2
  }

  /** Of the values of one metric in one run as rows hold them, in any order. */
  static of(rows: ReadonlyArray<{ readonly step: number; readonly value: number | null }>): StepVector {
    const points = rows.map(({ step, value }): Point => [step, value ?? NaN])
    sortPoints(points)
    const doubles = Float64Array.from([...points.map(([step]) => step), ...points.map(([, value]) => value)])
    return new StepVector(doubles, 0, points.length, points.length)
  }

  stepAt(index: number): number {
    return this.#isRange ? this.#doubles[this.#from]! + index : this.#doubles[this.#from + index]!
  }

  valueAt(index: number): number {
    return this.#doubles[this.#values + index]!
  }

  /** Where the first value of a step stands; -1 where there is none. */
  find(step: number): number {
    if (this.#isRange) {
      const index = this.length === 0 ? -1 : step - this.#doubles[this.#from]!
      return index >= 0 && index < this.length ? index : -1
    }
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.stepAt(middle) < step) low = middle + 1
      else high = middle
    }
    return low < this.length && this.stepAt(low) === step ? low : -1
  }
}

/** The vector that was encoded so. */
export function decodeVector(steps: Buffer, vals: Buffer): StepVector {
  return new StepVector(toDoubles(Buffer.concat([steps, vals])), 0, steps.length / 8, vals.length / 8)
}

/** A typed array is in the machine's order, which is little-endian on all that Node is built for but s390x. */
const SWAPS = new Uint8Array(new Uint16Array([1]).buffer)[0] === 0

function toBytes(doubles: readonly number[]): Buffer {
  const bytes = Buffer.from(Float64Array.from(doubles).buffer)
  return SWAPS ? bytes.swap64() : bytes
}

/**
 * The doubles that bytes are. They are not copied where they lie as doubles must, so that nobody may write to either.
 * @throws RangeError where a double is cut
 */
export function toDoubles(bytes: Buffer): Float64Array {
  if (bytes.length % 8 !== 0) throw new RangeError('a vector is cut in the middle of a double')
  const lies = !SWAPS && bytes.byteOffset % 8 === 0
  const own = lies ? bytes : Buffer.from(Uint8Array.from(bytes).buffer)
  if (SWAPS) own.swap64()
  return new Float64Array(own.buffer, own.byteOffset, own.length / 8)
}
