import fc from 'fast-check'
import t from 'tap'
import type { Comparison } from '../../src/promotion/comparison.js'
import { evidenceOf, gatherEvidence, meanOf, resultsAgainstLive } from '../../src/promotion/evidence.js'
import type { SelectionEpisode } from '../../src/promotion/episode.js'
import { CAPPED, SCORED } from '../support/ladder-stage.js'

const episode = (episodeId: string, change: Partial<SelectionEpisode> = {}): SelectionEpisode => ({
  episodeId,
  variant: 'v2',
  groupId: 'g',
  split: 'selection',
  rung: 'shadow',
  score: SCORED,
  verifierPassed: null,
  cost: null,
  ...change,
})

const EPISODES = [
  episode('e1', { cost: 0.1, verifierPassed: true }),
  episode('e2', { cost: 0.2, verifierPassed: false }),
  episode('e3', { cost: 0.3, rung: 'trial' }),
  episode('e4', { score: CAPPED }),
  episode('e5', { variant: 'v1', rung: 'current', verifierPassed: true }),
]

const compared = (sequence: number | null, change: Partial<Comparison> = {}): Comparison => ({
  comparisonId: `c${sequence}`,
  groupId: `g${sequence}`,
  generation: 2,
  a: { variant: 'v2', episodeId: 'e1' },
  b: { variant: 'v1', episodeId: 'e5' },
  winner: sequence === null ? null : 'a',
  sequence,
  voided: false,
  ...change,
})

const COMPARISONS = [
  compared(3, { winner: 'b' }),
  compared(1),
  compared(null),
  compared(4, { voided: true }),
  compared(5, { a: { variant: 'v2', episodeId: 'e4' } }),
  compared(2, { generation: 1 }),
  compared(6, { b: { variant: 'v3', episodeId: 'e9' } }),
]

t.test('episodes are summed up by variant', async (t) => {
  const evidence = gatherEvidence({ episodes: EPISODES, comparisons: [] })
  t.strictSame(evidenceOf(evidence, 'v2'), {
    episodes: 4,
    shadowEpisodes: 3,
    capped: ['e4'],
    verified: { n: 2, passed: 1 },
    cost: { n: 3, mean: (0.1 + 0.2 + 0.3) / 3 },
  })
  t.match(evidenceOf(evidence, 'v1'), { episodes: 1, shadowEpisodes: 0, verified: { n: 1, passed: 1 } })
  t.match(evidenceOf(evidence, 'v9'), { episodes: 0, cost: { n: 0, mean: null } })
  t.equal(evidence.sequence, 0)
})

t.test('the mean of costs whose sum is no number any more', async (t) => {
  t.strictSame(meanOf([1.5e308, 1.7e308]), { n: 2, mean: 1.6e308 })
  t.strictSame(meanOf([-1.5e308, -1.5e308]), { n: 2, mean: -1.5e308 })
})

t.test(
  'results count in their order, where both episodes stand and the live version is the present one',
  async (t) => {
    const evidence = gatherEvidence({ episodes: EPISODES, comparisons: COMPARISONS })
    t.equal(evidence.sequence, 6)
    t.strictSame(resultsAgainstLive(evidence, 'v2', { version: 'v1', generation: 2 }), [
      { sequence: 1, groupId: 'g1', standing: 'win' },
      { sequence: 3, groupId: 'g3', standing: 'loss' },
    ])
    t.strictSame(resultsAgainstLive(evidence, 'v3', { version: 'v1', generation: 2 }), [])
    t.strictSame(resultsAgainstLive(evidence, 'v2', { version: 'v1', generation: 3 }), [])
  },
)

t.test('the order of the rows changes no bit', async (t) => {
  const whole = { minLength: EPISODES.length }
  const expected = gatherEvidence({ episodes: EPISODES, comparisons: COMPARISONS })
  fc.assert(
    fc.property(
      fc.shuffledSubarray(EPISODES, whole),
      fc.shuffledSubarray(COMPARISONS, { minLength: COMPARISONS.length }),
      (episodes, comparisons) => {
        const found = gatherEvidence({ episodes, comparisons })
        t.strictSame(found.comparisons, expected.comparisons)
        t.strictSame(evidenceOf(found, 'v2'), evidenceOf(expected, 'v2'))
      },
    ),
    { numRuns: 30 },
  )
})
