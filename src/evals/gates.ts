import type { Fault } from '../gate/outcome.js'
import type { GateName, GateResult, GateStatus, Gates } from './comparison.js'
import { doubleQuotient, unitsOf } from './decimals.js'
import type { Drops } from './drops.js'
import { meanInterval, RESAMPLES, SMALL_SAMPLE } from './interval.js'
import { isScore } from './scores.js'
import type { Sliced } from '../gate/slices.js'

/** A gate that was asked for. */
export interface Gate {
  readonly name: GateName
  readonly limit: number
}

export function gatesOf({ maxContextDrop, maxLiftDrop }: Gates): Gate[] {
  const gates: Gate[] = []
  if (maxContextDrop !== null) gates.push({ name: 'max_context_drop', limit: maxContextDrop })
  if (maxLiftDrop !== null) gates.push({ name: 'max_lift_drop', limit: maxLiftDrop })
  return gates
}

/** What is wrong with the gates, at the places of the request's fields. */
export function checkGates(gates: Gates): Fault[] {
  const faults: Fault[] = gatesOf(gates)
    .filter(({ limit }) => !isScore(limit) || limit < 0)
    .map(({ name }) => ({
      where: `gates/${name}`,
      message: 'must be a finite number of score points from 0',
    }))
  const { minMatched } = gates
  if (minMatched === null) return faults
  const where = 'gates/min_matched'
  if (!Number.isSafeInteger(minMatched) || minMatched < 1)
    faults.push({ where, message: 'must be a whole number from 1' })
  if (gatesOf(gates).length === 0) {
    const message =
      'checks nothing without max_context_drop or max_lift_drop; add one of them, or leave it out'
    faults.push({ where, message })
  }
  return faults
}

/**
 * Judges one gate by itself. A regression is a mean drop above the limit: an equal one is none, in exact decimals. What
 * is no regression is undecided where the interval reaches above the limit.
 * @param comparable whether the evidence is complete; without it there are figures, and no status
 */
export function* judgeGate(
  { name, limit }: Gate,
  drops: Drops,
  comparable: boolean,
  resamples = RESAMPLES,
): Sliced<GateResult> {
  const { places } = drops
  const what = name === 'max_context_drop' ? 'context' : 'lift'
  const values = drops[what]
  const sum = drops.sums[what]
  const n = values.length
  const smallSample = n < SMALL_SAMPLE
  if (n === 0) return { gate: name, limit, meanDrop: null, interval: null, smallSample, status: null }
  const meanDrop = doubleQuotient(sum, n, places)
  const interval = yield* meanInterval(values, places, resamples)
  const status = (): GateStatus => {
    if (sum > unitsOf(limit, places) * BigInt(n)) return 'regression'
    return interval.high > limit ? 'undecided' : 'pass'
  }
  return { gate: name, limit, meanDrop, interval, smallSample, status: comparable ? status() : null }
}
