import { evidenceOf, type Evidence } from './evidence.js'
import {
  predecessorOf,
  replaceVariant,
  variantOf,
  type Ladder,
  type LivePointer,
  type Rung,
  type Variant,
} from './ladder.js'
import type { Cause, Move } from './moves.js'
import type { Predicate } from './predicate.js'
import { shareOf, slotsOnRung } from './shares.js'

/** One entry of a ladder's history: a variant came from one rung onto another, or an alarm (the rung stays). */
export interface Transition {
  readonly variant: string
  readonly from: Rung
  readonly to: Rung
  /** The traffic it has afterwards, as a part of 1. */
  readonly share: number
  readonly cause: Cause | 'superseded' | 'restored'
  /** What decided it; empty for the other side of a swap or rollback, and for a person's override. */
  readonly predicates: readonly Predicate[]
  /** The pointer afterwards. A higher generation than in the entry before: it was moved by this one. */
  readonly live: LivePointer
  /** `rules`, or who overrode them. */
  readonly actor: string
  /** A person's words; null for the rules. */
  readonly reason: string | null
  readonly at: string
}

/** By whom and when changes are made, beside the evidence of that moment. */
export interface Occasion {
  readonly evidence: Evidence
  readonly actor: string
  readonly reason: string | null
  readonly now: string
}

export interface Applied {
  readonly ladder: Ladder
  readonly transitions: readonly Transition[]
}

/**
 * Carries out a move. A change of the pointer is one step from 100 % of one version to 100 % of another, and touches
 * two variants: both entries carry the new generation.
 */
export function applyMove(ladder: Ladder, move: Move, occasion: Occasion): Applied {
  const variant = variantOf(ladder, move.variant)
  if (move.cause === 'core_violation_without_predecessor') return raiseAlarm(ladder, variant, move, occasion)
  if (move.to === 'current') return swap(ladder, variant, move, occasion)
  if (variant.version === ladder.live.version) return rollBackLive(ladder, variant, move, occasion)
  const slots = slotsOnRung(ladder, variant, move.to, move.rampStep)
  if (slots === null)
    throw new RangeError(`too little traffic is left for ${JSON.stringify(variant.version)}`)
  const entered = enter({ ...variant, rampStep: move.rampStep, slots }, move.to, ladder.live, occasion)
  const changed = replaceVariant(ladder, entered)
  return { ladder: changed, transitions: [record(changed, variant, move.cause, move.predicates, occasion)] }
}

function swap(ladder: Ladder, challenger: Variant, move: Move, occasion: Occasion): Applied {
  const old = variantOf(ladder, ladder.live.version)
  const live = moved(ladder.live, challenger.version, occasion)
  const promoted = { ...challenger, predecessor: old.version, slots: [], rampStep: null }
  const changed = [
    enter(promoted, 'current', live, occasion),
    enter(old, 'superseded', live, occasion),
  ].reduce(replaceVariant, { ...ladder, live })
  return {
    ladder: changed,
    transitions: [
      record(changed, challenger, move.cause, move.predicates, occasion),
      record(changed, old, 'superseded', [], occasion),
    ],
  }
}

function rollBackLive(ladder: Ladder, old: Variant, move: Move, occasion: Occasion): Applied {
  const prior = predecessorOf(ladder, old.version)
  if (prior === null) throw new RangeError('no predecessor is left to restore')
  const live = moved(ladder.live, prior.version, occasion)
  const changed = [enter(old, move.to, live, occasion), enter(prior, 'current', live, occasion)].reduce(
    replaceVariant,
    { ...ladder, live },
  )
  return {
    ladder: changed,
    transitions: [
      record(changed, old, move.cause, move.predicates, occasion),
      record(changed, prior, 'restored', [], occasion),
    ],
  }
}

function raiseAlarm(ladder: Ladder, live: Variant, move: Move, occasion: Occasion): Applied {
  const { capped } = evidenceOf(occasion.evidence, live.version)
  const changed = replaceVariant(ladder, { ...live, alarmedCaps: capped.length })
  return { ladder: changed, transitions: [record(changed, live, move.cause, move.predicates, occasion)] }
}

function moved(live: LivePointer, version: string, { now }: Occasion): LivePointer {
  return { version, generation: live.generation + 1, since: now }
}

function enter(variant: Variant, rung: Rung, live: LivePointer, { evidence, now }: Occasion): Variant {
  return {
    ...variant,
    rung,
    placed: 'by_rule',
    since: { at: now, generation: live.generation, sequence: evidence.sequence },
  }
}

function record(
  ladder: Ladder,
  before: Variant,
  cause: Transition['cause'],
  predicates: readonly Predicate[],
  { actor, reason, now }: Occasion,
): Transition {
  const after = variantOf(ladder, before.version)
  return {
    variant: before.version,
    from: before.rung,
    to: after.rung,
    share: shareOf(ladder, after),
    cause,
    predicates,
    live: ladder.live,
    actor,
    reason,
    at: now,
  }
}
