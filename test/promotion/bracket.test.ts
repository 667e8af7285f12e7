import fc from 'fast-check'
import t from 'tap'
import { pairGroup } from '../../src/promotion/bracket.js'
import type { SelectionEpisode } from '../../src/promotion/episode.js'
import { CAPPED, SCORED } from '../support/ladder-stage.js'

const episode = (variant: string, episodeId: string, capped = false): SelectionEpisode => ({
  episodeId,
  variant,
  groupId: 'g',
  split: 'selection',
  rung: 'shadow',
  score: capped ? CAPPED : SCORED,
  verifierPassed: null,
  cost: null,
})

const GROUP = [
  episode('v3', 'e6'),
  episode('v1', 'e1'),
  episode('v2', 'e4'),
  episode('v1', 'e2'),
  episode('v2', 'e3'),
  episode('v2', 'e5', true),
]

const shown = (mode: 'pairwise' | 'tournament', episodes: readonly SelectionEpisode[], live = 'v1') =>
  pairGroup(mode, live, episodes).map(
    ({ a, b }) => `${a.variant} ${a.episodeId} - ${b.variant} ${b.episodeId}`,
  )

t.test(
  'pairwise: each challenger against the live version, first with first, second with second',
  async (t) => {
    t.strictSame(shown('pairwise', GROUP), ['v2 e3 - v1 e1', 'v2 e4 - v1 e2', 'v3 e6 - v1 e1'])
  },
)

t.test('tournament: all pairs of variants', async (t) => {
  t.strictSame(shown('tournament', GROUP), [
    'v1 e1 - v2 e3',
    'v1 e2 - v2 e4',
    'v1 e1 - v3 e6',
    'v2 e3 - v3 e6',
  ])
})

t.test('capped episodes leave before anything is paired', async (t) => {
  const capped = [episode('v2', 'e0', true), ...GROUP]
  t.strictSame(shown('pairwise', capped), shown('pairwise', GROUP))
  t.strictSame(shown('tournament', capped), shown('tournament', GROUP))
  t.strictSame(shown('pairwise', [episode('v1', 'e1', true), episode('v2', 'e2')]), [])
})

t.test('nothing to compare with', async (t) => {
  t.strictSame(shown('pairwise', []), [])
  t.strictSame(shown('pairwise', [episode('v2', 'e1'), episode('v3', 'e2')]), [], 'none of the live version')
  t.strictSame(shown('tournament', [episode('v2', 'e1'), episode('v2', 'e2')]), [])
})

t.test('the order of the rows plays no part', async (t) => {
  fc.assert(
    fc.property(fc.shuffledSubarray(GROUP, { minLength: GROUP.length }), (rows) => {
      t.strictSame(shown('tournament', rows), shown('tournament', GROUP))
    }),
    { numRuns: 30 },
  )
})
