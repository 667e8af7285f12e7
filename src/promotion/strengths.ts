import type { Comparison } from './comparison.js'
import { Z95, type BradleyTerryFit } from './bradley-terry.js'
import type { PairTally } from './win-graph.js'

/** The strength of a variant among those it can be measured against: a natural logarithm, mean zero over its class. */
export interface Strength {
  readonly variant: string
  /** Variants of one class are comparable; between classes nothing is known or the difference has no bound. */
  readonly class: number
  /** null where the variant stands alone in its class, or the iteration did not settle. */
  readonly estimate: {
    readonly value: number
    readonly standardError: number
    readonly lower: number
    readonly upper: number
  } | null
}

/** All strengths, and whether the comparisons tie the variants together. */
export interface Strengths {
  /** Whether comparisons link all variants, directly or through others. */
  readonly connected: boolean
  readonly components: readonly (readonly string[])[]
  /** Whether all differences have finite estimates: connected, and nobody unbeaten by all others. */
  readonly finite: boolean
  readonly strengths: readonly Strength[]
}

/** How much stronger one variant is than another, in natural logarithms of the odds of winning, with its 95 % interval. */
export interface Difference {
  readonly method: 'observed_information' | 'exact_binomial' | 'none'
  /** null where the estimate is infinite or there is none. */
  readonly value: number | null
  /** null: no bound on this side. */
  readonly lower: number | null
  readonly upper: number | null
  /** Why there is no finite estimate; null where there is one. */
  readonly reason: string | null
}

/**
 * Results as one tally a pair of variants. Errors and open comparisons are left out; voided ones must be left out
 * before.
 */
export function tallyPairs(comparisons: readonly Comparison[]): PairTally[] {
  const tallies = new Map<string, { a: string; b: string; winsA: number; winsB: number; ties: number }>()
  for (const { a, b, winner } of comparisons) {
    if (winner === null || winner === 'error' || a.variant === b.variant) continue
    const inOrder = a.variant < b.variant
    const [first, second] = inOrder ? [a.variant, b.variant] : [b.variant, a.variant]
    const key = JSON.stringify([first, second])
    const tally = tallies.get(key) ?? { a: first, b: second, winsA: 0, winsB: 0, ties: 0 }
    tallies.set(key, tally)
    if (winner === 'tie') tally.ties += 1
    else if ((winner === 'a') === inOrder) tally.winsA += 1
    else tally.winsB += 1
  }
  return [...tallies.values()]
}

export function strengthsOf(fit: BradleyTerryFit): Strengths {
  const strengths = fit.classes.flatMap(({ variants, strengths: values, covariance, converged }, index) =>
    variants.map((variant, i): Strength => {
      if (variants.length === 1 || !converged) return { variant, class: index, estimate: null }
      const value = values[i]!
      const standardError = Math.sqrt(covariance[i]![i]!)
      const reach = Z95 * standardError
      return {
        variant,
        class: index,
        estimate: { value, standardError, lower: value - reach, upper: value + reach },
      }
    }),
  )
  return {
    connected: fit.graph.components.length <= 1,
    components: fit.graph.components,
    finite: fit.classes.length <= 1 && fit.classes.every(({ converged }) => converged),
    strengths,
  }
}

/**
 * The difference of two strengths. Where its estimate is infinite because one of the two won every direct comparison,
 * the finite end of the interval is the exact binomial one (Clopper and Pearson) of those comparisons: n wins of n
 * leave (0.025)^(1/n) as the lowest win rate. So a challenger that never loses is not held up for want of a loss.
 */
export function difference(fit: BradleyTerryFit, one: string, other: string): Difference {
  const shared = fit.classes.find(({ variants }) => variants.includes(one) && variants.includes(other))
  if (shared) return within(shared, one, other)
  const linked = fit.graph.components.some((variants) => variants.includes(one) && variants.includes(other))
  if (!linked) return unknown('no chain of comparisons links the two')
  const { won, lost } = directWins(fit.pairs, one, other)
  if (won === 0 && lost === 0)
    return unknown('no chain of wins leads both ways, and the two were never compared directly')
  const lowest = 0.025 ** (1 / (won + lost))
  const bound = Math.log(lowest / (1 - lowest))
  return {
    method: 'exact_binomial',
    value: null,
    lower: won > 0 ? bound : null,
    upper: won > 0 ? null : -bound,
    reason: 'one of the two won every comparison, so the estimate is infinite',
  }
}

function within(shared: BradleyTerryFit['classes'][number], one: string, other: string): Difference {
  if (!shared.converged) return unknown('the iteration did not settle')
  const i = shared.variants.indexOf(one)
  const j = shared.variants.indexOf(other)
  const { covariance } = shared
  const value = shared.strengths[i]! - shared.strengths[j]!
  const reach = Z95 * Math.sqrt(covariance[i]![i]! + covariance[j]![j]! - 2 * covariance[i]![j]!)
  return {
    method: 'observed_information',
    value,
    lower: value - reach,
    upper: value + reach,
    reason: null,
  }
}

/** Between classes there are no ties, and wins in one direction at most. */
function directWins(pairs: readonly PairTally[], one: string, other: string) {
  let won = 0
  let lost = 0
  for (const { a, b, winsA, winsB } of pairs) {
    if (a === one && b === other) {
      won += winsA
      lost += winsB
    } else if (a === other && b === one) {
      won += winsB
      lost += winsA
    }
  }
  return { won, lost }
}

function unknown(reason: string): Difference {
  return { method: 'none', value: null, lower: null, upper: null, reason }
}
