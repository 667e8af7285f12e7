/**
 * The copy of a run's values by vectors: for each metric its steps and its values as bytes. A verdict reads a window of
 * twenty runs, and a row a run and metric costs a hundredth of a row a value to fetch (measured on PostgreSQL with a
 * thousand coordinates: 1.6 ms against 55). `metric_values` stays the truth; `migrations-external/005_vectors.sql` says
 * how a copy that is no longer right goes away by itself.
 */
import { compareCodePoints } from '../gate/literal.js'
import type { RunValue } from './store.js'
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

/** The values of one metric in one run, in order of step. */
export class StepVector {
  readonly values: Float64Array
  /** Null where the steps are a range. */
  readonly #steps: Float64Array | null
  readonly #first: number

  /** @param steps the first alone where they are a range */
  constructor(steps: Float64Array, values: Float64Array) {
    this.values = values
    this.#first = steps[0] ?? 0
    this.#steps = steps.length === values.length && steps.length > 1 ? steps : null
  }

  static decode(steps: Buffer, vals: Buffer): StepVector {
    return new StepVector(toDoubles(steps), toDoubles(vals))
  }

  /** Of the values of one metric in one run as rows hold them, in any order. */
  static of(rows: ReadonlyArray<{ readonly step: number; readonly value: number | null }>): StepVector {
    const points = rows.map(({ step, value }): Point => [step, value ?? NaN])
    sortPoints(points)
    return new StepVector(
      Float64Array.from(points, ([step]) => step),
      Float64Array.from(points, ([, value]) => value),
    )
  }

  get length(): number {
    return this.values.length
  }

  stepAt(index: number): number {
    return this.#steps === null ? this.#first + index : this.#steps[index]!
  }

  /** Where the first value of a step stands; -1 where there is none. */
  find(step: number): number {
    if (this.#steps === null) {
      const index = step - this.#first
      return index >= 0 && index < this.values.length ? index : -1
    }
    let low = 0
    let high = this.#steps.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#steps[middle]! < step) low = middle + 1
      else high = middle
    }
    return this.#steps[low] === step ? low : -1
  }
}

/** A typed array writes in the machine's order, which is little-endian on all that Node is built for but s390x. */
const SWAPS = new Uint8Array(new Uint16Array([1]).buffer)[0] === 0

function toBytes(doubles: readonly number[]): Buffer {
  const bytes = Buffer.from(Float64Array.from(doubles).buffer)
  return SWAPS ? bytes.swap64() : bytes
}

function toDoubles(bytes: Buffer): Float64Array {
  if (bytes.length % 8 !== 0) throw new RangeError('a vector is cut in the middle of a double')
  // A copy: a driver's bytes may begin anywhere, and doubles begin at multiples of eight.
  const copy = Buffer.from(Uint8Array.from(bytes).buffer)
  if (SWAPS) copy.swap64()
  return new Float64Array(copy.buffer, copy.byteOffset, copy.length / 8)
}
