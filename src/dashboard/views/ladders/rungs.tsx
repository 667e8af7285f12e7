/** The rungs of a ladder, in words; where a variant stands, as icon and word. */
import type { Ladder, Variant } from '../../api/types'
import { type Status, StatusMark } from '../../parts/status'

export type Rung = Variant['rung']

/** The way up, by mode; what is in neither is an end. */
export const WAY_UP: Readonly<Record<Ladder['mode'], readonly Rung[]>> = {
  pairwise: ['registered', 'shadow', 'trial', 'current'],
  tournament: ['registered', 'shadow', 'canary', 'ramp', 'current'],
}

const MARKS: Readonly<Record<Rung, readonly [status: Status, word: string]>> = {
  registered: ['inactive', 'registered'],
  shadow: ['untrusted', 'in shadow'],
  trial: ['undecided', 'in trial'],
  canary: ['undecided', 'canary'],
  ramp: ['undecided', 'ramp'],
  current: ['trusted', 'live'],
  rejected: ['fail', 'rejected'],
  rolled_back: ['undone', 'rolled back'],
  superseded: ['inactive', 'superseded'],
}

export function RungMark({ rung, step, quiet }: { rung: Rung; step?: number | null; quiet?: boolean }) {
  const [status, word] = MARKS[rung]
  const words = step === null || step === undefined ? word : `${word}, step ${step + 1}`
  return <StatusMark status={status} word={words} {...(quiet && { quiet })} />
}

export function isEnd(rung: Rung): boolean {
  return rung === 'rejected' || rung === 'rolled_back' || rung === 'superseded'
}

/** What part of the traffic a rung has by the ladder's configuration; null where it has none. */
export function configuredShare(ladder: Ladder, rung: Rung): string | null {
  if (rung === 'trial') return percent(ladder.trial_share)
  if (rung === 'canary') return percent(ladder.canary_share)
  if (rung === 'ramp') return ladder.ramp_shares.map(percent).join(', ')
  return null
}

/** A part of 1, as `5 %`, `12.5 %`. */
export function percent(part: number): string {
  return `${Number((100 * part).toFixed(2))} %`
}
