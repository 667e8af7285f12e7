type Row = readonly number[]

/**
 * The inverse of a symmetric positive definite matrix, by way of its Cholesky factor.
 * @param matrix row by row; only what is on and below the diagonal is read; stays as it is
 * @throws RangeError for one that is not positive definite
 */
export function invertPositiveDefinite(matrix: readonly Row[]): number[][] {
  const factor = choleskyFactor(matrix)
  const inverse = matrix.map(() => matrix.map(() => 0))
  for (let column = 0; column < matrix.length; column++) {
    const unit = matrix.map((_, i) => (i === column ? 1 : 0))
    // What is above the diagonal is what is below it, to the bit.
    solveWith(factor, unit, column).forEach((value, i) => {
      if (i < column) return
      inverse[i]![column] = value
      inverse[column]![i] = value
    })
  }
  return inverse
}

/** The x of `matrix` x = `right`, at a third of the work of the inverse and less of its rounding; otherwise as that. */
export function solvePositiveDefinite(matrix: readonly Row[], right: readonly number[]): number[] {
  return solveWith(choleskyFactor(matrix), right, 0)
}

/** The lower triangular L with L L' = `matrix`. */
function choleskyFactor(matrix: readonly Row[]): number[][] {
  const factor: number[][] = []
  for (const row of matrix) {
    const own: number[] = []
    for (let j = 0; j <= factor.length; j++) {
      const other = factor[j] ?? own
      let left = row[j]!
      for (let k = 0; k < j; k++) left -= own[k]! * other[k]!
      if (j < factor.length) own.push(left / other[j]!)
      else if (left > 0) own.push(Math.sqrt(left))
      else throw new RangeError('the matrix is not positive definite')
    }
    factor.push(own)
  }
  return factor
}

/** @param zeros how many leading entries of `right` are known to be 0 */
function solveWith(factor: readonly Row[], right: readonly number[], zeros: number): number[] {
  const solution = [...right]
  for (let i = zeros; i < factor.length; i++) {
    const row = factor[i]!
    for (let k = zeros; k < i; k++) solution[i]! -= row[k]! * solution[k]!
    solution[i]! /= row[i]!
  }
  for (let i = factor.length - 1; i >= 0; i--) {
    const row = factor[i]!
    solution[i]! /= row[i]!
    for (let k = 0; k < i; k++) solution[k]! -= row[k]! * solution[i]!
  }
  return solution
}
