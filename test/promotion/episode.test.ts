import t from 'tap'
import { pairGroup } from '../../src/promotion/bracket.js'
import type { Episode, HeldOutEpisode, SelectionEpisode, SelectionView } from '../../src/promotion/episode.js'
import { selectionView } from '../../src/promotion/episode.js'
import { evaluate } from '../../src/promotion/evaluate.js'
import { gatherEvidence } from '../../src/promotion/evidence.js'
import { strengthsFrom } from '../../src/promotion/reports.js'
import { isCapped, type CappedScore, type Score } from '../../src/promotion/score.js'
import { Dice } from '../gate/python/corpus.js'
import { CAPPED, SCORED, Stage, type Sent } from '../support/ladder-stage.js'

const NOW = '2026-03-01T00:00:00.000Z'

const SELECTION: SelectionEpisode = {
  episodeId: 'e1',
  variant: 'v2',
  groupId: 'g1',
  split: 'selection',
  rung: 'shadow',
  score: SCORED,
  verifierPassed: true,
  cost: 1,
}
const HELD_OUT: HeldOutEpisode = { ...SELECTION, split: 'held_out' }

t.test('the compiler refuses held-out episodes wherever decisions are made', async (t) => {
  const episodes: Episode[] = [SELECTION, HELD_OUT]
  // Each directive fails the build when the line below it compiles.
  // @ts-expect-error a view has no place for a held-out episode
  const held: SelectionView = { episodes: [HELD_OUT], comparisons: [] }
  // @ts-expect-error nor for episodes that may be held out
  const mixed: SelectionView = { episodes, comparisons: [] }
  // @ts-expect-error a bracket takes selection episodes alone
  const pairs = () => pairGroup('pairwise', 'v1', episodes)
  // @ts-expect-error evidence is gathered from a view alone
  const evidence = () => gatherEvidence({ episodes, comparisons: [] })
  // @ts-expect-error and an evaluation takes a view
  const evaluation = () => evaluate(new Stage().ladder, { episodes, comparisons: [] }, new Map(), NOW)
  t.ok([held, mixed, pairs, evidence, evaluation].every(Boolean))
  t.strictSame(selectionView(episodes, []).episodes, [SELECTION])
})

t.test('the compiler knows no number of a capped score', async (t) => {
  const capped: CappedScore = { kind: 'capped', violations: [] }
  // @ts-expect-error there is no value
  const value: unknown = capped.value
  // @ts-expect-error nor can one be given
  const numbered: Score = { kind: 'capped', violations: [], value: 0 }
  const read = (score: Score): number | null => {
    // @ts-expect-error before the tag is read, there may be none
    const early: unknown = score.value
    t.ok(early === undefined || early === 0.5)
    return isCapped(score) ? null : score.value
  }
  t.equal(value, undefined)
  t.ok(isCapped(numbered))
  t.strictSame([read(capped), read(SCORED)], [null, 0.5])
})

/** A whole history of a ladder, with or without held-out episodes among the others. */
function played(
  mode: 'pairwise' | 'tournament',
  heldOut: (variant: string) => readonly Partial<Sent>[],
): Stage {
  const stage = new Stage({ mode, costBudget: 10, sustainGroups: 3 })
  const dice = new Dice(5)
  const versions = ['v1', 'v2', 'v3']
  stage.add('v2')
  stage.add('v3')
  for (let round = 0; round < 40; round++) {
    const groupId = `g${round}`
    const sent = versions.flatMap((variant) => [
      { variant, groupId, episodeId: `${variant}-${round}`, cost: 1, verifierPassed: true },
      ...heldOut(variant).map((content, index): Sent => ({
        ...content,
        variant,
        groupId,
        episodeId: `held-${variant}-${round}-${index}`,
        split: 'held_out',
      })),
    ])
    stage.run(...sent)
    for (const comparison of stage.bracket(groupId)) {
      const better = comparison.a.variant === 'v2' ? 8 : comparison.b.variant === 'v2' ? 2 : 5
      stage.judge(comparison.comparisonId, dice.below(10) < better ? 'a' : 'b')
    }
  }
  return stage
}

t.test('poisoned held-out episodes change no decision', async (t) => {
  const poison = () => [
    { score: CAPPED, verifierPassed: false, cost: 1e300 },
    { score: { kind: 'scored', value: -1e308 } as const, verifierPassed: false, cost: Number.MAX_VALUE },
  ]
  for (const mode of ['pairwise', 'tournament'] as const) {
    const clean = played(mode, () => [])
    const poisoned = played(mode, poison)
    t.ok(clean.ladder.live.generation > 1, 'something was decided')
    t.ok(poisoned.episodes.length === 3 * clean.episodes.length)
    t.strictSame(poisoned.ladder, clean.ladder)
    t.strictSame(poisoned.transitions, clean.transitions)
    t.strictSame(poisoned.last, clean.last)
    t.strictSame(poisoned.comparisons, clean.comparisons)
    t.equal(JSON.stringify(strengthsFrom(poisoned.view)), JSON.stringify(strengthsFrom(clean.view)))
  }
})

t.test('a capped held-out episode triggers nothing', async (t) => {
  const stage = new Stage()
  stage.add('v2')
  t.strictSame(stage.run({ variant: 'v2', groupId: 'g', split: 'held_out', score: CAPPED }).transitions, [])
  t.equal(stage.rung('v2'), 'shadow')
})
