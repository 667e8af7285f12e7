import { invertPositiveDefinite } from './symmetric-inverse.js'
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

/** One change of the strengths below this, relatively, ends the iteration. */
const TOLERANCE = 1e-13
const MAX_ITERATIONS = 50_000

/**
 * Maximum likelihood strengths under P(i beats j) = s_i / (s_i + s_j), by the MM iteration of D. R. Hunter (MM
 * algorithms for generalized Bradley-Terry models, Annals of Statistics 32, 2004): s_i becomes its wins, divided by
 * the sum over opponents of n_ij / (s_i + s_j).
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
  for (let iterations = 1; iterations <= MAX_ITERATIONS; iterations++) {
    const shares = strengths.map(() => 0)
    for (const { i, j, n } of pairs) {
      const share = n / (Math.exp(strengths[i]!) + Math.exp(strengths[j]!))
      shares[i]! += share
      shares[j]! += share
    }
    const raw = wins.map((won, i) => Math.log(won / shares[i]!))
    const center = raw.reduce((sum, value) => sum + value, 0) / raw.length
    const next = raw.map((value) => value - center)
    const change = Math.max(...next.map((value, i) => Math.abs(value - strengths[i]!)))
    strengths = next
    if (change < TOLERANCE) return { strengths, converged: true, iterations }
  }
  return { strengths, converged: false, iterations: MAX_ITERATIONS }
}

/**
 * The generalized inverse of the observed information (diagonal: sum of n p q; beside it: -n p q), under strengths
 * that sum to zero. The information says nothing on their sum; adding a multiple of the all-ones matrix makes it
 * invertible, and taking the same part off afterwards leaves the inverse on what it does say.
 */
function covarianceOf(strengths: readonly number[], pairs: readonly Pair[]): number[][] {
  const size = strengths.length
  if (size === 1) return [[0]]
  const information = strengths.map(() => strengths.map(() => 0))
  for (const { i, j, n } of pairs) {
    const p = 1 / (1 + Math.exp(strengths[j]! - strengths[i]!))
    const weight = n * p * (1 - p)
    information[i]![i]! += weight
    information[j]![j]! += weight
    information[i]![j]! -= weight
    information[j]![i]! -= weight
  }
  const scale = information.reduce((sum, row, i) => sum + row[i]!, 0) / size
  const filled = information.map((row) => row.map((value) => value + scale / size))
  return invertPositiveDefinite(filled).map((row) => row.map((value) => value - 1 / (scale * size)))
}
