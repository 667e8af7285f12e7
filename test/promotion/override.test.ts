import t from 'tap'
import { gatherEvidence } from '../../src/promotion/evidence.js'
import { override } from '../../src/promotion/override.js'
import { shares } from '../../src/promotion/shares.js'
import { variantOf, type Rung } from '../../src/promotion/ladder.js'
import { CAPPED, GOOD_FACTS, Stage } from '../support/ladder-stage.js'

const NOW = '2026-03-01T00:00:00.000Z'

function person(stage: Stage, variant: string, toRung: Rung) {
  const outcome = override(
    stage.ladder,
    gatherEvidence(stage.view),
    { variant, toRung, reason: 'seen by hand', actor: 'oncall' },
    NOW,
  )
  if (outcome.ok) {
    stage.ladder = outcome.value.ladder
    stage.transitions.push(...outcome.value.transitions)
  }
  return outcome
}

t.test('a person moves a variant by one rung, with name and reason', async (t) => {
  const stage = new Stage()
  stage.add('v2')
  t.equal(person(stage, 'v2', 'trial').ok, true)
  t.equal(stage.rung('v2'), 'trial')
  t.strictSame(stage.transitions.at(-1), {
    variant: 'v2',
    from: 'shadow',
    to: 'trial',
    share: 0.05,
    cause: 'override',
    predicates: [],
    live: stage.ladder.live,
    actor: 'oncall',
    reason: 'seen by hand',
    at: NOW,
  })
  t.equal(person(stage, 'v2', 'current').ok, true)
  t.match(stage.ladder.live, { version: 'v2', generation: 2 })
  t.equal(stage.rung('v1'), 'superseded')
  t.equal(variantOf(stage.ladder, 'v2').placed, 'by_rule')
})

t.test('an undecided test stays where it is until a person says otherwise', async (t) => {
  const stage = new Stage()
  stage.add('v2')
  for (let round = 0; round < 20; round++)
    stage.round(`g${round}`, ['v1', 'v2'], () => (round % 2 === 0 ? 'a' : 'b'))
  t.equal(stage.rung('v2'), 'trial')
  t.equal(person(stage, 'v2', 'current').ok, true)
  t.equal(stage.rung('v2'), 'current')
})

t.test('never by two rungs, never from an end, never onto another ladder’s rung', async (t) => {
  const stage = new Stage()
  stage.add('v2', { ...GOOD_FACTS, validated: false })
  for (const rung of ['registered', 'trial', 'current', 'canary', 'superseded', 'rolled_back'] as const)
    t.match(person(stage, 'v2', rung), { ok: false, faults: [{ where: 'to_rung' }] }, rung)
  stage.add('v3')
  person(stage, 'v3', 'trial')
  t.equal(person(stage, 'v3', 'registered').ok, false, 'nor down')
  t.equal(person(stage, 'v2', 'rejected').ok, true)
  for (const rung of ['registered', 'shadow', 'trial', 'current'] as const)
    t.equal(person(stage, 'v2', rung).ok, false, `rejected to ${rung}`)
})

t.test('never onto current past a core violation', async (t) => {
  const stage = new Stage()
  stage.add('v2')
  person(stage, 'v2', 'trial')
  // Evidence that is stored and not evaluated yet, as it is when an override comes in the same moment.
  stage.episodes.push({
    episodeId: 'bad',
    variant: 'v2',
    groupId: 'g',
    split: 'selection',
    rung: 'trial',
    score: CAPPED,
    verifierPassed: null,
    cost: null,
  })
  t.match(person(stage, 'v2', 'current'), { ok: false, faults: [{ message: /core violation \(bad\)/ }] })
  t.equal(stage.rung('v2'), 'trial')
})

t.test('onto shadow past a missing fact: it stays there, and goes on by rule', async (t) => {
  const stage = new Stage()
  stage.add('v2', { ...GOOD_FACTS, validated: false })
  person(stage, 'v2', 'shadow')
  stage.evaluate()
  t.equal(stage.rung('v2'), 'shadow')
  stage.run({ variant: 'v2', groupId: 'g' })
  t.equal(stage.rung('v2'), 'trial')
})

t.test('who was taken down is not promoted by rule, and that is shown', async (t) => {
  const stage = new Stage()
  stage.add('v2')
  stage.run({ variant: 'v2', groupId: 'g' })
  person(stage, 'v2', 'shadow')
  t.strictSame(shares(stage.ladder), [{ version: 'v1', share: 1 }])
  stage.evaluate()
  t.equal(stage.rung('v2'), 'shadow')
  t.strictSame(stage.unmet('v2'), ['not_lowered'])
  person(stage, 'v2', 'trial')
  for (let round = 0; round < 8; round++) stage.round(`g${round}`, ['v1', 'v2'], () => 'a')
  t.equal(stage.rung('v2'), 'current')
})

t.test('one challenger in trial holds for people too', async (t) => {
  const stage = new Stage()
  stage.add('v2')
  stage.add('v3')
  person(stage, 'v2', 'trial')
  t.match(person(stage, 'v3', 'trial'), { ok: false, faults: [{ message: /^v2 is in trial/ }] })
})

t.test('a person rolls the live version back, where there is something to restore', async (t) => {
  const stage = new Stage()
  t.match(person(stage, 'v1', 'rolled_back'), { ok: false, faults: [{ message: /no predecessor/ }] })
  stage.add('v2')
  person(stage, 'v2', 'trial')
  person(stage, 'v2', 'current')
  t.equal(person(stage, 'v2', 'trial').ok, false)
  t.equal(person(stage, 'v2', 'rolled_back').ok, true)
  t.match(stage.ladder.live, { version: 'v1', generation: 3 })
  t.equal(stage.rung('v2'), 'rolled_back')
})

t.test(
  'tournament: the steps of the ramp are steps, and traffic that others hold cannot be had',
  async (t) => {
    const stage = new Stage({ mode: 'tournament', canaryShare: 0.3, rampShares: [0.6, 0.9] })
    stage.add('v2')
    stage.add('v3')
    for (const rung of ['canary', 'ramp', 'ramp'] as const) t.equal(person(stage, 'v2', rung).ok, true)
    t.equal(variantOf(stage.ladder, 'v2').rampStep, 1)
    t.match(person(stage, 'v3', 'canary'), { ok: false, faults: [{ message: /too little traffic/ }] })
    t.equal(person(stage, 'v2', 'canary').ok, true)
    t.equal(variantOf(stage.ladder, 'v2').rampStep, null)
    t.equal(shares(stage.ladder).find(({ version }) => version === 'v2')!.share, 0.3)
  },
)
