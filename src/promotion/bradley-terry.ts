import { invertPositiveDefinite, solvePositiveDefinite } from './symmetric-inverse.js'
import { winGraph, type PairTally, type WinGraph } from './win-graph.js'

/** The 97.5 % point of the normal distribution: intervals are two-sided, at 95 %. */
export const Z95 = 1.959963984540054

/** Variants whose strengths can be measured against each other. */
export interface MeasuredClass {
  readonly variants: readonly string[]
  /** Natural logarithms of the strengths, with mean zero over the class. Empty when the iteration did not settle. */
  readonly strengths: readonly number[]
  readonly covariance: readonly (readonly number[])[]
  readonly converged: boolean
  readonly iterations: number
}

export interface BradleyTerryFit {
  readonly pairs: readonly PairTally[]
  readonly graph: WinGraph
  readonly classes: readonly MeasuredClass[]
}

/** A change of the strengths below this ends the MM iteration. */
const TOLERANCE = 1e-13
/** What few variants that were all compared with each other need at most. */
const MM_ITERATIONS = 300
/** A step of Newton's method squares the error: what is left after one this small is less than a double can say. */
const LAST_STEP = 1e-8
const NEWTON_STEPS = 100

/**
 * Maximum likelihood strengths under P(i beats j) = s_i / (s_i + s_j), by the MM iteration of D. R. Hunter (MM
 * algorithms for generalized Bradley-Terry models, Annals of Statistics 32, 2004): s_i becomes its wins, divided by
 * the sum over opponents of n_ij / (s_i + s_j). It climbs from anywhere, and slowly: where versions followed each other
 * and each met its neighbours alone, news travels one neighbour an iteration, and some seventy of them did not settle in
 * 50,000. So Newton's method finishes what is left after the first few hundred. (Newton alone was rejected: far from the
 * maximum its steps may lead astray.)
 *
 * A tie is half a win for each side. (Davidson's tie parameter was rejected: it is one more number to estimate, and
 * orders the variants the same way.) The intervals then take a tie for a whole comparison, which makes them a little
 * wide and never too narrow.
 *
 * Where one set of variants never lost to another, the maximum lies at infinity. Strengths are then those within each
 * measurable class, which is where the likelihood tends to, and nothing is said across classes: no prior, no half win
 * that nobody scored.
 */
export function fitBradleyTerry(pairs: readonly PairTally[]): BradleyTerryFit {
  const graph = winGraph(pairs)
  return { pairs, graph, classes: graph.measurable.map((variants) => fitClass(variants, pairs)) }
}

interface Pair {
  readonly i: number
  readonly j: number
  readonly n: number
}

function fitClass(variants: readonly string[], pairs: readonly PairTally[]): MeasuredClass {
  const place = new Map(variants.map((variant, index) => [variant, index]))
  const counts = new Map<string, Pair>()
  const wins = variants.map(() => 0)
  for (const { a, b, winsA, winsB, ties } of pairs) {
    const i = place.get(a)
    const j = place.get(b)
    if (i === undefined || j === undefined) continue
    wins[i]! += winsA + ties / 2
    wins[j]! += winsB + ties / 2
    const [low, high] = i < j ? [i, j] : [j, i]
    const key = `${low} ${high}`
    const n = (counts.get(key)?.n ?? 0) + winsA + winsB + ties
    counts.set(key, { i: low, j: high, n })
  }
  // One order for all sums: the order in which results came must not change a bit.
  const sorted = [...counts.values()].sort((left, right) => left.i - right.i || left.j - right.j)
  const { strengths, converged, iterations } = iterate(wins, sorted)
  return {
    variants,
    strengths: converged ? strengths : [],
    covariance: converged ? covarianceOf(strengths, sorted) : [],
    converged,
    iterations,
  }
}

function iterate(wins: readonly number[], pairs: readonly Pair[]) {
  let strengths = wins.map(() => 0)
  if (wins.length === 1) return { strengths, converged: true, iterations: 0 }
  for (let iterations = 1; iterations <= MM_ITERATIONS; iterations++) {
    const expected = expectedWins(strengths, pairs)
    // s_i times its sum over n_ij / (s_i + s_j) is what it is expected to win; so no exponential can overflow.
    const next = centered(strengths.map((value, i) => value + Math.log(wins[i]! / expected[i]!)))
    const change = largest(next.map((value, i) => value - strengths[i]!))
    strengths = next
    if (change < TOLERANCE) return { strengths, converged: true, iterations }
  }
  for (let steps = 1; steps <= NEWTON_STEPS; steps++) {
    const expected = expectedWins(strengths, pairs)
    const gradient = wins.map((won, i) => won - expected[i]!)
    const step = solvePositiveDefinite(filled(informationOf(strengths, pairs)).matrix, gradient)
    strengths = climb(wins, pairs, strengths, step)
    if (largest(step) < LAST_STEP) return { strengths, converged: true, iterations: MM_ITERATIONS + steps }
  }
  return { strengths, converged: false, iterations: MM_ITERATIONS + NEWTON_STEPS }
}

/** Takes the step; a shorter one where the whole leads too far. The last, tiny ones are below what the likelihood shows. */
function climb(
  wins: readonly number[],
  pairs: readonly Pair[],
  strengths: readonly number[],
  step: readonly number[],
): number[] {
  const begun = logLikelihood(wins, pairs, strengths)
  for (let part = 1; ; part /= 2) {
    const next = centered(strengths.map((value, i) => value + part * step[i]!))
    if (part * largest(step) < 1e-4 || logLikelihood(wins, pairs, next) >= begun) return next
  }
}

/** The sum of wins times strengths, less that of n_ij ln(s_i + s_j). */
function logLikelihood(
  wins: readonly number[],
  pairs: readonly Pair[],
  strengths: readonly number[],
): number {
  const won = wins.reduce((sum, count, i) => sum + count * strengths[i]!, 0)
  return pairs.reduce((sum, { i, j, n }) => {
    const [high, low] =
      strengths[i]! > strengths[j]! ? [strengths[i]!, strengths[j]!] : [strengths[j]!, strengths[i]!]
    return sum - n * (high + Math.log1p(Math.exp(low - high)))
  }, won)
}

function expectedWins(strengths: readonly number[], pairs: readonly Pair[]): number[] {
  const expected = strengths.map(() => 0)
  for (const { i, j, n } of pairs) {
    expected[i]! += n / (1 + Math.exp(strengths[j]! - strengths[i]!))
    expected[j]! += n / (1 + Math.exp(strengths[i]! - strengths[j]!))
  }
  return expected
}

function centered(values: readonly number[]): number[] {
  const center = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.map((value) => value - center)
}

function largest(changes: readonly number[]): number {
  return changes.reduce((most, change) => Math.max(most, Math.abs(change)), 0)
}

/** The observed information; diagonal: sum of n p q; beside it: -n p q. */
function informationOf(strengths: readonly number[], pairs: readonly Pair[]): number[][] {
  const information = strengths.map(() => strengths.map(() => 0))
  for (const { i, j, n } of pairs) {
    const p = 1 / (1 + Math.exp(strengths[j]! - strengths[i]!))
    const weight = n * p * (1 - p)
    information[i]![i]! += weight
    information[j]![j]! += weight
    information[i]![j]! -= weight
    information[j]![i]! -= weight
  }
  return information
}

/** With a multiple of the all-ones matrix added: the information says nothing on the sum of strengths, which is zero. */
function filled(information: readonly (readonly number[])[]) {
  const size = information.length
  const scale = information.reduce((sum, row, i) => sum + row[i]!, 0) / size
  return { scale, matrix: information.map((row) => row.map((value) => value + scale / size)) }
}

/**
 * The generalized inverse of the observed information, under strengths that sum to zero: what was added to make it
 * invertible is taken off the inverse again.
 */
function covarianceOf(strengths: readonly number[], pairs: readonly Pair[]): number[][] {
  const size = strengths.length
  if (size === 1) return [[0]]
  const { scale, matrix } = filled(informationOf(strengths, pairs))
  return invertPositiveDefinite(matrix).map((row) => row.map((value) => value - 1 / (scale * size)))
}
