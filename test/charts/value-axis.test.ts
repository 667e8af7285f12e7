import fc from 'fast-check'
import t from 'tap'
import { position, valueRange, valueTicks } from '../../src/charts/value-axis.js'

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
/** Values as they come: spread anywhere, near each other, or all the same. */
const values = fc.oneof(
  fc.array(finite, { maxLength: 30 }),
  fc
    .tuple(
      finite,
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1 }),
      fc.integer({ min: -18, max: 3 }),
    )
    .map(([middle, around, exponent]) => around.map((one) => middle * (1 + one * 10 ** exponent)))
    .map((all) => all.filter(Number.isFinite)),
)

t.test('a range is finite, holds every value and leaves room', async (t) => {
  fc.assert(
    fc.property(values, (all) => {
      const { min, max } = valueRange(all)
      return (
        Number.isFinite(min) &&
        Number.isFinite(max) &&
        min < max &&
        all.every((value) => value >= min && value <= max)
      )
    }),
    { numRuns: 2_000 },
  )
  t.same(valueRange([]), { min: 0, max: 1 })
  t.same(valueRange([NaN, Infinity, -Infinity]), { min: 0, max: 1 })
  t.same(valueRange([0, -0]), { min: -1, max: 1 })
  t.same(valueRange([5, NaN, 5]), { min: 4.5, max: 5.5 })
  t.same(valueRange([-5]), { min: -5.5, max: -4.5 })
  const { min, max } = valueRange([0, 100])
  t.ok(min < -5 && min > -10 && max > 105 && max < 110)
  t.ok(valueRange([-1.7e308, 5e307]).max < 1e308, 'a span beyond the doubles')
  t.ok(
    valueRange([1, 1 + Number.EPSILON]).max > 1 + 1e-10,
    'what no eye could part is not spread over the chart',
  )
})

t.test('a position is the part of the range below it, at any magnitude', async (t) => {
  t.equal(position({ min: -1, max: 3 }, 0), 0.25)
  t.equal(position({ min: -1, max: 3 }, -1), 0)
  t.equal(position({ min: -Number.MAX_VALUE, max: Number.MAX_VALUE }, 0), 0.5)
  fc.assert(
    fc.property(values, (all) => {
      const range = valueRange(all)
      return all.every((value) => {
        const place = position(range, value)
        return place >= 0 && place <= 1
      })
    }),
    { numRuns: 2_000 },
  )
  t.pass('within the range')
})

t.test(
  'ticks: round, within the range, evenly apart, and their labels say exactly where they are',
  async (t) => {
    fc.assert(
      fc.property(values, fc.integer({ min: 2, max: 12 }), (all, about) => {
        const range = valueRange(all)
        const ticks = valueTicks(range, about)
        const at = ticks.map((tick) => tick.at)
        return (
          ticks.length >= 1 &&
          ticks.length <= about + 1 &&
          at.every(
            (one, index) => one >= range.min && one <= range.max && (index === 0 || one > at[index - 1]!),
          ) &&
          ticks.every((tick) => Number(tick.label) === tick.at) &&
          new Set(ticks.map(({ label }) => label)).size === ticks.length &&
          ticks.every(({ label }) => label.length <= 24)
        )
      }),
      { numRuns: 3_000 },
    )
    t.pass('held')
  },
)

t.test('the labels of some ranges', async (t) => {
  const labels = (min: number, max: number, about = 5) =>
    valueTicks({ min, max }, about).map(({ label }) => label)
  t.same(labels(0, 1), ['0.0', '0.2', '0.4', '0.6', '0.8', '1.0'])
  t.same(labels(-0.3, 0.3), ['-0.2', '0.0', '0.2'])
  t.same(
    labels(0.0002, 0.00031),
    ['0.00020', '0.00025', '0.00030'].map((text) => text.slice(0, 7)),
  )
  t.same(labels(99.97, 100.03), ['99.98', '100.00', '100.02'])
  t.same(labels(0, 5_000), ['0', '1000', '2000', '3000', '4000', '5000'])
  t.same(labels(1.1e9, 1.3e9), ['1.10e9', '1.15e9', '1.20e9', '1.25e9', '1.30e9'])
  t.same(labels(-4e-9, 4e-9), ['-4e-9', '-2e-9', '0', '2e-9', '4e-9'])
  t.same(labels(-Number.MAX_VALUE, Number.MAX_VALUE, 4), ['-1e308', '0', '1e308'])
})
