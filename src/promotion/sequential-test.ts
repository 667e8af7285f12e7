import type { Standing } from './comparison.js'
import { logEvidence, logFutility } from './mixture.js'

export type TestConfig =
  | {
      readonly kind: 'mixture'
      readonly alpha: number
      readonly beta: number
      /** The advantage worth finding: futility is judged against a win rate of 1/2 + minEffect. */
      readonly minEffect: number
    }
  | {
      readonly kind: 'sprt'
      readonly alpha: number
      readonly beta: number
      /** The win rate that is tested against 1/2. */
      readonly p1: number
    }

export type TestDecision = 'accept' | 'reject' | 'continue'

/** How a test stands. Statistics and boundaries are natural logarithms. */
export interface TestState {
  readonly kind: TestConfig['kind']
  readonly wins: number
  readonly losses: number
  readonly ties: number
  /** Comparisons that the judge could not decide for a fault; no evidence. */
  readonly errors: number
  readonly statistic: number
  /** `mixture`: what reaches rejectAt. `sprt` has one statistic for both boundaries: null. */
  readonly futilityStatistic: number | null
  readonly acceptAt: number
  /** `mixture`: reached from below by futilityStatistic. `sprt`: reached from above by statistic. */
  readonly rejectAt: number
  readonly decision: TestDecision
  /** The number of decisive comparisons at which it was decided. */
  readonly decidedAt: number | null
  /** After each decisive comparison: how many there were, and the statistic. */
  readonly trajectory: ReadonlyArray<readonly [n: number, statistic: number]>
}

interface Rule {
  readonly acceptAt: number
  readonly rejectAt: number
  weigh(wins: number, losses: number): { statistic: number; futility: number | null }
  decide(statistic: number, futility: number | null): TestDecision
}

/**
 * The challenger's comparisons against the live version, looked at after each one. The first boundary that is reached
 * decides, and what comes later does not take it back: the error rates are those of the first crossing.
 * @param standings in the order in which the results came
 */
export function runTest(config: TestConfig, standings: Iterable<Standing>): TestState {
  const rule = config.kind === 'mixture' ? mixtureRule(config) : sprtRule(config)
  const counts = { win: 0, loss: 0, tie: 0, error: 0 }
  const trajectory: Array<readonly [number, number]> = []
  let current = rule.weigh(0, 0)
  let decision: TestDecision = 'continue'
  let decidedAt: number | null = null
  for (const standing of standings) {
    counts[standing] += 1
    if (standing === 'tie' || standing === 'error') continue
    const n = counts.win + counts.loss
    current = rule.weigh(counts.win, counts.loss)
    trajectory.push([n, current.statistic])
    if (decision !== 'continue') continue
    decision = rule.decide(current.statistic, current.futility)
    if (decision !== 'continue') decidedAt = n
  }
  return {
    kind: config.kind,
    wins: counts.win,
    losses: counts.loss,
    ties: counts.tie,
    errors: counts.error,
    statistic: current.statistic,
    futilityStatistic: current.futility,
    acceptAt: rule.acceptAt,
    rejectAt: rule.rejectAt,
    decision,
    decidedAt,
    trajectory,
  }
}

function mixtureRule({ alpha, beta, minEffect }: Extract<TestConfig, { kind: 'mixture' }>): Rule {
  const acceptAt = Math.log(1 / alpha)
  const rejectAt = Math.log(1 / beta)
  return {
    acceptAt,
    rejectAt,
    weigh: (wins, losses) => ({
      statistic: logEvidence(wins, losses),
      futility: logFutility(wins, losses, 0.5 + minEffect),
    }),
    decide: (statistic, futility) => {
      if (statistic >= acceptAt) return 'accept'
      return futility !== null && futility >= rejectAt ? 'reject' : 'continue'
    },
  }
}

/** A. Wald, Sequential Tests of Statistical Hypotheses (1945): the likelihood ratio of p1 to 1/2 between two bounds. */
function sprtRule({ alpha, beta, p1 }: Extract<TestConfig, { kind: 'sprt' }>): Rule {
  const acceptAt = Math.log((1 - beta) / alpha)
  const rejectAt = Math.log(beta / (1 - alpha))
  const win = Math.log(2 * p1)
  const loss = Math.log(2 * (1 - p1))
  return {
    acceptAt,
    rejectAt,
    weigh: (wins, losses) => ({ statistic: wins * win + losses * loss, futility: null }),
    decide: (statistic) => (statistic >= acceptAt ? 'accept' : statistic <= rejectAt ? 'reject' : 'continue'),
  }
}
