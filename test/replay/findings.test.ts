import t from 'tap'
import { BAND, repeat, replay, run, runsOf, SERIES } from './support.js'

t.test('three failing comparisons in a row on one side are stale', async (t) => {
  const history = runsOf(repeat(12, 10))
  const shifted = [20, 21, 22].map((value, i) => run(20 + i, { m: value }, { trusted: false }))
  const report = replay([...history, ...shifted])
  t.strictSame(report.staleCoordinates, {
    total: 1,
    items: [
      {
        series: SERIES,
        metricKey: 'm',
        step: -1,
        side: 'above',
        latest: report.untrustedRegressions.items,
        resetRunIds: history.map(({ runId }) => runId),
        resetRunIdsTotal: 12,
        otherCoordinates: [],
        otherCoordinatesTotal: 0,
        otherCoordinatesEmptied: 0,
        ambiguous: false,
      },
    ],
  })
  t.equal(replay([...history, ...shifted.slice(1)]).staleCoordinates.total, 0, 'two are not')
  t.match(
    replay([...history, ...shifted, run(30, { m: 10 }, { trusted: false })]).staleCoordinates,
    { total: 0 },
    'nor are they once a comparison has passed',
  )
  const below = [1, 2, 3].map((value, i) => run(20 + i, { m: value }, { trusted: false }))
  t.match(replay([...history, ...below]).staleCoordinates.items, [{ side: 'below' }])
})

t.test('sides that alternate are not stale, and what is no comparison does not count', async (t) => {
  const history = runsOf(repeat(12, 10))
  const swings = [20, 1, 20, 1, 20].map((value, i) => run(20 + i, { m: value }, { trusted: false }))
  t.equal(replay([...history, ...swings]).staleCoordinates.total, 0)
  const back = [run(30, { m: 21 }), run(31, { m: 22 })].map((one) => ({ ...one, trusted: false }))
  t.match(replay([...history, ...swings, ...back]).staleCoordinates.items, [
    { latest: [{ value: 20 }, { value: 21 }, { value: 22 }] },
  ])
})

t.test('ambiguous windows are no comparisons: they neither break nor make a row of three', async (t) => {
  const runs = [
    run(0, { m: 10 }),
    run(1, { m: 20 }, { trusted: false }),
    run(2, { m: 20 }, { trusted: false }),
    run(3, { m: 10 }),
    run(3, { m: 10 }),
    run(4, { m: 10 }, { trusted: false }),
  ]
  const report = replay(runs, undefined, { window: 1, minimum: 1 })
  t.match(report.counts, { failures: 2, ambiguousWindow: 1, passes: 2 })
  t.equal(report.staleCoordinates.total, 0)
  const failing = [
    run(10, { m: 10 }),
    run(11, { m: 20 }, { trusted: false }),
    run(12, { m: 20 }, { trusted: false }),
    run(12, { m: 20 }),
    run(12, { m: 20 }),
    run(13, { m: 10 }, { trusted: false }),
  ]
  t.match(replay(failing, undefined, { window: 1, minimum: 1 }).staleCoordinates, { total: 1 })
})

t.test('a reset tells which other coordinates lose those runs', async (t) => {
  const both = repeat(10, 10).map((value, i) =>
    run(i, {
      m: value,
      'also/judged': 1,
      undeclared: [
        [0, 1],
        [1, 1],
      ],
    }),
  )
  const alone = [run(20, { 'also/judged': 1, m: 99 }, { trusted: false }), run(21, { 'also/judged': 1 })]
  const shifted = [50, 50, 50].map((value, i) => run(30 + i, { m: value }, { trusted: false }))
  const declarations = ['m', 'also/judged'].map((metric_key) => ({
    metric_key,
    steps: 'last',
    constraint: BAND,
  }))
  const [stale] = replay([...both, ...alone, ...shifted], declarations).staleCoordinates.items
  t.match(stale, {
    resetRunIds: both.map(({ runId }) => runId),
    otherCoordinates: [
      { metricKey: 'also/judged', step: -1, runsLost: 10, runsLeft: 1 },
      { metricKey: 'undeclared', step: 0, runsLost: 10, runsLeft: 0 },
      { metricKey: 'undeclared', step: 1, runsLost: 10, runsLeft: 0 },
    ],
    otherCoordinatesTotal: 3,
    otherCoordinatesEmptied: 2,
  })
})

t.test('coordinates of one impact do not count themselves', async (t) => {
  const metrics = ['a', 'b', 'c']
  const of = (value: number) => Object.fromEntries(metrics.map((metric) => [metric, value]))
  const runs = [
    ...repeat(4, 10).map((value, i) => run(i, of(value))),
    ...repeat(3, 50).map((value, i) => run(10 + i, of(value), { trusted: false })),
  ]
  const { staleCoordinates } = replay(
    runs,
    metrics.map((metric_key) => ({ metric_key, steps: 'last', constraint: BAND })),
  )
  t.strictSame(
    staleCoordinates.items.map(({ metricKey, otherCoordinates, otherCoordinatesTotal }) => [
      metricKey,
      otherCoordinates.map((other) => other.metricKey),
      otherCoordinatesTotal,
    ]),
    [
      ['a', ['b', 'c'], 2],
      ['b', ['a', 'c'], 2],
      ['c', ['a', 'b'], 2],
    ],
  )
})

t.test('the first hundred other coordinates are named, and all counted', async (t) => {
  const steps = Array.from({ length: 150 }, (_, i) => [i, 1] as const)
  const runs = [
    run(0, { m: 1, wide: steps }),
    ...repeat(3, 9).map((value, i) => run(1 + i, { m: value }, { trusted: false })),
  ]
  const [stale] = replay(runs).staleCoordinates.items
  t.equal(stale!.otherCoordinates.length, 100)
  t.equal(stale!.otherCoordinatesTotal, 150)
  t.equal(stale!.otherCoordinatesEmptied, 150)
})

t.test('run ids to reset are given whole or not at all', async (t) => {
  const metrics = Array.from({ length: 120 }, (_, i) => `m${String(i).padStart(3, '0')}`)
  const of = (value: number) => Object.fromEntries(metrics.map((metric) => [metric, value]))
  const runs = [
    ...repeat(5_000, 1).map((value, i) => run(i, of(value))),
    ...repeat(3, 9).map((value, i) => run(6_000 + i, of(value), { trusted: false })),
  ]
  const { items, total } = replay(
    runs,
    metrics.map((metric_key) => ({ metric_key, steps: 'last', constraint: BAND })),
  ).staleCoordinates
  t.equal(total, 120)
  t.strictSame(
    items.map(({ resetRunIds }) => resetRunIds?.length ?? null),
    [...repeat(100, 5_000), ...Array.from({ length: 20 }, () => null)],
  )
  t.ok(items.every(({ resetRunIdsTotal }) => resetRunIdsTotal === 5_000))
})

t.test('a failing coordinate that mixes zeros with others flips', async (t) => {
  const report = replay(runsOf([0, 0, 5, 0, 0, 5]))
  t.strictSame(report.zeroFlipCoordinates, {
    total: 1,
    items: [
      { series: SERIES, metricKey: 'm', step: -1, zeros: 4, nonZeros: 2, failures: 4, ambiguous: false },
    ],
  })
  t.equal(replay(runsOf([5, 5, 9])).zeroFlipCoordinates.total, 0, 'no zero')
  const wide = [{ metric_key: 'm', steps: 'last', constraint: { abs_floor_down: 9, abs_floor_up: 9 } }]
  t.equal(replay(runsOf([0, 5, 0, 5]), wide).zeroFlipCoordinates.total, 0, 'nothing fails')
})

t.test('a coordinate in both lists is ambiguous in both', async (t) => {
  const runs = [...runsOf(repeat(5, 0)), ...[7, 8, 9].map((value, i) => run(10 + i, { m: value }))]
  const { staleCoordinates, zeroFlipCoordinates } = replay(runs.map((one, i) => ({ ...one, trusted: i < 5 })))
  t.match(staleCoordinates.items, [{ side: 'above', ambiguous: true }])
  t.match(zeroFlipCoordinates.items, [{ zeros: 5, nonZeros: 3, ambiguous: true }])
})

t.test('coordinates stand by metric and step, and lists are bounded with their total', async (t) => {
  const steps = [10, 9, 2]
  const of = (value: number) => ({
    b: steps.map((step) => [step, value] as const),
    a: steps.map((step) => [step, value] as const),
  })
  const runs = [0, 9, 8, 7].map((value, i) => run(i, of(value), { trusted: i === 0 }))
  const declarations = ['b', 'a'].map((metric_key) => ({ metric_key, steps: 'all', constraint: BAND }))
  const order = [
    ['a', 2],
    ['a', 9],
    ['a', 10],
    ['b', 2],
    ['b', 9],
    ['b', 10],
  ]
  const whole = replay(runs, declarations)
  for (const { items, total } of [whole.staleCoordinates, whole.zeroFlipCoordinates]) {
    t.equal(total, 6)
    t.strictSame(
      items.map(({ metricKey, step }) => [metricKey, step]),
      order,
    )
  }
  const bounded = replay(runs, declarations, { listLimit: 2 })
  t.match(bounded.staleCoordinates, { total: 6, items: [{ step: 2 }, { step: 9 }] })
  t.equal(bounded.staleCoordinates.items.length, 2)
  t.match(bounded.zeroFlipCoordinates, { total: 6 })
})
