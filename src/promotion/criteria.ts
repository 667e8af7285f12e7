import type { Context } from './context.js'
import {
  beatsCurrent,
  costWithinBudget,
  minShadowEpisodes,
  noCoreViolation,
  sequentialTestAccepts,
  sustained,
} from './evidence-predicates.js'
import { driftClean, registered, resourceFits, sandboxClean, validated } from './fact-predicates.js'
import type { Ladder, Rung, Variant } from './ladder.js'
import type { Predicate } from './predicate.js'
import { notLowered, shareAvailable, trialSlotFree } from './traffic-predicates.js'

/** A rung that a variant may come onto next. */
export interface Target {
  readonly rung: Rung
  /** The step, where the rung is `ramp`. */
  readonly rampStep: number | null
}

/** Where a variant goes next by rule; null for the live one and at the ends. */
export function nextTarget({ config }: Ladder, variant: Variant): Target | null {
  switch (variant.rung) {
    case 'registered':
      return { rung: 'shadow', rampStep: null }
    case 'shadow':
      return { rung: config.mode === 'pairwise' ? 'trial' : 'canary', rampStep: null }
    case 'canary':
      return { rung: 'ramp', rampStep: 0 }
    case 'ramp': {
      const step = (variant.rampStep ?? 0) + 1
      return step < config.rampShares.length
        ? { rung: 'ramp', rampStep: step }
        : { rung: 'current', rampStep: null }
    }
    case 'trial':
      return { rung: 'current', rampStep: null }
    default:
      return null
  }
}

/** All predicates of a rung's entry, evaluated; each is recorded, whether or not another failed already. */
export function entryPredicates(context: Context, variant: Variant, target: Target): Predicate[] {
  const criterion = criterionOf(context, variant, target)
  return variant.placed === 'lowered' ? [...criterion, notLowered(context, variant)] : criterion
}

function criterionOf(context: Context, variant: Variant, { rung, rampStep }: Target): Predicate[] {
  const { mode, sustainGroups } = context.ladder.config
  if (rung === 'shadow') return shadowPredicates(context, variant)
  if (rung === 'trial')
    return [
      minShadowEpisodes(context, variant),
      noCoreViolation(context, variant),
      trialSlotFree(context, variant),
    ]
  if (rung === 'canary')
    return [
      beatsCurrent(context, variant),
      noCoreViolation(context, variant),
      shareAvailable(context, variant, rung, rampStep),
    ]
  if (rung === 'ramp') {
    // A later step needs a group won on the step before, or both would be taken in one moment.
    const held = rampStep === 0 ? [] : [sustained(context, variant, 1)]
    return [
      noCoreViolation(context, variant),
      costWithinBudget(context, variant),
      sequentialTestAccepts(context, variant),
      ...held,
      shareAvailable(context, variant, rung, rampStep),
    ]
  }
  return [
    mode === 'pairwise'
      ? sequentialTestAccepts(context, variant)
      : sustained(context, variant, sustainGroups),
    driftClean(context, variant),
    noCoreViolation(context, variant),
  ]
}

/** What a variant must be known to be before it runs at all. */
export function shadowPredicates(context: Context, variant: Variant): Predicate[] {
  return [
    registered(context, variant),
    validated(context, variant),
    sandboxClean(context, variant),
    resourceFits(context, variant),
  ]
}
