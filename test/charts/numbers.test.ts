import fc from 'fast-check'
import t from 'tap'
import { changeFrom, distinctNumbers, shortNumber } from '../../src/charts/numbers.js'

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })

t.test('six significant digits, and integers in full', async (t) => {
  t.equal(shortNumber(0.1 + 0.2), '0.3')
  t.equal(shortNumber(0.0105432199), '0.0105432')
  t.equal(shortNumber(3069448), '3069448')
  t.equal(shortNumber(3069448.25), '3069448')
  t.equal(shortNumber(-0), '0')
  t.equal(shortNumber(1.23456789e300), '1.23457e+300')
  t.equal(shortNumber(5e-324), '5e-324')
})

t.test('numbers that differ never look equal', async (t) => {
  t.same(distinctNumbers([0.33, 0.32999999999999996]), ['0.33', '0.32999999999999996'])
  t.same(distinctNumbers([0.5, 0.5, 0.25]), ['0.5', '0.5', '0.25'])
  fc.assert(
    fc.property(finite, fc.integer({ min: -3, max: 3 }), (a, ulps) => {
      const b = a * (1 + ulps * Number.EPSILON)
      const [textA, textB] = distinctNumbers([a, b])
      return (textA === textB) === (a === b)
    }),
  )
})

t.test('rounding keeps the order', async (t) => {
  const near = fc
    .tuple(fc.double({ min: -1e16, max: 1e16, noNaN: true }), fc.double({ min: -2, max: 2, noNaN: true }))
    .chain(([a, by]) => fc.constantFrom([a, a + by] as const, [Math.round(a), a] as const))
  fc.assert(
    fc.property(near, ([a, b]) => {
      const [textA, textB] = distinctNumbers([a, b]).map(Number)
      return Math.sign(textA! - textB!) === Math.sign(a - b)
    }),
    { numRuns: 2_000 },
  )
  t.pass('no pair was turned round')
})

t.test('a change is a percentage of a positive reference, otherwise a difference', async (t) => {
  t.equal(changeFrom(0.3, 0.33), '+10 %')
  t.equal(changeFrom(3069448, 0), '-100 %')
  t.equal(changeFrom(0.5, 0.5), '0 %')
  t.equal(changeFrom(0, 0), '0')
  t.equal(changeFrom(0, 0.01), '+0.01')
  t.equal(changeFrom(-0, -0.01), '-0.01')
  t.equal(changeFrom(-2, -1), '+1')
  t.equal(changeFrom(5e-324, 1), '+1', 'a quotient beyond a double')
  t.equal(changeFrom(-1e308, 1e308), '—', 'a difference beyond a double')
  fc.assert(fc.property(finite, finite, (a, b) => !/NaN|Infinity/.test(changeFrom(a, b))))
})
