import type { Context } from './context.js'
import { entryPredicates, nextTarget, shadowPredicates } from './criteria.js'
import { noCoreViolation, passRateHolds, sequentialTestDoesNotReject } from './evidence-predicates.js'
import { evidenceOf } from './evidence.js'
import { isChallenger, predecessorOf, RUNGS, variantOf, type Rung, type Variant } from './ladder.js'
import type { Predicate } from './predicate.js'
import { liveUnchanged } from './traffic-predicates.js'

export type Cause =
  | 'entry_criterion_met'
  | 'entry_criterion_lost'
  | 'live_changed'
  | 'test_rejects'
  | 'core_violation'
  | 'core_violation_without_predecessor'
  | 'pass_rate'
  | 'override'

/** One change that the rules demand. */
export interface Move {
  readonly variant: string
  readonly to: Rung
  readonly rampStep: number | null
  readonly cause: Cause
  readonly predicates: readonly Predicate[]
}

type Rule = (context: Context) => Move | null

/**
 * The next change, or null when the ladder is at rest. Safety goes first: whoever violated the core loses traffic
 * before anyone gains any.
 */
export function nextMove(context: Context): Move | null {
  for (const rule of RULES) {
    const move = rule(context)
    if (move !== null) return move
  }
  return null
}

/** On any rung and also at an end: a superseded version that violated the core must never be restored. */
const rollBackCapped: Rule = (context) =>
  firstMove(context.ladder.variants, (variant) => {
    if (variant.rung === 'rolled_back' || variant.rung === 'current') return null
    return moveUnless(noCoreViolation(context, variant), variant, 'rolled_back', 'core_violation')
  })

const rollBackCappedLive: Rule = (context) => {
  const live = variantOf(context.ladder, context.ladder.live.version)
  const held = noCoreViolation(context, live)
  if (held.passed) return null
  if (predecessorOf(context.ladder, live.version) !== null)
    return moveUnless(held, live, 'rolled_back', 'core_violation')
  // One alarm for each capped episode; the pointer is never empty.
  const { capped } = evidenceOf(context.evidence, live.version)
  if (capped.length <= live.alarmedCaps) return null
  return moveUnless(held, live, 'current', 'core_violation_without_predecessor')
}

const rollBackByPassRate: Rule = (context) =>
  firstMove(context.ladder.variants, (variant) => {
    if (!isChallenger(variant) && variant.rung !== 'current') return null
    return moveUnless(passRateHolds(context, variant), variant, 'rolled_back', 'pass_rate')
  })

const startAnew: Rule = (context) =>
  firstMove(context.ladder.variants, (variant) => {
    if (variant.rung !== 'canary' && variant.rung !== 'ramp') return null
    return moveUnless(liveUnchanged(context, variant), variant, 'shadow', 'live_changed')
  })

/** Facts may be taken back. Only shadow is left for that, and whom a person placed there stays. */
const loseShadow: Rule = (context) =>
  firstMove(context.ladder.variants, (variant) => {
    if (variant.rung !== 'shadow' || variant.placed !== 'by_rule') return null
    const predicates = shadowPredicates(context, variant)
    if (predicates.every(({ passed }) => passed)) return null
    return move(variant, 'registered', 'entry_criterion_lost', predicates)
  })

const reject: Rule = (context) =>
  firstMove(context.ladder.variants, (variant) =>
    isChallenger(variant)
      ? moveUnless(sequentialTestDoesNotReject(context, variant), variant, 'rejected', 'test_rejects')
      : null,
  )

/** The farthest goes first, then the one that was registered first. */
const promote: Rule = (context) => {
  const rungs = RUNGS[context.ladder.config.mode]
  const farthestFirst = [...context.ladder.variants].sort(
    (left, right) =>
      rungs.indexOf(right.rung) - rungs.indexOf(left.rung) || (right.rampStep ?? 0) - (left.rampStep ?? 0),
  )
  return firstMove(farthestFirst, (variant) => {
    const target = nextTarget(context.ladder, variant)
    if (target === null) return null
    const predicates = entryPredicates(context, variant, target)
    if (!predicates.every(({ passed }) => passed)) return null
    return { ...move(variant, target.rung, 'entry_criterion_met', predicates), rampStep: target.rampStep }
  })
}

const RULES: readonly Rule[] = [
  rollBackCapped,
  rollBackCappedLive,
  rollBackByPassRate,
  startAnew,
  loseShadow,
  reject,
  promote,
]

function firstMove(variants: readonly Variant[], ask: (variant: Variant) => Move | null): Move | null {
  for (const variant of variants) {
    const found = ask(variant)
    if (found !== null) return found
  }
  return null
}

function moveUnless(held: Predicate, variant: Variant, to: Rung, cause: Cause): Move | null {
  return held.passed ? null : move(variant, to, cause, [held])
}

function move(variant: Variant, to: Rung, cause: Cause, predicates: readonly Predicate[]): Move {
  return { variant: variant.version, to, rampStep: null, cause, predicates }
}
