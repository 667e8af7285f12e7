import t from 'tap'
import { comparisonRecord, type Comparison } from '../../src/promotion/comparison.js'
import { evaluate } from '../../src/promotion/evaluate.js'
import { strengthsFrom, testOf } from '../../src/promotion/reports.js'
import type { Score } from '../../src/promotion/score.js'
import { CAPPED, Stage, type Sent } from '../support/ladder-stage.js'

const VERSIONS = ['v1', 'v2', 'v3', 'v4']

/** A fixed judge: by the episodes' ids, the same in every run. */
const judge = ({ a, b }: Comparison) => {
  const sum = [...a.episodeId, ...b.episodeId].reduce(
    (total, character) => total + character.charCodeAt(0),
    0,
  )
  return sum % 5 === 0 ? 'tie' : sum % 2 === 0 ? 'a' : 'b'
}

/** Ten groups of four variants; the last one holds what else is sent. */
function played(mode: 'pairwise' | 'tournament', extra: readonly Sent[]): Stage {
  const stage = new Stage({ mode, minShadowEpisodes: 1 })
  for (const version of VERSIONS.slice(1)) stage.add(version)
  for (let group = 0; group < 10; group++) {
    const groupId = `g${group}`
    const sent = VERSIONS.map((variant) => ({ variant, groupId, episodeId: `${groupId}-${variant}` }))
    stage.run(...(group === 9 ? [...sent.slice(0, 3), ...extra] : sent))
    for (const comparison of stage.bracket(groupId)) stage.judge(comparison.comparisonId, judge(comparison))
  }
  return stage
}

t.test('a group with a capped episode is compared as if that episode did not exist', async (t) => {
  for (const mode of ['pairwise', 'tournament'] as const) {
    const capped = played(mode, [{ variant: 'v4', groupId: 'g9', episodeId: 'g9-v4', score: CAPPED }])
    const control = played(mode, [])
    const before = played(mode, [{ variant: 'v4', groupId: 'g9', episodeId: 'g9-v4' }])
    t.equal(JSON.stringify(strengthsFrom(capped.view)), JSON.stringify(strengthsFrom(control.view)), mode)
    t.not(JSON.stringify(strengthsFrom(before.view)), JSON.stringify(strengthsFrom(control.view)))
    t.strictSame(capped.comparisons, control.comparisons)
    const involved = capped.comparisons.filter(
      ({ a, b }) => a.episodeId === 'g9-v4' || b.episodeId === 'g9-v4',
    )
    t.strictSame(involved, [])
    for (const version of ['v2', 'v3'])
      t.strictSame(testOf(capped.ladder, capped.view, version), testOf(control.ladder, control.view, version))
  }
})

t.test(
  'an episode that is capped late takes its comparisons along, and strengths are as without them',
  async (t) => {
    for (const mode of ['pairwise', 'tournament'] as const) {
      const late = played(mode, [{ variant: 'v4', groupId: 'g9', episodeId: 'g9-v4' }])
      const won = comparisonRecord(late.comparisons, 'v4')
      const { voided } = late.cap('g9-v4')
      const control = played(mode, [])
      t.equal(voided.length, mode === 'pairwise' ? 1 : 3)
      t.equal(JSON.stringify(strengthsFrom(late.view)), JSON.stringify(strengthsFrom(control.view)), mode)
      t.equal(comparisonRecord(late.comparisons, 'v4').voided, voided.length)
      const now = comparisonRecord(late.comparisons, 'v4')
      t.equal(now.won + now.lost + now.tied, won.won + won.lost + won.tied - voided.length)
      t.strictSame(late.evaluate().voided, [], 'once')
      t.equal(late.rung('v4'), 'rolled_back')
    }
  },
)

t.test('a result that is voided is taken out of the test as well', async (t) => {
  const stage = new Stage()
  stage.add('v2')
  for (let round = 0; round < 6; round++) stage.round(`g${round}`, ['v1', 'v2'], () => 'a')
  t.equal(testOf(stage.ladder, stage.view, 'v2').wins, 6)
  const live = stage.episodes.find(({ variant, groupId }) => variant === 'v1' && groupId === 'g3')!
  stage.cap(live.episodeId)
  t.equal(testOf(stage.ladder, stage.view, 'v2').wins, 5)
  stage.round('g6', ['v1', 'v2'], () => 'a')
  t.equal(stage.rung('v2'), 'trial', 'six that stand are not enough')
  stage.round('g7', ['v1', 'v2'], () => 'a')
  t.equal(stage.rung('v2'), 'current')
})

t.test('no number of any score is read on the way to a decision', async (t) => {
  const trapped = (score: Score): Score =>
    new Proxy(score, {
      get(target, property) {
        if (property === 'kind') return target.kind
        throw new Error(`a decision read ${String(property)} of a score`)
      },
    })
  for (const mode of ['pairwise', 'tournament'] as const) {
    const plain = played(mode, [{ variant: 'v4', groupId: 'g9', episodeId: 'g9-v4', score: CAPPED }])
    const sealed = new Stage({ mode })
    sealed.ladder = played(mode, []).ladder
    const view = {
      ...plain.view,
      episodes: plain.view.episodes.map((episode) => ({ ...episode, score: trapped(episode.score) })),
    }
    t.throws(() => JSON.stringify(view), /a decision read/, 'the trap works')
    const now = '2026-02-01T00:00:00.000Z'
    t.strictSame(
      evaluate(sealed.ladder, view, new Map(), now),
      evaluate(sealed.ladder, plain.view, new Map(), now),
    )
    t.match(evaluate(sealed.ladder, view, new Map(), now).transitions, [{ variant: 'v4', to: 'rolled_back' }])
  }
})
