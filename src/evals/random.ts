/**
 * Whole numbers from 0 to 2^32-1, the same on every machine: xoshiro128++ 1.0 by David Blackman and Sebastiano Vigna
 * ("Scrambled Linear Pseudorandom Number Generators", ACM TOMS 47, 2021). Only 32-bit arithmetic, so nothing depends
 * on a library's rounding. The 32-bit generator of the demo was rejected: twenty million draws are much of its period.
 */
export class Random {
  readonly #state: Int32Array

  /** @param seed four 32-bit words, not all zero */
  constructor(seed: readonly [number, number, number, number]) {
    if (seed.every((word) => (word | 0) === 0)) throw new RangeError('a seed of zeros yields zeros only')
    this.#state = Int32Array.from(seed, (word) => word | 0)
  }

  /** Fills an array with the next numbers. One call for each number takes more than twice as long. */
  fill(numbers: Uint32Array): void {
    let [a, b, c, d] = this.#state as unknown as [number, number, number, number]
    for (let i = 0; i < numbers.length; i++) {
      const sum = (a + d) | 0
      numbers[i] = ((sum << 7) | (sum >>> 25)) + a
      const shifted = b << 9
      c ^= a
      d ^= b
      b ^= c
      a ^= d
      c ^= shifted
      d = (d << 11) | (d >>> 21)
    }
    this.#state.set([a, b, c, d])
  }
}
