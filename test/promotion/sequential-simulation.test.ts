import t from 'tap'
import type { Standing } from '../../src/promotion/comparison.js'
import { runTest, type TestConfig } from '../../src/promotion/sequential-test.js'
import { Dice } from '../gate/python/corpus.js'

/** Seeded runs of whole tests, with a look after every comparison. What they find is printed with each assertion. */

const MIXTURE = { kind: 'mixture', alpha: 0.05, beta: 0.2, minEffect: 0.1 } as const
const SPRT = { kind: 'sprt', alpha: 0.05, beta: 0.2, p1: 0.6 } as const

interface Found {
  /** Parts of all runs. */
  readonly accepted: number
  readonly rejected: number
  /** Mean number of comparisons until the decision, or the limit. */
  readonly meanSize: number
  /** The same over accepted runs. */
  readonly meanAccepted: number
}

/** Draws comparisons that are won with probability p until the test decides or the limit is reached. */
function simulate(config: TestConfig, p: number, runs: number, limit: number, seed: number): Found {
  const dice = new Dice(seed)
  let accepted = 0
  let rejected = 0
  let size = 0
  let sizeAccepted = 0
  for (let run = 0; run < runs; run++) {
    const standings = Array.from({ length: limit }, (): Standing =>
      dice.below(2 ** 32) < p * 2 ** 32 ? 'win' : 'loss',
    )
    const { decision, decidedAt } = runTest(config, standings)
    size += decidedAt ?? limit
    if (decision === 'accept') {
      accepted += 1
      sizeAccepted += decidedAt!
    } else if (decision === 'reject') rejected += 1
  }
  return {
    accepted: accepted / runs,
    rejected: rejected / runs,
    meanSize: size / runs,
    meanAccepted: sizeAccepted / accepted,
  }
}

function told({ accepted, rejected, meanSize, meanAccepted }: Found): string {
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`
  return `accepted ${percent(accepted)}, rejected ${percent(rejected)}, mean size ${meanSize.toFixed(0)} (accepted: ${meanAccepted.toFixed(0)})`
}

/** Three standard errors of a part p of n runs. */
const error = (p: number, n: number) => 3 * Math.sqrt((p * (1 - p)) / n)

t.test('under 50 % at most alpha is accepted, with a look after every comparison', async (t) => {
  // The third never gives up early: futility only makes false accepts rarer, so without it the bound is tightest.
  for (const config of [MIXTURE, SPRT, { ...MIXTURE, beta: 1e-12 }]) {
    const found = simulate(config, 0.5, 2_000, 400, 20_260_101)
    t.ok(found.accepted <= 0.05 + error(0.05, 2_000), `${config.kind}: ${told(found)}`)
    t.ok(found.accepted > 0.01, 'and the test is not blind either')
  }
})

t.test('below 50 % next to nothing is accepted', async (t) => {
  const found = simulate(MIXTURE, 0.45, 300, 400, 11)
  t.ok(found.accepted <= 0.05, told(found))
})

t.test('challengers that are better are found, the sooner the better they are', async (t) => {
  const expected = [
    { config: MIXTURE, p: 0.8, power: 0.98, sizes: [16, 23] },
    { config: MIXTURE, p: 0.7, power: 0.94, sizes: [34, 50] },
    { config: MIXTURE, p: 0.6, power: 0.7, sizes: [130, 175] },
    { config: SPRT, p: 0.8, power: 0.99, sizes: [25, 31] },
    { config: SPRT, p: 0.7, power: 0.98, sizes: [38, 52] },
    { config: SPRT, p: 0.6, power: 0.77, sizes: [90, 115] },
  ] as const
  for (const { config, p, power, sizes } of expected) {
    const found = simulate(config, p, 600, 400, 20_260_102)
    const figures = `${config.kind} at ${p * 100} %: ${told(found)}`
    t.ok(found.accepted >= power, figures)
    t.ok(found.meanSize >= sizes[0] && found.meanSize <= sizes[1], figures)
  }
})

t.test('a challenger at the effect worth finding is given up with probability at most beta', async (t) => {
  const found = simulate(MIXTURE, 0.6, 1_000, 400, 20_260_103)
  t.ok(found.rejected <= 0.2 + error(0.2, 1_000), told(found))
  const hopeless = simulate(MIXTURE, 0.4, 300, 400, 20_260_104)
  t.ok(hopeless.rejected > 0.98, told(hopeless))
})

t.test('sprt: acceptance and mean sizes are those of the formulas of Wald', async (t) => {
  const { alpha, beta, p1 } = SPRT
  const upper = Math.log((1 - beta) / alpha)
  const lower = Math.log(beta / (1 - alpha))
  for (const [p, h] of [
    [0.5, 1],
    [p1, -1],
  ] as const) {
    const mean = p * Math.log(2 * p1) + (1 - p) * Math.log(2 * (1 - p1))
    // Wald's operating characteristic, with h = 1 under the hypothesis and -1 under the alternative.
    const rejected = (Math.exp(h * upper) - 1) / (Math.exp(h * upper) - Math.exp(h * lower))
    const size = (rejected * lower + (1 - rejected) * upper) / mean
    t.ok(Math.abs(1 - rejected - (h === 1 ? alpha : 1 - beta)) < 1e-12)
    const found = simulate(SPRT, p, 1_000, 1_200, 20_260_105)
    const against = `at ${p}: ${told(found)}; Wald: ${(1 - rejected).toFixed(3)}, ${size.toFixed(0)}`
    // The formulas neglect that the last step overshoots the boundary; it makes errors rarer and runs longer.
    t.ok(Math.abs(found.accepted - (1 - rejected)) < 0.015 + error(1 - rejected, 1_000), against)
    t.ok(found.meanSize > 0.95 * size && found.meanSize < 1.2 * size, against)
  }
})
