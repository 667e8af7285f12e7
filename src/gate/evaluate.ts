import type { BandRule, BandSide, HardRefRule } from './rules.js'
import { mean, sampleStd } from './statistics.js'

/** What a baseline says, and the corridor that a band makes of it. */
export interface Corridor {
  /** How many trusted values the baseline holds. */
  readonly n: number
  /** The other numbers are null for an inactive check. */
  readonly mean: number | null
  /** null for n < 2. */
  readonly std: number | null
  readonly lower: number | null
  /** null: no upper bound. */
  readonly upper: number | null
}

export interface BandJudgement {
  readonly status: 'pass' | 'fail' | 'inactive'
  readonly corridor: Corridor
}

/**
 * Judges one value by its band: the gate's own arithmetic, also for a replay. Plain IEEE doubles, both ends
 * inclusive, no tolerance added; the band scales from the reference only, never from the value.
 * @param baseline the coordinate's trusted finite values, newest first, without the run under judgement
 */
export function judgeByBand(rule: BandRule, value: number, baseline: readonly number[]): BandJudgement {
  const n = baseline.length
  const inactive: BandJudgement = {
    status: 'inactive',
    corridor: { n, mean: null, std: null, lower: null, upper: null },
  }
  if (n === 0) return inactive
  const reference = mean(baseline)
  const std = sampleStd(baseline, reference)
  const down = bandWidth(rule.down, reference, std)
  const up = rule.up === null ? Infinity : bandWidth(rule.up, reference, std)
  if (down === null || up === null) return inactive
  const lower = reference - down
  const upper = rule.up === null ? null : reference + up
  const within = lower <= value && (upper === null || value <= upper)
  return { status: within ? 'pass' : 'fail', corridor: { n, mean: reference, std, lower, upper } }
}

/**
 * The largest of the written parameters. Without a spread (n < 2) `k_std` contributes nothing beside others;
 * @returns null where it stands alone then: there is nothing to scale from
 */
function bandWidth(side: BandSide, reference: number, std: number | null): number | null {
  let width: number | null = null
  if (side.rel !== null) width = side.rel * Math.abs(reference)
  if (side.absFloor !== null) width = Math.max(width ?? 0, side.absFloor)
  // A k_std of 0 contributes 0, also beside an infinite spread, where the product would be NaN.
  if (side.kStd !== null && std !== null) width = Math.max(width ?? 0, side.kStd === 0 ? 0 : side.kStd * std)
  return width
}

/** Judges one value by an absolute limit: no band, no history, never inactive. */
export function judgeByLimit(rule: HardRefRule, value: number): 'pass' | 'fail' {
  return (rule.min === null || rule.min <= value) && (rule.max === null || value <= rule.max)
    ? 'pass'
    : 'fail'
}
