import fc from 'fast-check'
import t from 'tap'
import { mean, sampleStd } from '../../src/gate/statistics.js'

t.test('the mean of equal values is the value', async (t) => {
  t.equal(mean([0.1, 0.1, 0.1]), 0.1)
  t.throws(() => mean([]), RangeError)
})

t.test('a sum that overflows is taken over the parts', async (t) => {
  t.equal(mean([1e308, 1.5e308]), 1e308 / 2 + 1.5e308 / 2)
  t.equal(mean([-1.7e308, -1.7e308]), -1.7e308)
})

t.test('the mean lies among its values', async (t) => {
  const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
    minLength: 1,
    maxLength: 20,
  })
  fc.assert(
    fc.property(values, (some) => {
      const result = mean(some)
      return Math.min(...some) <= result && result <= Math.max(...some)
    }),
  )
  t.pass('no mean left its values')
})

t.test('the spread is the sample standard deviation', async (t) => {
  t.equal(sampleStd([1, 3], 2), Math.SQRT2)
  t.equal(sampleStd([5], 5), null)
  t.equal(sampleStd([-1e200, 1e200], 0), Infinity)
})
