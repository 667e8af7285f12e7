import fc from 'fast-check'
import t from 'tap'
import { describeHistory } from '../../src/charts/describe.js'
import { historyChart } from '../../src/charts/history-chart.js'
import { POINT_KINDS, revokedRuns } from '../../src/charts/points.js'
import type { HistoryPointDocument } from '../../src/documents/history.js'
import { historyItem } from './support.js'

const unknown = { status: null, mean: null, lower: null, upper: null }
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom<['NaN', 'Infinity', '-Infinity']>('NaN', 'Infinity', '-Infinity'),
)
const bound = fc.oneof(fc.constant(null), double)
const item: fc.Arbitrary<HistoryPointDocument> = fc
  .tuple(
    fc.nat({ max: 3_000 }),
    fc.record({
      trusted: fc.boolean(),
      value: double,
      status: fc.constantFrom<['pass', 'fail', 'error', 'inactive', null]>(
        'pass',
        'fail',
        'error',
        'inactive',
        null,
      ),
      mean: fc.oneof(fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true })),
      lower: bound,
      upper: bound,
    }),
  )
  .map(([day, fields]) => historyItem(day, fields))

t.test('each point is of one kind', async (t) => {
  const kindOf = (fields: Partial<HistoryPointDocument>, revoked: string[] = []) =>
    historyChart([historyItem(0, fields)], new Set(revoked)).points[0]!.kind
  t.equal(kindOf({}), 'trusted')
  t.equal(kindOf({ status: 'inactive', ...{ mean: null, lower: null, upper: null } }), 'unjudged')
  t.equal(kindOf(unknown), 'unjudged', 'imported')
  t.equal(kindOf({ trusted: false, status: 'fail' }), 'failed')
  t.equal(kindOf({ trusted: false }), 'untrusted', 'another metric of the run failed')
  t.equal(kindOf({ trusted: false, ...unknown }), 'untrusted', 'imported so')
  t.equal(kindOf({ trusted: false }, ['run-0']), 'revoked')
  t.equal(kindOf({ trusted: false, status: 'fail' }, ['run-0']), 'revoked', 'whatever its check said')
  t.equal(kindOf({}, ['run-0']), 'trusted', 'trusted again meanwhile')
})

t.test('what keeps a run untrusted is a standing revocation, of a run that was trusted once', async (t) => {
  const undone = { created_at: '', actor: '', reason: '' }
  const revocation = (flipped: string[], matched: string[], isUndone = false) => ({
    run_ids: flipped,
    matched_run_ids: [...flipped, ...matched],
    undone: isUndone ? undone : null,
  })
  t.same(revokedRuns([]), new Set())
  t.same(revokedRuns([revocation(['a'], ['b'])]), new Set(['a']), 'b had not earned trust')
  t.same(revokedRuns([revocation(['a'], [], true)]), new Set())
  t.same(revokedRuns([revocation([], ['a']), revocation(['a'], [], true)]), new Set(['a']), 'held back')
})

t.test('points, oldest first; what cannot be drawn is counted', async (t) => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 40 }), (all) => {
      const newestFirst = [...all].sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
      const chart = historyChart(newestFirst)
      const { points, counts, notDrawn, times, values } = chart
      const kinds = POINT_KINDS.reduce((sum, kind) => sum + counts[kind], 0)
      const finite = all.filter(({ value }) => typeof value === 'number').length
      return (
        points.length === finite &&
        kinds === finite &&
        notDrawn === all.length - finite &&
        points.every(({ at, value, mean, lower, upper }, index) => {
          const inside = [value, mean, lower, upper].every(
            (one) => one === null || (Number.isFinite(one) && one >= values.min && one <= values.max),
          )
          return inside && at > times.min && at < times.max && (index === 0 || at >= points[index - 1]!.at)
        })
      )
    }),
    { numRuns: 500 },
  )
  t.same(historyChart([historyItem(0, { created_at: 'infinity' })]).notDrawn, 1)
})

t.test('the corridor is drawn where it is known, and open where it has no side', async (t) => {
  const items = [
    historyItem(0, unknown),
    historyItem(1),
    historyItem(2),
    historyItem(3, { upper: null }),
    historyItem(4, { upper: 'Infinity' }),
    historyItem(5, unknown),
    historyItem(6, { mean: null, lower: null }),
  ].reverse()
  t.same(historyChart(items).corridor, {
    areas: [
      { from: 1, to: 2, hasLower: true, hasUpper: true },
      { from: 3, to: 4, hasLower: true, hasUpper: false },
      { from: 6, to: 6, hasLower: false, hasUpper: true },
    ],
    lower: [{ from: 1, to: 4 }],
    mean: [{ from: 1, to: 4 }],
    upper: [
      { from: 1, to: 2 },
      { from: 6, to: 6 },
    ],
  })
  fc.assert(
    fc.property(fc.array(item, { maxLength: 30 }), (all) => {
      const { points, corridor } = historyChart(all)
      return (['lower', 'mean', 'upper'] as const).every((side) => {
        const inside = new Set(
          corridor[side].flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i)),
        )
        return points.every((point, index) => inside.has(index) === (point[side] !== null))
      })
    }),
    { numRuns: 500 },
  )
})

t.test('in words', async (t) => {
  t.equal(describeHistory(historyChart([])), 'No values are stored.')
  t.equal(
    describeHistory(historyChart([historyItem(0, { value: 'NaN' })])),
    '1 value stored, none of them can be drawn.',
  )
  t.equal(
    describeHistory(historyChart([historyItem(0, unknown)])),
    '1 value, of 2026-10-01 (UTC): 1 trusted but not compared. Newest: 2 (trusted, not compared).',
  )
  const items = [
    historyItem(9, { value: 3.0000000001, trusted: false, status: 'fail' }),
    historyItem(8, { trusted: false }),
    historyItem(7),
    historyItem(6, { value: 'Infinity', trusted: false, status: null }),
    historyItem(5),
  ]
  t.equal(
    describeHistory(historyChart(items, new Set(['run-8'])), { more: true }),
    'The newest 4 values, from 2026-10-06 to 2026-10-10 (UTC): 2 trusted, 1 failed, 1 revoked. ' +
      'Newest: 3.0000000001 (failed; mean 2, corridor 1 to 3). Not drawn, since not finite: 1 value.',
  )
  const newest = (fields: Partial<HistoryPointDocument>) =>
    describeHistory(historyChart([historyItem(0, fields)])).replace(/.*Newest: /, '')
  t.equal(newest({ upper: null }), '2 (trusted; mean 2, at least 1).')
  t.equal(newest({ mean: null, lower: null }), '2 (trusted; at most 3).')
})
