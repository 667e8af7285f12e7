import t from 'tap'
import { shares } from '../../src/promotion/shares.js'
import { Dice } from '../gate/python/corpus.js'
import { CAPPED, GOOD_FACTS, Stage } from '../support/ladder-stage.js'

t.test(
  'a 70 % challenger goes from shadow over trial to current, each step with its predicates',
  async (t) => {
    const stage = new Stage()
    const dice = new Dice(7)
    stage.add('v2', { ...GOOD_FACTS, validated: null })
    stage.setFacts('v2', GOOD_FACTS)
    t.strictSame(stage.unmet('v2'), ['min_shadow_episodes'])
    let rounds = 0
    while (stage.rung('v2') !== 'current' && rounds < 300) {
      stage.round(`g${rounds++}`, ['v1', 'v2'], () => (dice.below(10) < 7 ? 'a' : 'b'))
      if (stage.rung('v2') === 'trial') {
        t.strictSame(shares(stage.ladder), [
          { version: 'v1', share: 0.95 },
          { version: 'v2', share: 0.05 },
        ])
        t.match(stage.predicate('v2', 'sequential_test_accepts'), {
          passed: false,
          inputs: { decision: 'continue' },
        })
      }
    }
    t.strictSame(stage.path('v2'), ['shadow', 'trial', 'current'], `after ${rounds} rounds`)
    t.match(stage.ladder.live, { version: 'v2', generation: 2 })
    t.strictSame(shares(stage.ladder), [{ version: 'v2', share: 1 }])
    t.equal(stage.rung('v1'), 'superseded')
    const [, , swap, out] = stage.transitions
    t.strictSame(
      swap!.predicates.map(({ name, passed }) => [name, passed]),
      [
        ['sequential_test_accepts', true],
        ['drift_clean', true],
        ['no_core_violation', true],
      ],
    )
    t.match(swap, { from: 'trial', to: 'current', share: 1, cause: 'entry_criterion_met', actor: 'rules' })
    t.match(out, { variant: 'v1', from: 'current', to: 'superseded', cause: 'superseded', share: 0 })
    t.strictSame(out!.live, swap!.live)
  },
)

t.test('an evaluation of what was evaluated moves nothing', async (t) => {
  const stage = new Stage()
  stage.add('v2')
  stage.add('v3')
  stage.round('g0', ['v1', 'v2', 'v3'], () => 'a')
  const before = stage.ladder
  const { ladder, transitions } = stage.evaluate()
  t.strictSame(transitions, [])
  t.strictSame(ladder, before)
})

t.test('a ladder is plain JSON', async (t) => {
  const stage = new Stage({ driftSeries: [{ testPath: 'a', backend: 'b', suite: 'c' }] })
  stage.add('v2')
  stage.round('g0', ['v1', 'v2'], () => 'a')
  t.strictSame(JSON.parse(JSON.stringify(stage.ladder)), stage.ladder)
  t.strictSame(JSON.parse(JSON.stringify(stage.last)), stage.last)
})

t.test('errored and lost comparisons promote nobody', async (t) => {
  const stage = new Stage()
  stage.add('v2')
  const results = ['error', 'error', 'error', 'b', 'a'] as const
  results.forEach((winner, round) => stage.round(`g${round}`, ['v1', 'v2'], () => winner))
  t.equal(stage.rung('v2'), 'trial')
  t.match(stage.predicate('v2', 'sequential_test_accepts').inputs, {
    wins: 1,
    losses: 1,
    errors: 3,
    decision: 'continue',
  })
})

t.test('with two empty arms it stays where it is, and says why', async (t) => {
  const stage = new Stage({ driftSeries: [{ testPath: 'mispelt', backend: 'cpu', suite: 'nightly' }] })
  stage.add('v2')
  stage.run({ variant: 'v2', groupId: 'g0' })
  t.equal(stage.rung('v2'), 'trial')
  t.strictSame(stage.unmet('v2'), ['sequential_test_accepts', 'drift_clean'])
})

t.test('ties decide nothing', async (t) => {
  const stage = new Stage()
  stage.add('v2')
  for (let round = 0; round < 100; round++) stage.round(`g${round}`, ['v1', 'v2'], () => 'tie')
  t.equal(stage.rung('v2'), 'trial')
  t.match(stage.predicate('v2', 'sequential_test_accepts').inputs, { ties: 100, statistic: 0 })
})

t.test('futility rejects; the way is at its end', async (t) => {
  const stage = new Stage()
  stage.add('v2')
  let rounds = 0
  while (stage.rung('v2') !== 'rejected' && rounds < 50) stage.round(`g${rounds++}`, ['v1', 'v2'], () => 'b')
  t.equal(stage.rung('v2'), 'rejected')
  const end = stage.transitions.at(-1)!
  t.match(end, { cause: 'test_rejects', share: 0, predicates: [{ inputs: { decision: 'reject' } }] })
  for (let more = 0; more < 20; more++) stage.round(`h${more}`, ['v1', 'v2'], () => 'a')
  t.equal(stage.rung('v2'), 'rejected')
})

t.test(
  'the configured number of shadow episodes is graded first; held-out and other ones do not count',
  async (t) => {
    const stage = new Stage({ minShadowEpisodes: 3 })
    stage.add('v2', { ...GOOD_FACTS, validated: false })
    stage.run({ variant: 'v2', groupId: 'g0' })
    stage.setFacts('v2', GOOD_FACTS)
    stage.run({ variant: 'v2', groupId: 'g1' }, { variant: 'v2', groupId: 'g2' })
    stage.run({ variant: 'v2', groupId: 'g3', split: 'held_out' })
    t.equal(stage.rung('v2'), 'shadow')
    t.strictSame(stage.predicate('v2', 'min_shadow_episodes').inputs, { graded: 2, required: 3 })
    stage.run({ variant: 'v2', groupId: 'g4' })
    t.equal(stage.rung('v2'), 'trial')
  },
)

t.test(
  'one challenger is in trial at a time; the next waits in shadow, and follows when the trial ends',
  async (t) => {
    const stage = new Stage()
    stage.add('v2')
    stage.add('v3')
    stage.run({ variant: 'v3', groupId: 'g0' }, { variant: 'v2', groupId: 'g0' })
    t.strictSame([stage.rung('v2'), stage.rung('v3')], ['trial', 'shadow'])
    t.strictSame(stage.unmet('v3'), ['trial_slot_free'])
    t.strictSame(stage.predicate('v3', 'trial_slot_free').inputs, { in_trial: 'v2' })
    for (let round = 1; stage.rung('v2') === 'trial'; round++)
      stage.round(`g${round}`, ['v1', 'v2'], () => 'b')
    t.strictSame([stage.rung('v2'), stage.rung('v3')], ['rejected', 'trial'])
    t.equal(shares(stage.ladder).find(({ version }) => version === 'v3')!.share, 0.05)
  },
)

t.test(
  'what was compared while it waited does not carry a challenger through trial without a result there',
  async (t) => {
    const stage = new Stage()
    stage.add('v2')
    stage.add('v3')
    stage.run({ variant: 'v2', groupId: 'g' }, { variant: 'v3', groupId: 'g' })
    for (let round = 0; round < 10; round++) stage.round(`g${round}`, ['v1', 'v3'], () => 'a')
    t.equal(stage.rung('v3'), 'shadow')
    for (let round = 0; stage.rung('v2') === 'trial'; round++)
      stage.round(`h${round}`, ['v1', 'v2'], () => 'b')
    t.equal(stage.rung('v3'), 'trial')
    t.match(stage.predicate('v3', 'sequential_test_accepts'), {
      passed: false,
      inputs: { decision: 'accept', results_on_rung: 0 },
    })
    stage.round('i0', ['v1', 'v3'], () => 'error')
    t.equal(stage.rung('v3'), 'trial')
    stage.round('i1', ['v1', 'v3'], () => 'tie')
    t.equal(stage.rung('v3'), 'current')
  },
)

t.test('evidence counts against the present live version only', async (t) => {
  const stage = new Stage()
  stage.add('v2')
  stage.add('v3')
  for (let round = 0; stage.rung('v2') !== 'current'; round++)
    stage.round(`g${round}`, ['v1', 'v2', 'v3'], ({ a }) => (a.variant === 'v2' ? 'a' : 'tie'))
  const open = stage.bracket('late')
  t.strictSame(open, [])
  t.equal(stage.rung('v3'), 'trial', 'the next one follows')
  t.match(stage.predicate('v3', 'sequential_test_accepts').inputs, {
    against: 'v2',
    generation: 2,
    wins: 0,
    ties: 0,
  })
  stage.round('h0', ['v2', 'v3'], () => 'a')
  t.match(stage.predicate('v3', 'sequential_test_accepts').inputs, { wins: 1, ties: 0 })
})

t.test('a result for a comparison of an earlier generation comes too late to be evidence', async (t) => {
  const stage = new Stage()
  stage.add('v3')
  stage.run({ variant: 'v3', groupId: 'first' })
  stage.add('v2')
  stage.run({ variant: 'v1', groupId: 'old' }, { variant: 'v2', groupId: 'old' })
  const [pending] = stage.bracket('old')
  t.equal(pending!.generation, 1)
  for (let round = 0; stage.rung('v3') !== 'current'; round++)
    stage.round(`g${round}`, ['v1', 'v3'], () => 'a')
  stage.run({ variant: 'v3', groupId: 'bad', score: CAPPED })
  t.match(stage.ladder.live, { version: 'v1', generation: 3 }, 'the same version is live, anew')
  t.equal(stage.rung('v2'), 'trial')
  stage.judge(pending!.comparisonId, 'a')
  t.match(stage.predicate('v2', 'sequential_test_accepts').inputs, { generation: 3, wins: 0, losses: 0 })
})

t.test('an id is taken for ever, and a new one starts without evidence', async (t) => {
  const stage = new Stage()
  stage.add('v2')
  for (let round = 0; round < 5; round++) stage.round(`g${round}`, ['v1', 'v2'], () => 'a')
  stage.run({ variant: 'v2', groupId: 'bad', score: CAPPED })
  t.equal(stage.rung('v2'), 'rolled_back')
  t.throws(() => stage.add('v2'), /known_version/)
  stage.add('v2b')
  t.equal(stage.rung('v2b'), 'shadow')
  stage.run({ variant: 'v2b', groupId: 'h' })
  t.match(stage.predicate('v2b', 'sequential_test_accepts').inputs, {
    wins: 0,
    losses: 0,
    decision: 'continue',
  })
})
