import { accepted, refused, type Outcome } from '../gate/outcome.js'
import { evidenceOf, type Evidence } from './evidence.js'
import { nextTarget } from './criteria.js'
import {
  predecessorOf,
  replaceVariant,
  RUNGS,
  variantOf,
  type Ladder,
  type Rung,
  type Variant,
} from './ladder.js'
import { slotsOnRung } from './shares.js'
import { applyMove, type Applied } from './transition.js'

/** A person's word against the rules. */
export interface Override {
  /** A version of the ladder. */
  readonly variant: string
  readonly toRung: Rung
  readonly reason: string
  readonly actor: string
}

/**
 * Moves a variant by one rung, up or down, or ends its way (`rejected` for a challenger, `rolled_back` for the live
 * version, which restores its predecessor). Evidence may be missing; what no word can replace is traffic that others
 * hold, and a clean core: nothing comes onto `current` past a core violation.
 */
export function override(
  ladder: Ladder,
  evidence: Evidence,
  { variant: version, toRung, reason, actor }: Override,
  now: string,
): Outcome<Applied> {
  const variant = variantOf(ladder, version)
  const where = 'to_rung'
  const step = stepTo(ladder, variant, toRung)
  if (step === null) {
    return refused({ where, message: `${toRung} is not one rung from ${variant.rung} on this ladder` })
  }
  const { capped } = evidenceOf(evidence, version)
  if (toRung === 'current' && capped.length > 0) {
    return refused({ where, message: `a core violation (${capped.join(', ')}) bars the way onto current` })
  }
  if (variant.rung === 'current' && predecessorOf(ladder, version) === null) {
    return refused({ where, message: 'the live version has no predecessor to restore' })
  }
  const inTrial = ladder.variants.find(({ rung }) => rung === 'trial')
  if (toRung === 'trial' && inTrial !== undefined) {
    return refused({ where, message: `${inTrial.version} is in trial; one challenger at a time` })
  }
  const rampStep = step.rampStep
  if (toRung !== 'current' && slotsOnRung(ladder, variant, toRung, rampStep) === null) {
    return refused({ where, message: 'the other challengers leave too little traffic' })
  }
  const move = { variant: version, to: toRung, rampStep, cause: 'override', predicates: [] } as const
  const applied = applyMove(ladder, move, { evidence, actor, reason, now })
  if (step.placed === 'by_rule' || toRung === 'current') return accepted(applied)
  const placed = { ...variantOf(applied.ladder, version), placed: step.placed }
  return accepted({ ...applied, ladder: replaceVariant(applied.ladder, placed) })
}

function stepTo(
  ladder: Ladder,
  variant: Variant,
  toRung: Rung,
): { rampStep: number | null; placed: Variant['placed'] } | null {
  const ended = { rampStep: null, placed: 'by_rule' } as const
  if (variant.rung === 'current') return toRung === 'rolled_back' ? ended : null
  const rungs = RUNGS[ladder.config.mode]
  const at = rungs.indexOf(variant.rung)
  if (at === -1) return null
  if (toRung === 'rejected') return ended
  const next = nextTarget(ladder, variant)
  if (next?.rung === toRung) return { rampStep: next.rampStep, placed: 'raised' }
  const to = rungs.indexOf(toRung)
  // From an early step of the ramp: `current` is the next rung all the same.
  if (to === at + 1) return { rampStep: null, placed: 'raised' }
  return to !== -1 && to === at - 1 ? { rampStep: null, placed: 'lowered' } : null
}
