import type { Means } from './comparison.js'
import { decimalPlaces, doubleQuotient, unitsOf } from './decimals.js'
import type { MatchedPair } from './match.js'
import { SLICE, type Sliced } from '../gate/slices.js'

/** Drops (baseline - current) of every matched question, and the means of both sides, in units of 10^-places. */
export interface Drops {
  readonly places: number
  readonly context: readonly bigint[]
  readonly lift: readonly bigint[]
  readonly sums: { readonly context: bigint; readonly lift: bigint }
  readonly means: { readonly baseline: Means; readonly current: Means }
}

/** @param places at least so many, for what the drops are compared with */
export function* computeDrops(pairs: readonly MatchedPair[], places: number): Sliced<Drops> {
  for (const [index, { baseline, current }] of pairs.entries()) {
    if (index % SLICE === SLICE - 1) yield
    for (const { contextScore, baselineScore } of [baseline, current])
      places = Math.max(places, decimalPlaces(contextScore), decimalPlaces(baselineScore))
  }
  const context: bigint[] = []
  const lift: bigint[] = []
  const sums = { context: [0n, 0n], lift: [0n, 0n] } satisfies Record<string, [bigint, bigint]>
  for (const [index, { baseline, current }] of pairs.entries()) {
    if (index % SLICE === SLICE - 1) yield
    const contextBefore = unitsOf(baseline.contextScore, places)
    const contextAfter = unitsOf(current.contextScore, places)
    const liftBefore = contextBefore - unitsOf(baseline.baselineScore, places)
    const liftAfter = contextAfter - unitsOf(current.baselineScore, places)
    sums.context[0] += contextBefore
    sums.context[1] += contextAfter
    sums.lift[0] += liftBefore
    sums.lift[1] += liftAfter
    context.push(contextBefore - contextAfter)
    lift.push(liftBefore - liftAfter)
  }
  const mean = (sum: bigint) => (pairs.length === 0 ? null : doubleQuotient(sum, pairs.length, places))
  const meansOf = (side: 0 | 1): Means => ({ context: mean(sums.context[side]), lift: mean(sums.lift[side]) })
  return {
    places,
    context,
    lift,
    sums: { context: sums.context[0] - sums.context[1], lift: sums.lift[0] - sums.lift[1] },
    means: { baseline: meansOf(0), current: meansOf(1) },
  }
}
