import type { LadderConfig } from './config.js'
import type { Ladder, Rung, Variant } from './ladder.js'
import { resize, SLOTS, slotCount, slotsOfShare, type Slot } from './slots.js'

/** The share that a rung is due, as a part of 1; 0 for what has no traffic and for the live version, which has the rest. */
export function shareOfRung(config: LadderConfig, rung: Rung, rampStep: number | null): number {
  if (rung === 'trial') return config.trialShare
  if (rung === 'canary') return config.canaryShare
  return rung === 'ramp' ? config.rampShares[rampStep ?? 0]! : 0
}

/** The slots that a variant would hold on a rung; null when the others leave too few. */
export function slotsOnRung(
  ladder: Ladder,
  variant: Variant,
  rung: Rung,
  rampStep: number | null,
): Slot[] | null {
  const others = ladder.variants.filter(({ version }) => version !== variant.version)
  return resize(
    variant.slots,
    others.flatMap(({ slots }) => slots),
    slotsOfShare(shareOfRung(ladder.config, rung, rampStep)),
  )
}

/**
 * How many slots must stay free on a tournament beside a rung that a variant takes: what whoever then holds most still
 * needs for the last step of the ramp. Without this, challengers that each hold a little could keep each other from
 * that step for ever; with it, the one that is farthest can always finish.
 */
export function slotsToKeepFree(
  ladder: Ladder,
  variant: Variant,
  rung: Rung,
  rampStep: number | null,
): number {
  const { config, variants } = ladder
  const held = variants.map((other) => (other.version === variant.version ? 0 : slotCount(other.slots)))
  const most = Math.max(slotsOfShare(shareOfRung(config, rung, rampStep)), ...held)
  return Math.max(0, slotsOfShare(config.rampShares.at(-1)!) - most)
}

export function shareOf(ladder: Ladder, variant: Variant): number {
  if (variant.version !== ladder.live.version) return slotCount(variant.slots) / SLOTS
  return (SLOTS - ladder.variants.reduce((sum, { slots }) => sum + slotCount(slots), 0)) / SLOTS
}

/** Who has traffic, the live version first; the shares add up to 1. */
export function shares(ladder: Ladder): Array<{ version: string; share: number }> {
  const { version: live } = ladder.live
  return ladder.variants
    .map((variant) => ({ version: variant.version, share: shareOf(ladder, variant) }))
    .filter(({ version, share }) => version === live || share > 0)
    .sort((left, right) => Number(right.version === live) - Number(left.version === live))
}
