import type { Fault } from '../gate/outcome.js'
import { MAX_SERIES_BYTES, MAX_STAGE, MAX_TEST_PATH } from '../gate/identity.js'
import { keyFault } from '../gate/text.js'
import type { TestConfig } from './sequential-test.js'
import { SLOTS, slotsOfShare } from './slots.js'

export type Mode = 'pairwise' | 'tournament'

/** A series of the metric history that must be clean before a variant becomes live. */
export interface DriftSeries {
  readonly testPath: string
  readonly backend: string
  readonly suite: string
}

/** What a ladder is created with; never changed afterwards. Shares are parts of 1. */
export interface LadderConfig {
  readonly mode: Mode
  readonly trialShare: number
  /** Graded shadow episodes that a variant needs before its trial. */
  readonly minShadowEpisodes: number
  readonly test: TestConfig
  /** How far the verifier's pass rate may fall below that of the version it competes with. */
  readonly passRateMargin: number
  /** Verified episodes that both need before pass rates are compared. */
  readonly minVerified: number
  /** Dimension to limit; a dimension without a limit fits. */
  readonly resourceBudget: Readonly<Record<string, number>>
  readonly driftSeries: readonly DriftSeries[]
  readonly canaryShare: number
  readonly rampShares: readonly number[]
  readonly sustainGroups: number
  /** Highest mean cost of a variant's episodes; null for none. */
  readonly costBudget: number | null
}

export const DEFAULT_LADDER_CONFIG: LadderConfig = {
  mode: 'pairwise',
  trialShare: 0.05,
  minShadowEpisodes: 1,
  test: { kind: 'mixture', alpha: 0.05, beta: 0.2, minEffect: 0.1 },
  passRateMargin: 0.05,
  minVerified: 20,
  resourceBudget: {},
  driftSeries: [],
  canaryShare: 0.05,
  rampShares: [0.2, 0.5],
  sustainGroups: 20,
  costBudget: null,
}

const LEAST_ERROR_RATE = 1e-300
const SHARE_RANGE = `between ${1 / SLOTS} and ${1 - 1 / SLOTS}`

/** What is wrong with a configuration; empty when nothing is. Places are named as on the wire. */
export function configFaults(config: LadderConfig): Fault[] {
  const faults: Fault[] = []
  const demand = (holds: boolean, where: string, message: string) => {
    if (!holds) faults.push({ where, message })
  }
  demand(isShare(config.trialShare), 'trial_share', `must lie ${SHARE_RANGE}`)
  demand(count(config.minShadowEpisodes), 'min_shadow_episodes', 'must be a whole number from 1 upwards')
  demand(
    config.passRateMargin >= 0 && config.passRateMargin <= 1,
    'pass_rate_margin',
    'must lie between 0 and 1',
  )
  demand(count(config.minVerified), 'min_verified', 'must be a whole number from 1 upwards')
  demand(isShare(config.canaryShare), 'canary_share', `must lie ${SHARE_RANGE}`)
  demand(rises([config.canaryShare, ...config.rampShares]), 'ramp_shares', 'must rise from the canary_share')
  demand(
    config.rampShares.length > 0 && config.rampShares.every(isShare),
    'ramp_shares',
    `must hold at least one share, each ${SHARE_RANGE}`,
  )
  demand(count(config.sustainGroups), 'sustain_groups', 'must be a whole number from 1 upwards')
  demand(
    config.costBudget === null || (Number.isFinite(config.costBudget) && config.costBudget >= 0),
    'cost_budget',
    'must be a finite number from 0 upwards',
  )
  for (const [dimension, limit] of Object.entries(config.resourceBudget))
    demand(
      Number.isFinite(limit) && limit >= 0,
      `resource_budget/${dimension}`,
      'must be a finite number from 0 upwards',
    )
  return [...faults, ...testFaults(config.test), ...config.driftSeries.flatMap(seriesFaults)]
}

function testFaults(test: TestConfig): Fault[] {
  const faults: Fault[] = []
  // The boundaries are logarithms of quotients by them, which overflow for the smallest of numbers.
  for (const name of ['alpha', 'beta'] as const)
    if (!inside(test[name], LEAST_ERROR_RATE, 0.5))
      faults.push({
        where: `test/${name}`,
        message: `must lie between ${LEAST_ERROR_RATE} and 0.5, both excluded`,
      })
  // What is judged is the win rate; an effect just inside may round it to an end.
  if (test.kind === 'mixture' && !inside(0.5 + test.minEffect, 0.5, 1))
    faults.push({ where: 'test/min_effect', message: 'must lie between 0 and 0.5, both excluded' })
  if (test.kind === 'sprt' && !inside(test.p1, 0.5, 1))
    faults.push({ where: 'test/p1', message: 'must lie between 0.5 and 1, both excluded' })
  return faults
}

function seriesFaults(series: DriftSeries, index: number): Fault[] {
  const parts = [
    ['test_path', series.testPath, MAX_TEST_PATH],
    ['backend', series.backend, MAX_STAGE],
    ['suite', series.suite, MAX_STAGE],
  ] as const
  const faults = parts.flatMap(([name, text, maximum]) => {
    const message = keyFault(text, maximum)
    return message === null ? [] : [{ where: `drift_series/${index}/${name}`, message }]
  })
  const bytes = new TextEncoder().encode(parts.map(([, text]) => text).join('')).length
  if (faults.length === 0 && bytes > MAX_SERIES_BYTES) {
    const message = `is ${bytes} bytes of UTF-8; at most ${MAX_SERIES_BYTES} are taken`
    return [{ where: `drift_series/${index}`, message }]
  }
  return faults
}

/** Rounded to what traffic is cut into, there must be some for the challenger and some for the live version. */
function isShare(share: number): boolean {
  return inside(slotsOfShare(share), 0, SLOTS)
}

function inside(value: number, low: number, high: number): boolean {
  return value > low && value < high
}

function count(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1
}

function rises(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value > values[index - 1]!)
}
