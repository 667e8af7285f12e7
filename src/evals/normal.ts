/** Two-sided 95 %: the 0.975 quantile of the standard normal distribution. */
export const Z95 = 1.959963984540054

type Coefficients = readonly number[]

/** Rational approximations around the median, between it and the tail, and in the far tail; constant term first. */
const CENTER: readonly [Coefficients, Coefficients] = [
  [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
    67265.7709270087, 33430.57558358813, 2509.0809287301227,
  ],
  [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852854,
  ],
]
const NEAR: readonly [Coefficients, Coefficients] = [
  [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 7.745450142783414e-4,
  ],
  [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    5.475938084995345e-4, 1.0507500716444169e-9,
  ],
]
const FAR: readonly [Coefficients, Coefficients] = [
  [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
  ],
  [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 7.868691311456133e-4,
    1.8463183175100548e-5, 1.421511758316446e-7, 2.0442631033899397e-15,
  ],
]

/**
 * The quantile of the standard normal distribution, to about 16 digits: PPND16, algorithm AS 241 (M. J. Wichura, "The
 * Percentage Points of the Normal Distribution", Applied Statistics 37, 1988).
 * @throws RangeError unless 0 < probability < 1
 */
export function normalQuantile(probability: number): number {
  if (!(probability > 0 && probability < 1)) throw new RangeError('a probability lies between 0 and 1')
  const fromMedian = probability - 0.5
  if (Math.abs(fromMedian) <= 0.425) return fromMedian * ratio(CENTER, 0.180625 - fromMedian * fromMedian)
  const tail = fromMedian < 0 ? probability : 1 - probability
  const r = Math.sqrt(-Math.log(tail))
  const magnitude = r <= 5 ? ratio(NEAR, r - 1.6) : ratio(FAR, r - 5)
  return fromMedian < 0 ? -magnitude : magnitude
}

function ratio([above, below]: readonly [Coefficients, Coefficients], x: number): number {
  return polynomial(above, x) / polynomial(below, x)
}

function polynomial(coefficients: Coefficients, x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0)
}
