import fc from 'fast-check'
import t from 'tap'
import { normalNumbers } from '../../src/demo/random.js'
import {
  bootstrapInterval,
  MAX_BOOTSTRAP,
  meanInterval,
  normalInterval,
  RESAMPLES,
  type Interval,
} from '../../src/evals/interval.js'
import { Z95 } from '../../src/evals/normal.js'
import { runToEnd } from '../../src/gate/slices.js'

const PLACES = 6

/** Normal numbers with mean 0 and deviation 1, in millionths. */
function sample(n: number, normal: () => number): bigint[] {
  return Array.from({ length: n }, () => BigInt(Math.round(normal() * 10 ** PLACES)))
}

function coverage(n: number, trials: number, resamples: number, seed: number): number {
  const normal = normalNumbers(seed)
  let covered = 0
  for (let trial = 0; trial < trials; trial++) {
    const { low, high } = runToEnd(bootstrapInterval(sample(n, normal), PLACES, resamples))
    if (low <= 0 && 0 <= high) covered++
  }
  return covered / trials
}

t.test('the interval covers the mean of normal data as often as it says', async (t) => {
  const part = coverage(100, 2_000, 1_000, 20261130)
  t.comment(`covered ${part}`)
  t.ok(part >= 0.93 && part <= 0.97, `${part}`)
})

t.test('it is known to be too short where values are few', async (t) => {
  const six = coverage(6, 2_000, 1_000, 6)
  const ten = coverage(10, 2_000, 1_000, 10)
  t.comment(`covered ${six} at 6, ${ten} at 10`)
  t.ok(six > 0.82 && six < 0.88, `${six} at 6`)
  t.ok(ten > 0.87 && ten < 0.93, `${ten} at 10`)
})

t.test('it agrees with the normal interval where values are many', async (t) => {
  const values = sample(MAX_BOOTSTRAP, normalNumbers(7))
  const resampled = runToEnd(meanInterval(values, PLACES))
  const normal = runToEnd(normalInterval(values, PLACES))
  t.equal(resampled.method, 'bootstrap')
  t.equal(normal.method, 'normal')
  const width = normal.high - normal.low
  t.ok(Math.abs(width - (2 * Z95) / Math.sqrt(MAX_BOOTSTRAP)) < 0.05 * width, `width ${width}`)
  t.ok(Math.abs(resampled.low - normal.low) < 0.03 * width, `${resampled.low} ${normal.low}`)
  t.ok(Math.abs(resampled.high - normal.high) < 0.03 * width, `${resampled.high} ${normal.high}`)
})

t.test('the method follows from the values', async (t) => {
  const method = (values: bigint[]) => runToEnd(meanInterval(values, 1, 100))
  t.same(method([7n]), { low: 0.7, high: 0.7, method: 'mean' })
  t.same(method([1n, 1n, 1n]), { low: 0.1, high: 0.1, method: 'mean' })
  t.same(method(Array.from({ length: 5_000 }, () => -3n)), { low: -0.3, high: -0.3, method: 'mean' })
  const mixed = (n: number) => Array.from({ length: n }, (_, index) => BigInt(index % 2))
  t.equal(method(mixed(MAX_BOOTSTRAP)).method, 'bootstrap')
  t.equal(method(mixed(MAX_BOOTSTRAP + 1)).method, 'normal')
  t.throws(() => method([]), RangeError)
})

t.test('the normal interval is mean +- 1.96 standard errors', async (t) => {
  const { low, high } = runToEnd(normalInterval([1n, 2n, 3n, 4n], 0))
  const half = (Z95 * Math.sqrt(5 / 3)) / 2
  t.ok(Math.abs(low - (2.5 - half)) < 1e-14 && Math.abs(high - (2.5 + half)) < 1e-14)
})

t.test('it is the same today as on every machine', async (t) => {
  const values = Array.from({ length: 40 }, (_, index) => (BigInt(index + 1) ** 5n * 1234567n) % 1000003n)
  t.same(runToEnd(meanInterval(values, 6)), PINNED)
})

/** As a second implementation, in Python with whole numbers and fractions alone, finds it. */
const PINNED: Interval = { low: 0.4056041, high: 0.5911017, method: 'bootstrap' }

t.test('it does not depend on the order, and scales and shifts with its values', async (t) => {
  const values = fc.array(fc.bigInt({ min: -100n, max: 100n }), { minLength: 2, maxLength: 15 })
  const pair = values.chain((some) =>
    fc.tuple(
      fc.constant(some),
      fc.shuffledSubarray(some, { minLength: some.length, maxLength: some.length }),
    ),
  )
  const bounds = (some: bigint[], places = 0) => {
    const { low, high } = runToEnd(meanInterval(some, places, 400))
    return [low, high]
  }
  fc.assert(
    fc.property(pair, ([some, shuffled]) => {
      const plain = bounds(some)
      const scaled = bounds(some.map((value) => value * 10n))
      const same = JSON.stringify(plain) === JSON.stringify(bounds(shuffled))
      const fine =
        JSON.stringify(plain) ===
        JSON.stringify(
          bounds(
            some.map((value) => value * 10n ** 30n),
            30,
          ),
        )
      const near = plain.every((bound, side) => Math.abs(bound * 10 - scaled[side]!) < 1e-9)
      return same && fine && near
    }),
  )
  t.pass('order and unit play no part')
})

t.test('values around a limit end at it, and not a rounding beside it', async (t) => {
  // Many a resample draws the drops of 0.1 alone; its mean is 0.1 to the last digit.
  const values = [...Array.from({ length: 40 }, () => 1n), 0n]
  t.equal(runToEnd(meanInterval(values, 1)).high, 0.1)
})

t.test('work is divided: no slice is long', async (t) => {
  const values = sample(MAX_BOOTSTRAP, normalNumbers(3))
  const work = bootstrapInterval(values, PLACES, RESAMPLES)
  let slices = 0
  let longest = 0
  for (let done = false; !done; slices++) {
    const start = performance.now()
    done = work.next().done === true
    longest = Math.max(longest, performance.now() - start)
  }
  t.comment(`${slices} slices, the longest ${longest.toFixed(1)} ms`)
  t.ok(slices >= 100)
})
