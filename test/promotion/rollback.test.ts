import t from 'tap'
import { comparisonRecord } from '../../src/promotion/comparison.js'
import { shares } from '../../src/promotion/shares.js'
import { variantOf } from '../../src/promotion/ladder.js'
import { CAPPED, GOOD_FACTS, Stage, type Sent } from '../support/ladder-stage.js'

const capped = (variant: string): Sent => ({ variant, groupId: 'bad', score: CAPPED })

/** Rounds that this version wins until it is live. */
function promote(stage: Stage, version: string): void {
  stage.add(version)
  for (let round = 0; stage.rung(version) !== 'current'; round++)
    stage.round(`${version}-${round}`, [stage.ladder.live.version, version], () => 'a')
}

t.test('one capped episode rolls a challenger back at once, on each rung', async (t) => {
  const registered = new Stage()
  registered.add('v2', { ...GOOD_FACTS, validated: false })
  const shadow = new Stage()
  shadow.add('v2')
  const trial = new Stage()
  trial.add('v2')
  trial.run({ variant: 'v2', groupId: 'g' })
  for (const [stage, from] of [
    [registered, 'registered'],
    [shadow, 'shadow'],
    [trial, 'trial'],
  ] as const) {
    t.equal(stage.rung('v2'), from)
    const { transitions } = stage.run(capped('v2'))
    t.match(transitions, [{ variant: 'v2', from, to: 'rolled_back', share: 0, cause: 'core_violation' }])
    t.equal(transitions.length, 1)
    t.match(transitions[0]!.predicates, [
      { name: 'no_core_violation', passed: false, inputs: { capped: { length: 1 } } },
    ])
    t.strictSame(shares(stage.ladder), [{ version: 'v1', share: 1 }])
    t.match(stage.ladder.live, { version: 'v1', generation: 1 })
  }
})

t.test('a capped live version gives way to its predecessor, in one step of the pointer', async (t) => {
  const stage = new Stage()
  promote(stage, 'v2')
  const { transitions } = stage.run(capped('v2'))
  t.match(transitions, [
    { variant: 'v2', from: 'current', to: 'rolled_back', cause: 'core_violation', share: 0 },
    { variant: 'v1', from: 'superseded', to: 'current', cause: 'restored', share: 1 },
  ])
  t.match(stage.ladder.live, { version: 'v1', generation: 3 })
  t.equal(transitions[0]!.live.generation, 3)
  t.strictSame(shares(stage.ladder), [{ version: 'v1', share: 1 }])
  t.equal(stage.ladder.variants.filter(({ rung }) => rung === 'current').length, 1)
})

t.test('it keeps its episodes, its comparisons and its place', async (t) => {
  const stage = new Stage()
  promote(stage, 'v2')
  const won = comparisonRecord(stage.comparisons, 'v2').won
  stage.run(capped('v2'))
  t.ok(won > 0)
  t.equal(comparisonRecord(stage.comparisons, 'v2').won, won)
  t.strictSame(variantOf(stage.ladder, 'v2').parents, ['v1'])
})

t.test('what was itself rolled back is never restored', async (t) => {
  const stage = new Stage()
  promote(stage, 'v2')
  promote(stage, 'v3')
  stage.run(capped('v2'))
  t.equal(stage.rung('v2'), 'rolled_back', 'also when it is superseded already')
  t.match(stage.ladder.live, { version: 'v3', generation: 3 })
  stage.run(capped('v3'))
  t.match(stage.ladder.live, { version: 'v1', generation: 4 })
})

t.test('live and predecessor capped in one moment: the one before both', async (t) => {
  const stage = new Stage()
  promote(stage, 'v2')
  promote(stage, 'v3')
  stage.run(capped('v3'), capped('v2'))
  t.match(stage.ladder.live, { version: 'v1', generation: 4 })
})

t.test('without a predecessor it stays live, with one alarm for each capped episode', async (t) => {
  const stage = new Stage()
  const alarm = { variant: 'v1', from: 'current', to: 'current', share: 1 }
  t.match(stage.run(capped('v1')).transitions, [{ ...alarm, cause: 'core_violation_without_predecessor' }])
  t.strictSame(stage.evaluate().transitions, [])
  t.equal(stage.run(capped('v1')).transitions.length, 1)
  t.match(stage.ladder.live, { version: 'v1', generation: 1 })
  promote(stage, 'v2')
  t.equal(stage.rung('v1'), 'rolled_back', 'once something else is live')
  const last = stage.run(capped('v2'))
  t.match(last.transitions, [{ variant: 'v2', to: 'current', cause: 'core_violation_without_predecessor' }])
  t.match(stage.ladder.live, { version: 'v2', generation: 2 })
})

t.test('a low score alone rolls nothing back', async (t) => {
  const stage = new Stage()
  promote(stage, 'v2')
  stage.add('v3')
  for (const value of [0, -1e308, Number.MIN_SAFE_INTEGER]) {
    const score = { kind: 'scored', value } as const
    stage.run({ variant: 'v2', groupId: 'low', score }, { variant: 'v3', groupId: 'low', score })
  }
  t.equal(stage.rung('v2'), 'current')
  t.equal(stage.rung('v3'), 'trial')
})

/** Verified episodes, so many of them passed. */
const verified = (variant: string, passed: number, n: number): Sent[] =>
  Array.from({ length: n }, (_, index) => ({ variant, groupId: 'v', verifierPassed: index < passed }))

t.test(
  'a challenger whose pass rate falls more than the margin below the live one is rolled back',
  async (t) => {
    for (const [passed, rung] of [
      [18, 'trial'],
      [17, 'trial'],
      [16, 'rolled_back'],
    ] as const) {
      const stage = new Stage()
      stage.add('v2')
      stage.run(...verified('v1', 18, 20), ...verified('v2', passed, 20))
      t.equal(stage.rung('v2'), rung, `${passed} of 20 beside 18 of 20`)
      if (rung === 'rolled_back') {
        t.match(stage.transitions.at(-1), {
          cause: 'pass_rate',
          predicates: [{ name: 'pass_rate_holds', inputs: { against: 'v1', verifier_passed: 16 } }],
        })
      }
    }
  },
)

t.test('pass rates of too few episodes, and episodes without a verifier, decide nothing', async (t) => {
  for (const [own, other] of [
    [19, 20],
    [20, 19],
  ] as const) {
    const stage = new Stage()
    stage.add('v2')
    stage.run(...verified('v1', other, other), ...verified('v2', 0, own))
    stage.run({ variant: 'v2', groupId: 'v' }, { variant: 'v1', groupId: 'v' })
    t.equal(stage.rung('v2'), 'trial')
    stage.run(...verified('v1', 1, 1), ...verified('v2', 0, 1))
    t.equal(stage.rung('v2'), 'rolled_back')
  }
})

t.test('a live version whose pass rate falls below that of its predecessor gives way to it', async (t) => {
  const stage = new Stage()
  promote(stage, 'v2')
  const { transitions } = stage.run(...verified('v1', 20, 20), ...verified('v2', 18, 20))
  t.match(transitions, [
    { variant: 'v2', to: 'rolled_back', cause: 'pass_rate' },
    { variant: 'v1', to: 'current' },
  ])
  t.match(stage.ladder.live, { version: 'v1', generation: 3 })
})

t.test('a live version without a predecessor has nobody to be compared with', async (t) => {
  const stage = new Stage()
  stage.run(...verified('v1', 0, 100))
  t.equal(stage.rung('v1'), 'current')
})
