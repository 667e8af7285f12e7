/** A test's course as it is drawn: the statistic that accepts, and the one that gives up. */
import { logFutility } from '../../../promotion/mixture'
import type { LadderTest } from '../../api/types'

export interface Look {
  /** Decisive comparisons by then; 0 is where the test begins. */
  readonly n: number
  readonly wins: number
  readonly losses: number
  readonly statistic: number
  /** null where one statistic does both, or it cannot be told. */
  readonly futility: number | null
}

const CLOSE = 1e-6

/**
 * The statistic rises by a win and falls by a loss, whichever the test, so its course tells every one of them; the
 * second statistic of a mixture follows from these. Where its end is not what the service says, it is left out.
 * @param minEffect of the ladder's test; null for sprt
 */
export function looksOf(
  { trajectory, kind, futility_statistic: last }: LadderTest,
  minEffect: number | null,
): readonly Look[] {
  const hasFutility = kind === 'mixture' && minEffect !== null && last !== null
  const look = (n: number, wins: number, statistic: number): Look => ({
    n,
    wins,
    losses: n - wins,
    statistic,
    futility: hasFutility ? logFutility(wins, n - wins, 0.5 + minEffect) : null,
  })
  const looks = [look(0, 0, 0)]
  for (const [n, statistic] of trajectory) {
    const before = looks.at(-1)!
    looks.push(look(n, before.wins + (statistic > before.statistic ? 1 : 0), statistic))
  }
  const end = looks.at(-1)!
  return end.futility === null || Math.abs(end.futility - last!) < CLOSE
    ? looks
    : looks.map((one) => ({ ...one, futility: null }))
}

/** A natural logarithm, to two decimals. */
export function logText(value: number): string {
  const text = value.toFixed(2)
  return (text === '-0.00' ? '0.00' : text).replace('-', '−')
}
