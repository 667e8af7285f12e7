import t from 'tap'
import type { Standing } from '../../src/promotion/comparison.js'
import { logEvidence, logFutility } from '../../src/promotion/mixture.js'
import { runTest, type TestConfig } from '../../src/promotion/sequential-test.js'

const MIXTURE: TestConfig = { kind: 'mixture', alpha: 0.05, beta: 0.2, minEffect: 0.1 }
const SPRT: TestConfig = { kind: 'sprt', alpha: 0.05, beta: 0.2, p1: 0.6 }

const repeat = (standing: Standing, times: number): Standing[] => Array<Standing>(times).fill(standing)

t.test('nothing compared, nothing decided', async (t) => {
  for (const config of [MIXTURE, SPRT]) {
    const state = runTest(config, [])
    t.match(state, { wins: 0, losses: 0, ties: 0, errors: 0, statistic: 0, decision: 'continue' })
    t.strictSame(state.trajectory, [])
    t.equal(state.decidedAt, null)
  }
})

t.test('ties and errors are counted and are no evidence, however many', async (t) => {
  for (const config of [MIXTURE, SPRT]) {
    const state = runTest(config, [...repeat('tie', 500), ...repeat('error', 300)])
    t.match(state, { ties: 500, errors: 300, statistic: 0, decision: 'continue' })
    t.strictSame(state.trajectory, [])
    const bare = runTest(config, ['win', 'loss', 'win'])
    const mixed = runTest(config, ['tie', 'win', 'error', 'loss', 'tie', 'win'])
    t.strictSame(mixed, { ...bare, ties: 2, errors: 1 })
  }
})

t.test('mixture: the boundaries, statistics and trajectory are those of the two e-processes', async (t) => {
  const state = runTest(MIXTURE, ['win', 'win', 'loss'])
  t.equal(state.acceptAt, Math.log(20))
  t.equal(state.rejectAt, Math.log(5))
  t.equal(state.statistic, logEvidence(2, 1))
  t.equal(state.futilityStatistic, logFutility(2, 1, 0.6))
  t.strictSame(state.trajectory, [
    [1, logEvidence(1, 0)],
    [2, logEvidence(2, 0)],
    [3, logEvidence(2, 1)],
  ])
})

t.test('mixture: 2^(n+1)/(n+1) reaches 20 at the seventh win in a row', async (t) => {
  t.equal(runTest(MIXTURE, repeat('win', 6)).decision, 'continue')
  t.match(runTest(MIXTURE, repeat('win', 7)), { decision: 'accept', decidedAt: 7 })
  t.match(runTest(MIXTURE, repeat('loss', 20)), { decision: 'reject' })
})

t.test('sprt: steps and boundaries are the formulas of Wald', async (t) => {
  const state = runTest(SPRT, ['win', 'loss', 'win'])
  t.equal(state.acceptAt, Math.log(0.8 / 0.05))
  t.equal(state.rejectAt, Math.log(0.2 / 0.95))
  t.ok(Math.abs(state.statistic - Math.log((0.6 / 0.5) ** 2 * (0.4 / 0.5))) < 1e-15)
  t.equal(state.futilityStatistic, null)
  // 1.2^15 < 16 < 1.2^16, and 0.8^6 > 0.2/0.95 > 0.8^7.
  t.equal(runTest(SPRT, repeat('win', 15)).decision, 'continue')
  t.match(runTest(SPRT, repeat('win', 16)), { decision: 'accept', decidedAt: 16 })
  t.equal(runTest(SPRT, repeat('loss', 6)).decision, 'continue')
  t.match(runTest(SPRT, repeat('loss', 7)), { decision: 'reject', decidedAt: 7 })
})

t.test('a decision stays, whatever comes later; the numbers go on', async (t) => {
  for (const config of [MIXTURE, SPRT]) {
    const accepted = runTest(config, [...repeat('win', 16), ...repeat('loss', 100)])
    t.match(accepted, { decision: 'accept', wins: 16, losses: 100 })
    t.ok(accepted.statistic < accepted.acceptAt)
    t.equal(accepted.trajectory.length, 116)
    t.match(runTest(config, [...repeat('loss', 20), ...repeat('win', 200)]), { decision: 'reject' })
  }
})

t.test('the order counts: what crosses first decides', async (t) => {
  const wins = repeat('win', 16)
  const losses = repeat('loss', 40)
  t.equal(runTest(MIXTURE, [...wins, ...losses]).decision, 'accept')
  t.equal(runTest(MIXTURE, [...losses, ...wins]).decision, 'reject')
})

t.test('alpha, beta and the effect move the boundaries', async (t) => {
  const decidedAt = (config: TestConfig, standing: Standing) =>
    runTest(config, repeat(standing, 200)).decidedAt
  t.ok(decidedAt({ ...MIXTURE, alpha: 0.001 }, 'win')! > decidedAt(MIXTURE, 'win')!)
  t.ok(decidedAt({ ...MIXTURE, beta: 0.01 }, 'loss')! > decidedAt(MIXTURE, 'loss')!)
  t.ok(decidedAt({ ...MIXTURE, minEffect: 0.3 }, 'loss')! < decidedAt(MIXTURE, 'loss')!)
  t.ok(decidedAt({ ...SPRT, p1: 0.8 }, 'win')! < decidedAt(SPRT, 'win')!)
})
