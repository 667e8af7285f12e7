import t from 'tap'
import type { DriftFact } from '../../src/promotion/context.js'
import { GOOD_FACTS, Stage } from '../support/ladder-stage.js'

const SERIES = { testPath: 'bench/summary', backend: 'cpu', suite: 'nightly' }
const OTHER = { testPath: 'bench/summary', backend: 'gpu', suite: 'nightly' }
const CLEAN: DriftFact = { series: SERIES, run: { runId: 'r1', trusted: true, outcome: 'pass' } }

t.test(
  'a variant stays registered while an entry predicate of shadow fails, and all are recorded',
  async (t) => {
    const stage = new Stage({ resourceBudget: { memory_mib: 2048, cpus: 2 } })
    const facts = { validated: null, sandboxClean: false, resourceProfile: { memory_mib: 4096 } }
    const { checks, transitions } = stage.add('v2', facts)
    t.equal(stage.rung('v2'), 'registered')
    t.strictSame(transitions, [])
    t.strictSame(checks, [
      {
        variant: 'v2',
        rung: 'shadow',
        rampStep: null,
        passed: false,
        predicates: [
          {
            name: 'registered',
            passed: true,
            inputs: { version: 'v2', parents: ['v1'], unknown_parents: [] },
          },
          { name: 'validated', passed: false, inputs: { validated: null } },
          { name: 'sandbox_clean', passed: false, inputs: { sandbox_clean: false } },
          {
            name: 'resource_fits',
            passed: false,
            inputs: {
              dimensions: [
                { dimension: 'memory_mib', declared: 4096, limit: 2048, fits: false },
                { dimension: 'cpus', declared: null, limit: 2, fits: false },
              ],
            },
          },
        ],
      },
    ])
  },
)

t.test('each fact alone holds it back, and changed facts move it on', async (t) => {
  const stage = new Stage({ resourceBudget: { memory_mib: 2048 } })
  const profile = { memory_mib: 2048, disk_gib: 900 }
  const good = { ...GOOD_FACTS, resourceProfile: profile }
  stage.add('v2', { ...good, validated: false })
  t.strictSame(stage.unmet('v2'), ['validated'])
  stage.setFacts('v2', { ...good, sandboxClean: null })
  t.strictSame(stage.unmet('v2'), ['sandbox_clean'])
  stage.setFacts('v2', { ...good, resourceProfile: { memory_mib: 2048.5 } })
  t.strictSame(stage.unmet('v2'), ['resource_fits'])
  stage.setFacts('v2', { ...good, resourceProfile: { memory_mib: Number.NaN } })
  t.strictSame(stage.unmet('v2'), ['resource_fits'])
  const { transitions } = stage.setFacts('v2', good)
  t.equal(stage.rung('v2'), 'shadow')
  t.strictSame(
    transitions[0]!.predicates.map(({ name, passed }) => [name, passed]),
    [
      ['registered', true],
      ['validated', true],
      ['sandbox_clean', true],
      ['resource_fits', true],
    ],
  )
})

t.test('facts taken back lead from shadow to registered, and not from trial', async (t) => {
  const stage = new Stage()
  stage.add('v2')
  stage.setFacts('v2', { ...GOOD_FACTS, validated: false })
  t.equal(stage.rung('v2'), 'registered')
  stage.setFacts('v2', GOOD_FACTS)
  stage.run({ variant: 'v2', groupId: 'g' })
  t.equal(stage.rung('v2'), 'trial')
  stage.setFacts('v2', { ...GOOD_FACTS, validated: false })
  t.equal(stage.rung('v2'), 'trial')
})

t.test('a profile key that objects inherit is no declaration', async (t) => {
  const stage = new Stage({ resourceBudget: { constructor: 1, toString: 1 } })
  stage.add('v2')
  t.strictSame(stage.unmet('v2'), ['resource_fits'])
  t.match(stage.predicate('v2', 'resource_fits').inputs, {
    dimensions: [{ declared: null }, { declared: null }],
  })
})

/** A challenger that the test has accepted already, on a ladder with drift series. */
function accepted(driftSeries = [SERIES, OTHER]): Stage {
  const stage = new Stage({ driftSeries })
  stage.add('v2', GOOD_FACTS, 'a'.repeat(40))
  for (let round = 0; round < 8; round++) stage.round(`g${round}`, ['v1', 'v2'], () => 'a')
  return stage
}

t.test('a drift series that no run has is simply not clean, and says so', async (t) => {
  const stage = accepted()
  t.equal(stage.rung('v2'), 'trial')
  t.strictSame(stage.unmet('v2'), ['drift_clean'])
  stage.drift.set('v2', [CLEAN, { series: OTHER, run: null }])
  stage.evaluate()
  const drift = stage.predicate('v2', 'drift_clean')
  t.equal(drift.passed, false)
  t.match(drift.inputs, {
    commit_sha: 'a'.repeat(40),
    series: [
      { backend: 'cpu', run_id: 'r1', trusted: true, outcome: 'pass', clean: true, reason: null },
      { backend: 'gpu', run_id: null, clean: false, reason: /^no run of this series/ },
    ],
  })
})

t.test('every series must pass, trusted now; then the pending swap is made', async (t) => {
  const second = (run: DriftFact['run']): DriftFact => ({ series: OTHER, run })
  for (const [run, reason] of [
    [{ runId: 'r2', trusted: false, outcome: 'pass' }, /not trusted/],
    [{ runId: 'r2', trusted: true, outcome: 'fail' }, /verdict .* failed/],
  ] as const) {
    const stage = accepted()
    stage.drift.set('v2', [CLEAN, second(run)])
    stage.evaluate()
    t.equal(stage.rung('v2'), 'trial')
    t.match(stage.predicate('v2', 'drift_clean').inputs, {
      series: [{ clean: true }, { clean: false, reason }],
    })
    stage.drift.set('v2', [CLEAN, second({ runId: 'r2', trusted: true, outcome: 'pass' })])
    stage.evaluate()
    t.equal(stage.rung('v2'), 'current')
  }
})

t.test("another variant's runs are none of this one's", async (t) => {
  const stage = accepted([SERIES])
  stage.drift.set('v1', [CLEAN])
  stage.evaluate()
  t.strictSame(stage.unmet('v2'), ['drift_clean'])
})
