import t from 'tap'
import { configFaults, DEFAULT_LADDER_CONFIG, type LadderConfig } from '../../src/promotion/config.js'

const where = (change: Partial<LadderConfig>) =>
  configFaults({ ...DEFAULT_LADDER_CONFIG, ...change }).map((fault) => fault.where)

const SERIES = { testPath: 'bench/a', backend: 'cpu', suite: 'nightly' }
const MIXTURE = { kind: 'mixture', alpha: 0.05, beta: 0.2, minEffect: 0.1 } as const
const SPRT = { kind: 'sprt', alpha: 0.05, beta: 0.2, p1: 0.6 } as const

t.test('what is sound has no faults', async (t) => {
  t.strictSame(where({}), [])
  t.strictSame(
    where({ test: SPRT, costBudget: 0, resourceBudget: { memory_mib: 2048 }, driftSeries: [SERIES] }),
    [],
  )
  t.strictSame(where({ passRateMargin: 0 }), [])
})

t.test('each field has its limits', async (t) => {
  const table: ReadonlyArray<readonly [Partial<LadderConfig>, string]> = [
    [{ trialShare: 0 }, 'trial_share'],
    [{ trialShare: 1 }, 'trial_share'],
    [{ trialShare: Number.NaN }, 'trial_share'],
    [{ trialShare: 1e-7 }, 'trial_share'],
    [{ trialShare: 0.9999999 }, 'trial_share'],
    [{ canaryShare: 1e-7 }, 'canary_share'],
    [{ rampShares: [0.2, 0.9999999] }, 'ramp_shares'],
    [{ minShadowEpisodes: 0 }, 'min_shadow_episodes'],
    [{ minShadowEpisodes: 1.5 }, 'min_shadow_episodes'],
    [{ passRateMargin: -0.1 }, 'pass_rate_margin'],
    [{ passRateMargin: 1.1 }, 'pass_rate_margin'],
    [{ minVerified: 0 }, 'min_verified'],
    [{ rampShares: [] }, 'ramp_shares'],
    [{ rampShares: [0.5, 0.2] }, 'ramp_shares'],
    [{ rampShares: [0.2, 1] }, 'ramp_shares'],
    [{ rampShares: [0.05] }, 'ramp_shares'],
    [{ sustainGroups: 0 }, 'sustain_groups'],
    [{ costBudget: -1 }, 'cost_budget'],
    [{ costBudget: Infinity }, 'cost_budget'],
    [{ resourceBudget: { memory_mib: -1 } }, 'resource_budget/memory_mib'],
    [{ test: { ...MIXTURE, alpha: 0 } }, 'test/alpha'],
    [{ test: { ...SPRT, alpha: 5e-324 } }, 'test/alpha'],
    [{ test: { ...MIXTURE, beta: 5e-324 } }, 'test/beta'],
    [{ test: { ...MIXTURE, beta: 0.5 } }, 'test/beta'],
    [{ test: { ...MIXTURE, minEffect: 0.5 } }, 'test/min_effect'],
    [{ test: { ...MIXTURE, minEffect: 0.5 - 2 ** -54 } }, 'test/min_effect'],
    [{ test: { ...MIXTURE, minEffect: 1e-17 } }, 'test/min_effect'],
    [{ test: { ...SPRT, p1: 0.5 } }, 'test/p1'],
    [{ test: { ...SPRT, p1: 1 } }, 'test/p1'],
    [{ driftSeries: [SERIES, { ...SERIES, testPath: '' }] }, 'drift_series/1/test_path'],
    [{ driftSeries: [{ ...SERIES, backend: ' cpu' }] }, 'drift_series/0/backend'],
    [{ driftSeries: [{ ...SERIES, suite: 'x'.repeat(129) }] }, 'drift_series/0/suite'],
  ]
  for (const [change, place] of table) t.strictSame(where(change), [place], JSON.stringify(change))
})

t.test('all faults come in one answer', async (t) => {
  t.strictSame(where({ trialShare: 2, minVerified: 0, costBudget: -1 }), [
    'trial_share',
    'min_verified',
    'cost_budget',
  ])
})
