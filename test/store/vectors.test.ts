import fc from 'fast-check'
import t from 'tap'
import {
  encodeVectors,
  NO_METRIC,
  StepVector,
  toDoubles,
  type EncodedVector,
} from '../../src/store/vectors.js'

const value = (metricKey: string, step: number, number: number) => ({
  metricKey,
  step,
  value: number,
  stepsKey: '',
  constraintKey: '',
})

/** As stores hand it over: among others, its bytes anywhere in memory. */
function decoded({ steps, vals }: EncodedVector, before = 3): StepVector {
  const memory = Buffer.concat([Buffer.alloc(before), Buffer.alloc(16), steps, vals])
  return new StepVector(toDoubles(memory.subarray(before)), 2, steps.length / 8, vals.length / 8)
}

t.test('every value of a run comes back at its step, by metric', async (t) => {
  const values = fc.array(
    fc.record({
      metricKey: fc.constantFrom('a', '__proto__', '𝒳'),
      step: fc.oneof(fc.integer({ min: -2, max: 12 }), fc.constant(2 ** 53 - 1)),
      value: fc.double(),
    }),
  )
  fc.assert(
    fc.property(values, (some) => {
      const run = some.map((each) => value(each.metricKey, each.step, each.value))
      const back = encodeVectors(run).flatMap((encoded) => {
        const vector = decoded(encoded, some.length % 9)
        return Array.from({ length: vector.length }, (_none, at) => [
          encoded.metricKey,
          vector.stepAt(at),
          vector.valueAt(at),
        ])
      })
      const key = (point: unknown[]) => JSON.stringify(point.map(String))
      const wanted = run.map((each) => key([each.metricKey, each.step, each.value + 0]))
      t.same(back.map(key).sort(), wanted.sort())
    }),
  )
})

t.test('a range is one step and its values; any other steps stand there each', async (t) => {
  const sizes = (steps: number[]) =>
    encodeVectors(steps.map((step) => value('m', step, 1))).map((vector) => [
      vector.steps.length,
      vector.vals.length,
    ])
  t.same(sizes([3, 4, 5]), [[8, 24]])
  t.same(sizes([5, 3, 4]), [[8, 24]], 'in any order')
  t.same(sizes([-1]), [[8, 8]])
  t.same(sizes([3, 5]), [[16, 16]])
  t.same(sizes([3, 3]), [[16, 16]], 'a step twice is no range')
  t.match(encodeVectors([]), [{ metricKey: NO_METRIC }], 'a run without values is known to be copied')
})

t.test('a step is found where its first value stands, the greatest', async (t) => {
  const [encoded] = encodeVectors([
    value('m', 9, 1),
    value('m', 4, 2),
    value('m', 4, 3),
    value('m', 4, NaN),
    value('m', -1, -0),
  ])
  const vector = decoded(encoded!)
  t.same(
    Array.from({ length: vector.length }, (_none, at) => vector.valueAt(at)),
    [0, NaN, 3, 2, 1],
  )
  t.ok(Object.is(vector.valueAt(0), 0), 'a negative zero is an ordinary one, as in the rows')
  t.same(
    [-1, 4, 9, 5, -2, 10].map((step) => vector.find(step)),
    [0, 1, 4, -1, -1, -1],
  )
  const [two] = encodeVectors([value('m', 3, 1), value('m', 4, 2)])
  const range = decoded(two!)
  t.same(
    [2, 3, 4, 5].map((step) => range.find(step)),
    [-1, 0, 1, -1],
  )
})

t.test('bytes that are no doubles are refused', async (t) => {
  t.throws(() => toDoubles(Buffer.alloc(15)), /middle of a double/)
  t.same([...toDoubles(Buffer.alloc(0))], [])
})
