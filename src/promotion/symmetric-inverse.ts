/**
 * The inverse of a symmetric positive definite matrix, by Gauss and Jordan. No pivoting is needed: the pivots of such
 * a matrix are positive in any order.
 * @param matrix row by row; stays as it is
 */
export function invertPositiveDefinite(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))])
  for (let pivot = 0; pivot < size; pivot++) {
    const row = rows[pivot]!
    const divisor = row[pivot]!
    if (!(divisor > 0)) throw new RangeError('the matrix is not positive definite')
    for (let j = 0; j < row.length; j++) row[j]! /= divisor
    rows.forEach((other, i) => {
      const factor = other[pivot]!
      if (i !== pivot && factor !== 0) row.forEach((value, j) => (other[j]! -= factor * value))
    })
  }
  return rows.map((row) => row.slice(size))
}
