import type { Context } from './context.js'
import type { Rung, Variant } from './ladder.js'
import type { Predicate } from './predicate.js'
import { shareOfRung, slotsToKeepFree } from './shares.js'
import { SLOTS, slotCount, slotsOfShare } from './slots.js'

/** Nobody else is in trial: a second challenger waits in shadow. */
export function trialSlotFree({ ladder }: Context, { version }: Variant): Predicate {
  const inTrial = ladder.variants.find((other) => other.rung === 'trial' && other.version !== version)
  return {
    name: 'trial_slot_free',
    passed: inTrial === undefined,
    inputs: { in_trial: inTrial?.version ?? null },
  }
}

/** What the other challengers leave is enough for the rung's share, and for the farthest of all to finish the ramp. */
export function shareAvailable(
  { ladder }: Context,
  variant: Variant,
  rung: Rung,
  rampStep: number | null,
): Predicate {
  const others = slotCount(
    ladder.variants.flatMap(({ version, slots }) => (version === variant.version ? [] : slots)),
  )
  const wanted = slotsOfShare(shareOfRung(ladder.config, rung, rampStep))
  const keptFree = slotsToKeepFree(ladder, variant, rung, rampStep)
  return {
    name: 'share_available',
    passed: others + wanted + keptFree <= SLOTS,
    inputs: { wanted: wanted / SLOTS, held_by_others: others / SLOTS, kept_free: keptFree / SLOTS },
  }
}

/**
 * The live version is the one that the variant's rung was earned against. Holding traffic on a tournament's canary or
 * ramp is owed to evidence against a certain live version; with another one it starts anew, in shadow.
 */
export function liveUnchanged({ ladder }: Context, { since }: Variant): Predicate {
  return {
    name: 'live_unchanged',
    passed: since.generation === ladder.live.generation,
    inputs: { entered_at_generation: since.generation, generation: ladder.live.generation },
  }
}

/** No person took the variant down; who was taken down waits for a person. */
export function notLowered(_: Context, { placed }: Variant): Predicate {
  return { name: 'not_lowered', passed: placed !== 'lowered', inputs: { placed } }
}
