import t from 'tap'
import { invertPositiveDefinite, solvePositiveDefinite } from '../../src/promotion/symmetric-inverse.js'

t.test('a matrix times its inverse is the identity', async (t) => {
  const matrix = [
    [4, 2, 0.5],
    [2, 5, 1],
    [0.5, 1, 3],
  ]
  const before = JSON.stringify(matrix)
  const inverse = invertPositiveDefinite(matrix)
  matrix.forEach((row, i) => {
    row.forEach((_, j) => {
      const product = row.reduce((sum, value, k) => sum + value * inverse[k]![j]!, 0)
      t.ok(Math.abs(product - (i === j ? 1 : 0)) < 1e-14)
    })
  })
  t.equal(JSON.stringify(matrix), before)
})

t.test('a solution is the inverse times the right side', async (t) => {
  const matrix = [
    [4, 2, 0.5],
    [2, 5, 1],
    [0.5, 1, 3],
  ]
  const solution = solvePositiveDefinite(matrix, [1, -2, 0.25])
  for (const [i, right] of [1, -2, 0.25].entries()) {
    const product = matrix[i]!.reduce((sum, value, k) => sum + value * solution[k]!, 0)
    t.ok(Math.abs(product - right) < 1e-14)
  }
})

t.test('what is not positive definite is refused', async (t) => {
  t.throws(() => invertPositiveDefinite([[0]]), RangeError)
  t.throws(
    () =>
      invertPositiveDefinite([
        [1, 2],
        [2, 1],
      ]),
    RangeError,
  )
})
