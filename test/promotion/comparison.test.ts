import t from 'tap'
import {
  admitResult,
  comparisonRecord,
  standingOf,
  type Comparison,
  type Winner,
} from '../../src/promotion/comparison.js'

const compared = (winner: Winner | null, voided = false): Comparison => ({
  comparisonId: 'c1',
  groupId: 'g',
  generation: 1,
  a: { variant: 'v2', episodeId: 'e2' },
  b: { variant: 'v1', episodeId: 'e1' },
  winner,
  sequence: winner === null ? null : 1,
  voided,
})

t.test('what a result means for each side', async (t) => {
  const table = [
    ['a', 'win', 'loss'],
    ['b', 'loss', 'win'],
    ['tie', 'tie', 'tie'],
    ['error', 'error', 'error'],
    [null, null, null],
  ] as const
  for (const [winner, a, b] of table) {
    t.equal(standingOf(compared(winner), 'v2'), a)
    t.equal(standingOf(compared(winner), 'v1'), b)
    t.equal(standingOf(compared(winner), 'v3'), null)
  }
})

t.test('a result is stored once; the same again is the same, another one is not', async (t) => {
  const none = new Set<string>()
  t.equal(admitResult(compared(null), 'a', none), 'store')
  t.equal(admitResult(compared('a'), 'a', none), 'same')
  t.equal(admitResult(compared('a'), 'b', none), 'different')
  t.equal(admitResult(compared('error'), 'a', none), 'different')
})

t.test('no result for what is voided, or has a capped episode, marked or not', async (t) => {
  t.equal(admitResult(compared(null, true), 'a', new Set()), 'voided')
  t.equal(admitResult(compared(null), 'a', new Set(['e1'])), 'voided')
  t.equal(admitResult(compared(null), 'a', new Set(['e2'])), 'voided')
  t.equal(admitResult(compared('a'), 'a', new Set(['e2'])), 'voided')
})

t.test('the record of a variant', async (t) => {
  const all = [
    compared('a'),
    compared('a'),
    compared('b'),
    compared('tie'),
    compared('error'),
    compared(null),
    compared('a', true),
  ]
  t.strictSame(comparisonRecord(all, 'v2'), { won: 2, lost: 1, tied: 1, voided: 1 })
  t.strictSame(comparisonRecord(all, 'v1'), { won: 1, lost: 2, tied: 1, voided: 1 })
  t.strictSame(comparisonRecord(all, 'v3'), { won: 0, lost: 0, tied: 0, voided: 0 })
})
