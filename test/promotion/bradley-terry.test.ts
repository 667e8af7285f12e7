import t from 'tap'
import { fitBradleyTerry } from '../../src/promotion/bradley-terry.js'
import type { PairTally } from '../../src/promotion/win-graph.js'

const TEAMS = ['Milwaukee', 'Detroit', 'Toronto', 'New York', 'Boston', 'Cleveland', 'Baltimore']

/** Wins of the row over the column: American League East, 1987. */
const WINS = [
  [0, 7, 9, 7, 7, 9, 11],
  [6, 0, 7, 5, 11, 9, 9],
  [4, 6, 0, 7, 7, 8, 12],
  [6, 8, 6, 0, 6, 7, 10],
  [6, 2, 6, 7, 0, 7, 12],
  [4, 4, 5, 6, 6, 0, 6],
  [2, 4, 1, 3, 1, 7, 0],
]

const SEASON: PairTally[] = TEAMS.flatMap((a, i) =>
  TEAMS.slice(i + 1).map((b, k) => ({
    a,
    b,
    winsA: WINS[i]![i + 1 + k]!,
    winsB: WINS[i + 1 + k]![i]!,
    ties: 0,
  })),
)

const pair = (a: string, b: string, winsA: number, winsB: number, ties = 0): PairTally => ({
  a,
  b,
  winsA,
  winsB,
  ties,
})

t.test(
  'the worked example of A. Agresti, Categorical Data Analysis, 2nd edition, section 10.6',
  async (t) => {
    const [season] = fitBradleyTerry(SEASON).classes
    t.equal(season!.converged, true)
    const at = (team: string) => season!.variants.indexOf(team)
    const baltimore = at('Baltimore')
    const fromBaltimore = (team: string) => season!.strengths[at(team)]! - season!.strengths[baltimore]!
    // Table 10.11, estimates without home advantage, Baltimore at 0.
    for (const [team, published] of [
      ['Milwaukee', 1.58],
      ['Detroit', 1.44],
      ['Toronto', 1.29],
      ['New York', 1.25],
      ['Boston', 1.11],
      ['Cleveland', 0.68],
    ] as const) {
      t.equal(Number(fromBaltimore(team).toFixed(2)), published, team)
      const { covariance } = season!
      const variance =
        covariance[at(team)]![at(team)]! +
        covariance[baltimore]![baltimore]! -
        2 * covariance[at(team)]![baltimore]!
      // The text gives standard errors of about 0.3 for each.
      t.equal(Number(Math.sqrt(variance).toFixed(1)), 0.3, `${team}'s standard error`)
    }
  },
)

t.test('two variants: the closed form of strength and variance', async (t) => {
  const [fit] = fitBradleyTerry([pair('a', 'b', 30, 10)]).classes
  t.ok(Math.abs(fit!.strengths[0]! - fit!.strengths[1]! - Math.log(3)) < 1e-10)
  const [[aa, ab], [, bb]] = fit!.covariance as [[number, number], [number, number]]
  t.ok(Math.abs(aa + bb - 2 * ab - 1 / (40 * 0.75 * 0.25)) < 1e-10, 'log odds have variance 1/(n p q)')
  t.ok(Math.abs(aa - 1 / (4 * 40 * 0.75 * 0.25)) < 1e-10, 'each is half of the difference')
})

t.test('at the maximum each variant won what it was expected to win', async (t) => {
  const { strengths, variants } = fitBradleyTerry(SEASON).classes[0]!
  variants.forEach((team, i) => {
    const row = TEAMS.indexOf(team)
    const won = WINS[row]!.reduce((sum, wins) => sum + wins, 0)
    const expected = variants.reduce(
      (sum, _, j) => (i === j ? sum : sum + 13 / (1 + Math.exp(strengths[j]! - strengths[i]!))),
      0,
    )
    t.ok(variants.length === 7 && Math.abs(won - expected) < 1e-9, `${team}: ${won} and ${expected}`)
  })
  t.ok(Math.abs(strengths.reduce((sum, value) => sum + value, 0)) < 1e-12, 'the mean is zero')
})

t.test('a tie is half a win for each', async (t) => {
  const tied = fitBradleyTerry([pair('a', 'b', 8, 2, 10)]).classes[0]!
  const halves = fitBradleyTerry([pair('a', 'b', 13, 7)]).classes[0]!
  t.strictSame(tied.strengths, halves.strengths)
  t.strictSame(tied.covariance, halves.covariance)
  const even = fitBradleyTerry([pair('a', 'b', 0, 0, 5)]).classes[0]!
  t.strictSame(even.strengths, [0, 0])
})

t.test('the order of pairs and of sides changes no bit', async (t) => {
  const mirrored = SEASON.map(({ a, b, winsA, winsB, ties }) => pair(b, a, winsB, winsA, ties)).reverse()
  t.strictSame(fitBradleyTerry(mirrored).classes, fitBradleyTerry(SEASON).classes)
})

t.test('a disconnected graph is reported, each part measured by itself', async (t) => {
  const { graph, classes } = fitBradleyTerry([pair('a', 'b', 3, 1), pair('c', 'd', 2, 2)])
  t.strictSame(graph.components, [
    ['a', 'b'],
    ['c', 'd'],
  ])
  t.strictSame(
    classes.map(({ variants }) => variants),
    graph.components,
  )
  t.ok(Math.abs(classes[0]!.strengths[0]! - Math.log(3) / 2) < 1e-10, 'mean zero over its own part')
})

t.test('who never lost to the others is in a class of its own: there is no finite maximum', async (t) => {
  const { graph, classes } = fitBradleyTerry([
    pair('best', 'a', 4, 0),
    pair('best', 'b', 5, 0),
    pair('a', 'b', 3, 2),
  ])
  t.equal(graph.components.length, 1)
  t.strictSame(graph.measurable, [['a', 'b'], ['best']])
  t.strictSame(
    classes.map(({ converged }) => converged),
    [true, true],
  )
  t.ok(Math.abs(classes[0]!.strengths[0]! - Math.log(1.5) / 2) < 1e-10, 'what it did changes nothing here')
})

t.test('a chain of wins that comes back makes all measurable', async (t) => {
  const circle = fitBradleyTerry([pair('a', 'b', 1, 0), pair('b', 'c', 1, 0), pair('c', 'a', 1, 0)])
  t.strictSame(circle.graph.measurable, [['a', 'b', 'c']])
  t.ok(circle.classes[0]!.strengths.every((strength) => Math.abs(strength) < 1e-12))
  const tied = fitBradleyTerry([pair('a', 'b', 5, 0, 1)])
  t.strictSame(tied.graph.measurable, [['a', 'b']])
})

/** Each version met its neighbours alone, as on a ladder where one followed the other. */
function chain(length: number, won: number, lost: number): PairTally[] {
  return Array.from({ length: length - 1 }, (_none, i) => {
    const name = (place: number) => `v${String(place).padStart(4, '0')}`
    return pair(name(i + 1), name(i), won, lost)
  })
}

t.test('a long succession of versions: each link has its closed form', async (t) => {
  for (const [length, won, lost] of [
    [100, 30, 15],
    [100, 3_000, 1],
    [200, 16, 3],
  ] as const) {
    const { converged, strengths, covariance } = fitBradleyTerry(chain(length, won, lost)).classes[0]!
    t.equal(converged, true)
    const p = won / (won + lost)
    const variance = 1 / ((won + lost) * p * (1 - p))
    const faults = Array.from({ length: length - 1 }, (_none, i) => {
      const step = strengths[i + 1]! - strengths[i]!
      const spread = covariance[i]![i]! + covariance[i + 1]![i + 1]! - 2 * covariance[i]![i + 1]!
      return Math.max(Math.abs(step - Math.log(won / lost)), Math.abs(spread / variance - 1))
    })
    t.ok(Math.max(...faults) < 1e-8, `${length} of ${won}:${lost}: ${Math.max(...faults)}`)
  }
})

t.test('strengths so far apart that their exponentials overflow', async (t) => {
  const { converged, strengths } = fitBradleyTerry(chain(250, 3_000, 1)).classes[0]!
  t.equal(converged, true)
  t.ok(Math.abs(strengths.at(-1)! - strengths[0]! - 249 * Math.log(3_000)) < 1e-6)
})

t.test('nothing compared', async (t) => {
  t.strictSame(fitBradleyTerry([]), {
    pairs: [],
    graph: { components: [], measurable: [] },
    classes: [],
  })
  t.strictSame(fitBradleyTerry([pair('a', 'b', 0, 0)]).classes, [])
})
