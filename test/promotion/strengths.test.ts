import t from 'tap'
import { fitBradleyTerry, Z95 } from '../../src/promotion/bradley-terry.js'
import type { Comparison, Winner } from '../../src/promotion/comparison.js'
import { difference, strengthsOf, tallyPairs } from '../../src/promotion/strengths.js'
import type { PairTally } from '../../src/promotion/win-graph.js'
import { Dice } from '../gate/python/corpus.js'

const compared = (a: string, b: string, winner: Winner | null): Comparison => ({
  comparisonId: 'c',
  groupId: 'g',
  generation: 1,
  a: { variant: a, episodeId: `${a}1` },
  b: { variant: b, episodeId: `${b}1` },
  winner,
  sequence: 1,
  voided: false,
})

const pair = (a: string, b: string, winsA: number, winsB: number, ties = 0): PairTally => ({
  a,
  b,
  winsA,
  winsB,
  ties,
})

const between = (pairs: readonly PairTally[], one: string, other: string) =>
  difference(fitBradleyTerry(pairs), one, other)

t.test('results become one tally a pair, whichever side a variant was on', async (t) => {
  const tallies = tallyPairs([
    compared('v2', 'v1', 'a'),
    compared('v1', 'v2', 'a'),
    compared('v1', 'v2', 'b'),
    compared('v2', 'v1', 'tie'),
    compared('v2', 'v1', 'error'),
    compared('v2', 'v1', null),
    compared('v3', 'v1', 'b'),
  ])
  t.strictSame(tallies, [pair('v1', 'v2', 1, 2, 1), pair('v1', 'v3', 1, 0)])
})

t.test('strengths carry intervals; who stands alone has none', async (t) => {
  const found = strengthsOf(fitBradleyTerry([pair('a', 'b', 30, 10), pair('c', 'a', 3, 0)]))
  t.match(found, { connected: true, finite: false })
  const [a, b, c] = found.strengths
  t.equal(c!.estimate, null)
  t.not(c!.class, a!.class)
  t.equal(a!.class, b!.class)
  const { value, standardError, lower, upper } = a!.estimate!
  t.ok(Math.abs(value - Math.log(3) / 2) < 1e-10)
  t.ok(Math.abs(upper - lower - 2 * Z95 * standardError) < 1e-12)
  t.match(strengthsOf(fitBradleyTerry([pair('a', 'b', 1, 1), pair('c', 'd', 1, 1)])), {
    connected: false,
    finite: false,
  })
  t.match(strengthsOf(fitBradleyTerry([])), { connected: true, strengths: [] })
})

t.test('a difference has an interval, and changes its sign with its sides', async (t) => {
  const pairs = [pair('a', 'b', 30, 10), pair('b', 'c', 5, 5)]
  const found = between(pairs, 'a', 'b')
  t.equal(found.method, 'observed_information')
  t.ok(Math.abs(found.value! - Math.log(3)) < 1e-9)
  const reach = Z95 * Math.sqrt(1 / (40 * 0.75 * 0.25))
  t.ok(Math.abs(found.lower! - (found.value! - reach)) < 1e-9)
  t.ok(Math.abs(found.upper! - (found.value! + reach)) < 1e-9)
  t.ok(Math.abs(between(pairs, 'b', 'a').value! + found.value!) < 1e-12)
})

t.test('who won every comparison: the finite end is the exact binomial one', async (t) => {
  const six = between([pair('a', 'b', 6, 0)], 'a', 'b')
  t.match(six, { method: 'exact_binomial', value: null, upper: null })
  // Six wins of six have probability 0.025 at this win rate.
  t.ok(Math.abs((1 / (1 + Math.exp(-six.lower!))) ** 6 - 0.025) < 1e-12)
  t.ok(six.lower! > 0)
  t.ok(between([pair('a', 'b', 5, 0)], 'a', 'b').lower! < 0, 'five of five are no proof at this level')
  const mirrored = between([pair('a', 'b', 6, 0)], 'b', 'a')
  t.strictSame([mirrored.lower, mirrored.upper], [null, -six.lower!])
})

t.test('what nothing links is not guessed over', async (t) => {
  const nothing = { method: 'none', value: null, lower: null, upper: null }
  t.match(between([pair('a', 'b', 2, 1), pair('c', 'd', 2, 1)], 'a', 'd'), {
    ...nothing,
    reason: /^no chain of comparisons/,
  })
  t.match(between([pair('a', 'b', 20, 0), pair('b', 'c', 20, 0)], 'a', 'c'), {
    ...nothing,
    reason: /never compared directly/,
  })
  t.match(between([], 'a', 'b'), nothing)
})

t.test('95 % intervals cover the true difference in 95 % of seeded tournaments', async (t) => {
  const dice = new Dice(4_711)
  const truth = new Map([
    ['v1', 0],
    ['v2', 0.4],
    ['v3', 0.8],
    ['v4', -0.5],
  ])
  const versions = [...truth.keys()]
  const runs = 1_000
  let covered = 0
  for (let run = 0; run < runs; run++) {
    const pairs = versions.flatMap((a, i) =>
      versions.slice(i + 1).map((b) => {
        const p = 1 / (1 + Math.exp(truth.get(b)! - truth.get(a)!))
        const wins = Array.from({ length: 40 }, () => dice.below(2 ** 32) < p * 2 ** 32).filter(
          Boolean,
        ).length
        return pair(a, b, wins, 40 - wins)
      }),
    )
    const { lower, upper } = between(pairs, 'v3', 'v1')
    if (lower! <= 0.8 && 0.8 <= upper!) covered += 1
  }
  const part = covered / runs
  t.ok(Math.abs(part - 0.95) <= 3 * Math.sqrt((0.95 * 0.05) / runs), `covered ${(part * 100).toFixed(1)} %`)
})
