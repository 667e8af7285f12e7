import t from 'tap'
import type { Comparison, Winner } from '../../src/promotion/comparison.js'
import type { LadderConfig } from '../../src/promotion/config.js'
import { shares } from '../../src/promotion/shares.js'
import { Dice } from '../gate/python/corpus.js'
import { CAPPED, Stage } from '../support/ladder-stage.js'

const CONFIG: Partial<LadderConfig> = { mode: 'tournament', sustainGroups: 5 }
const VERSIONS = ['v1', 'v2', 'v3', 'v4', 'v5']

function withChallengers(config: Partial<LadderConfig>, challengers: readonly string[]): Stage {
  const stage = new Stage({ ...CONFIG, ...config })
  for (const version of challengers) stage.add(version)
  return stage
}

/** A judge by whom one version always wins, and the others tie. */
const favouring =
  (version: string) =>
  ({ a, b }: Comparison): Winner =>
    a.variant === version ? 'a' : b.variant === version ? 'b' : 'tie'

/** Rounds until a variant has left a rung (or a limit is reached). */
function until(
  stage: Stage,
  done: () => boolean,
  versions: readonly string[],
  judge: (comparison: Comparison) => Winner,
  limit = 50,
): number {
  let rounds = 0
  while (!done() && rounds < limit) stage.round(`r${stage.episodes.length}-${rounds++}`, versions, judge)
  return rounds
}

t.test(
  'four challengers, end to end: the strongest becomes live, by canary and both steps of the ramp',
  async (t) => {
    const stage = withChallengers({}, VERSIONS.slice(1))
    const dice = new Dice(99)
    const strength = new Map([
      ['v1', 0],
      ['v2', -0.3],
      ['v3', 1.5],
      ['v4', 0.2],
      ['v5', 0.1],
    ])
    const judge = ({ a, b }: Comparison): Winner => {
      const p = 1 / (1 + Math.exp(strength.get(b.variant)! - strength.get(a.variant)!))
      return dice.below(2 ** 32) < p * 2 ** 32 ? 'a' : 'b'
    }
    const seen = new Set<string>()
    let rounds = 0
    while (stage.ladder.live.version === 'v1' && rounds < 150) {
      stage.round(`g${rounds++}`, VERSIONS, judge)
      const held = shares(stage.ladder)
      t.ok(Math.abs(held.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9)
      for (const { version, share } of held) if (version === 'v3') seen.add(String(share))
    }
    t.equal(stage.ladder.live.version, 'v3', `after ${rounds} groups`)
    t.strictSame(stage.path('v3'), ['shadow', 'canary', 'ramp', 'ramp', 'current'])
    t.strictSame([...seen], ['0.05', '0.2', '0.5', '1'])
    const causes = stage.transitions.filter(({ variant }) => variant === 'v3')
    t.strictSame(
      causes.map(({ predicates }) => predicates.map(({ name }) => name).join(' ')),
      [
        'registered validated sandbox_clean resource_fits',
        'beats_current no_core_violation share_available',
        'no_core_violation cost_within_budget sequential_test_accepts share_available',
        'no_core_violation cost_within_budget sequential_test_accepts sustained share_available',
        'sustained drift_clean no_core_violation',
      ],
    )
  },
)

t.test(
  'canary: the interval of the strength difference excludes zero, and the numbers are recorded',
  async (t) => {
    const stage = withChallengers({}, ['v2'])
    t.match(stage.predicate('v2', 'beats_current'), {
      passed: false,
      inputs: { method: 'none', lower: null },
    })
    stage.round('g0', ['v1', 'v2'], () => 'a')
    for (let round = 1; round < 6; round++) stage.round(`g${round}`, ['v1', 'v2'], favouring('v2'))
    t.equal(stage.rung('v2'), 'shadow')
    t.match(stage.predicate('v2', 'beats_current').inputs, { method: 'observed_information', against: 'v1' })
    until(stage, () => stage.rung('v2') !== 'shadow', ['v1', 'v2'], favouring('v2'))
    const [entry] = stage.transitions.filter(({ to }) => to === 'canary')
    const { lower, upper, difference } = entry!.predicates[0]!.inputs as Record<string, number>
    t.ok(0 < lower! && lower! < difference! && difference! < upper!)
  },
)

t.test('a challenger that never loses is not held up for want of a finite estimate', async (t) => {
  const stage = withChallengers({}, ['v2'])
  const rounds = until(stage, () => stage.rung('v2') !== 'shadow', ['v1', 'v2'], favouring('v2'))
  t.equal(rounds, 6)
  t.equal(stage.rung('v2'), 'canary')
})

t.test('canary to ramp: cost within budget, known at all, and the test accepts', async (t) => {
  const stage = withChallengers({ costBudget: 1.5 }, ['v2'])
  until(stage, () => false, ['v1', 'v2'], favouring('v2'))
  t.equal(stage.rung('v2'), 'canary')
  t.strictSame(stage.unmet('v2'), ['cost_within_budget'])
  t.strictSame(stage.predicate('v2', 'cost_within_budget').inputs, {
    episodes: 0,
    mean_cost: null,
    budget: 1.5,
  })
  stage.run({ variant: 'v2', groupId: 'c0', cost: 2 })
  t.strictSame(stage.unmet('v2'), ['cost_within_budget'])
  stage.run({ variant: 'v2', groupId: 'c1', cost: 1 })
  t.equal(stage.rung('v2'), 'ramp', 'a mean of exactly the budget is within it')
})

t.test('each step needs results of its own rung', async (t) => {
  const stage = withChallengers({ sustainGroups: 2 }, ['v2'])
  until(stage, () => stage.rung('v2') !== 'shadow', ['v1', 'v2'], favouring('v2'))
  const steps: string[] = []
  while (stage.rung('v2') !== 'current' && steps.length < 40) {
    stage.round(`s${steps.length}`, ['v1', 'v2'], favouring('v2'))
    steps.push(`${stage.rung('v2')} ${shares(stage.ladder).find(({ version }) => version === 'v2')?.share}`)
  }
  t.strictSame(steps, ['ramp 0.2', 'ramp 0.5', 'ramp 0.5', 'current 1'])
})

t.test('sustained: over the latest groups it must win more than it loses', async (t) => {
  const stage = withChallengers({ sustainGroups: 3 }, ['v2'])
  until(stage, () => stage.ladder.variants[1]!.rampStep === 1, ['v1', 'v2'], favouring('v2'))
  for (const [version, wins, losses] of [
    ['v1', 0, 1],
    ['v1', 0, 2],
    ['v2', 1, 2],
    ['v1', 1, 2],
  ] as const) {
    stage.round(`s${stage.episodes.length}`, ['v1', 'v2'], favouring(version))
    t.match(stage.predicate('v2', 'sustained'), { passed: false, inputs: { wins, losses, required: 3 } })
  }
  stage.round('s-last', ['v1', 'v2'], favouring('v2'))
  t.equal(stage.rung('v2'), 'current', 'two of the latest three')
})

t.test('ties and errors sustain nothing', async (t) => {
  const stage = withChallengers({ sustainGroups: 1 }, ['v2'])
  until(stage, () => stage.rung('v2') === 'ramp', ['v1', 'v2'], favouring('v2'))
  stage.round('tie', ['v1', 'v2'], () => 'tie')
  t.match(stage.predicate('v2', 'sustained'), { passed: false, inputs: { groups: 1, wins: 0, losses: 0 } })
  stage.round('error', ['v1', 'v2'], () => 'error')
  t.match(stage.predicate('v2', 'sustained').inputs, { groups: 1 })
})

t.test('drift that is not clean holds the last step', async (t) => {
  const driftSeries = [{ testPath: 'a', backend: 'b', suite: 'c' }]
  const stage = withChallengers({ driftSeries }, ['v2'])
  until(stage, () => false, ['v1', 'v2'], favouring('v2'))
  t.equal(stage.rung('v2'), 'ramp')
  t.strictSame(stage.unmet('v2'), ['drift_clean'])
})

t.test('shares never add up to more than 1: who would break that waits', async (t) => {
  const driftSeries = [{ testPath: 'never', backend: 'b', suite: 'c' }]
  const stage = withChallengers({ driftSeries, canaryShare: 0.1, rampShares: [0.3, 0.6] }, ['v2', 'v3', 'v4'])
  const strongest = ({ a, b }: Comparison): Winner =>
    a.variant === 'v1' ? 'b' : b.variant === 'v1' ? 'a' : 'tie'
  until(stage, () => false, ['v1', 'v2', 'v3', 'v4'], strongest)
  const held = shares(stage.ladder)
  t.strictSame(held, [
    { version: 'v1', share: 0 },
    { version: 'v2', share: 0.6 },
    { version: 'v3', share: 0.3 },
    { version: 'v4', share: 0.1 },
  ])
  t.strictSame(stage.unmet('v3'), ['share_available'])
  t.strictSame(stage.predicate('v4', 'share_available').inputs, {
    wanted: 0.3,
    held_by_others: 0.9,
    kept_free: 0,
  })
  stage.run({ variant: 'v2', groupId: 'bad', score: CAPPED })
  t.equal(shares(stage.ladder).find(({ version }) => version === 'v3')!.share, 0.6, 'what is free is taken')
})

t.test('challengers that are all better do not keep each other from the end of the ramp', async (t) => {
  const stage = withChallengers({}, VERSIONS.slice(1))
  const better = ({ a, b }: Comparison): Winner =>
    a.variant === 'v1' ? 'b' : b.variant === 'v1' ? 'a' : 'tie'
  until(stage, () => stage.ladder.live.generation > 1, VERSIONS, better)
  t.match(stage.ladder.live, { version: 'v2', generation: 2 })
})

t.test('when the live version changes, canaries and ramps start anew in shadow', async (t) => {
  const stage = withChallengers({}, ['v2', 'v3'])
  const both = ({ a, b }: Comparison): Winner =>
    a.variant === 'v1' ? 'b' : b.variant === 'v1' ? 'a' : favouring('v2')({ a, b } as Comparison)
  until(stage, () => stage.rung('v2') === 'current', ['v1', 'v2', 'v3'], both)
  t.equal(stage.rung('v3'), 'shadow')
  const back = stage.transitions.at(-1)!
  t.match(back, {
    variant: 'v3',
    from: 'ramp',
    to: 'shadow',
    cause: 'live_changed',
    share: 0,
    predicates: [{ name: 'live_unchanged', passed: false, inputs: { generation: 2 } }],
  })
  t.match(stage.predicate('v3', 'beats_current').inputs, { against: 'v2', method: 'none' })
})

t.test('capped on canary or ramp: rolled back, and its traffic is gone', async (t) => {
  for (const rung of ['shadow', 'canary', 'ramp'] as const) {
    const stage = withChallengers({}, ['v2'])
    until(stage, () => stage.rung('v2') === rung, ['v1', 'v2'], favouring('v2'))
    const { transitions } = stage.run({ variant: 'v2', groupId: 'bad', score: CAPPED })
    t.match(transitions, [{ variant: 'v2', from: rung, to: 'rolled_back', share: 0 }])
    t.strictSame(shares(stage.ladder), [{ version: 'v1', share: 1 }])
  }
})

t.test('a challenger that the test gives up is rejected', async (t) => {
  const stage = withChallengers({}, ['v2'])
  until(stage, () => stage.rung('v2') === 'rejected', ['v1', 'v2'], favouring('v1'))
  t.match(stage.transitions.at(-1), { from: 'shadow', to: 'rejected', cause: 'test_rejects' })
})
