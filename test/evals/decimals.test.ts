import fc from 'fast-check'
import t from 'tap'
import { decimalMean, decimalPlaces, doubleQuotient, quotient, unitsOf } from '../../src/evals/decimals.js'

t.test('places and units are those of the shortest text', async (t) => {
  const cases: Array<[number, number, bigint]> = [
    [0, 0, 0n],
    [-0, 0, 0n],
    [7, 0, 7n],
    [6.9, 1, 69n],
    [-6.85, 2, -685n],
    [0.1, 1, 1n],
    [1e-7, 7, 1n],
    [1.5e300, 0, 15n * 10n ** 299n],
    [5e-324, 324, 5n],
    [0.1 + 0.2, 17, 30000000000000004n],
    [1 / 3, 16, 3333333333333333n],
    [2 ** 53 + 2, 0, 9007199254740994n],
    [123456789.123456, 6, 123456789123456n],
  ]
  for (const [value, places, units] of cases) {
    t.equal(decimalPlaces(value), places, `${value}`)
    t.equal(unitsOf(value, places), units, `${value}`)
  }
  t.equal(unitsOf(6.9, 3), 6900n)
  t.throws(() => decimalPlaces(NaN), RangeError)
})

t.test('units of any double read back as that double', async (t) => {
  const doubles = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.tuple(fc.integer(), fc.integer({ min: 0, max: 15 })).map(([whole, places]) => whole / 10 ** places),
  )
  fc.assert(
    fc.property(doubles, fc.integer({ min: 0, max: 5 }), (value, more) => {
      const places = decimalPlaces(value)
      const units = unitsOf(value, places + more)
      const shortest = places === 0 || units % 10n ** BigInt(more + 1) !== 0n
      return Number(`${units}e-${places + more}`) === value && shortest
    }),
    { numRuns: 2_000 },
  )
  t.pass('nothing was lost')
})

t.test('a mean is the double next to the decimal one', async (t) => {
  t.equal(decimalMean([]), null)
  t.equal(decimalMean([0.1, 0.1, 0.1]), 0.1)
  t.equal(decimalMean([0.1, 0.2, 0.3]), 0.2)
  t.equal(decimalMean([1e308, 1e308, -1e308]), 1e308 / 3)
  t.equal(decimalMean([1e300, 1, -1e300]), 1 / 3)
  t.equal(quotient(1n, 3, 0).toNumber(), 1 / 3)
  t.equal(quotient(69n, 1n, 1).toNumber(), 6.9)
  t.equal(quotient(5n, 1, -2).toNumber(), 500)
})

t.test('a quotient of doubles is the one of decimals', async (t) => {
  const units = fc.oneof(fc.maxSafeInteger().map(BigInt), fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }))
  const divisors = fc.integer({ min: 1, max: 200_000 })
  fc.assert(
    fc.property(
      units,
      divisors,
      fc.integer({ min: -3, max: 20 }),
      (above, below, places) =>
        doubleQuotient(above, below, places) === quotient(above, below, places).toNumber(),
    ),
    { numRuns: 5_000 },
  )
  t.equal(doubleQuotient(2n ** 53n + 1n, 1n, 0), 2 ** 53, 'what no double holds is left to decimals')
  t.equal(doubleQuotient(5n, 1, -2), 500)
})
