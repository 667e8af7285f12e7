import t from 'tap'
import { Replay } from '../../src/replay/replay.js'
import { at, BAND, repeat, replay, run, runsOf, SERIES, sound } from './support.js'

t.test('the first value is a cold start, up to nine predecessors are too few, ten are enough', async (t) => {
  const { counts, outcome } = replay(runsOf(repeat(12, 5)))
  t.strictSame(counts, {
    comparisons: 11,
    passes: 11,
    failures: 0,
    enforcementEligible: 2,
    insufficientHistory: 9,
    coldStarts: 1,
    ambiguousWindow: 0,
    incomplete: 0,
  })
  t.equal(outcome, 'pass')
})

t.test('a failing candidate is listed with what judged it, by the trust of its run', async (t) => {
  const [a, b, good, bad] = [
    run(0, { m: 10 }),
    run(1, { m: 12 }),
    run(2, { m: 20 }),
    run(3, { m: 1 }, { trusted: false }),
  ]
  const report = replay([a, b, good, bad])
  t.strictSame(report.trustedInconsistencies, {
    total: 2,
    items: [
      {
        runId: b.runId,
        createdAt: at(1),
        series: SERIES,
        metricKey: 'm',
        step: -1,
        value: 12,
        rule: 'band',
        side: 'above',
        n: 1,
        mean: 10,
        lower: 9,
        upper: 11,
        insufficientHistory: true,
      },
      {
        runId: good.runId,
        createdAt: at(2),
        series: SERIES,
        metricKey: 'm',
        step: -1,
        value: 20,
        rule: 'band',
        side: 'above',
        n: 2,
        mean: 11,
        lower: 11 - 0.1 * 11,
        upper: 11 + 0.1 * 11,
        insufficientHistory: true,
      },
    ],
  })
  t.match(report.untrustedRegressions, {
    total: 1,
    items: [{ runId: bad.runId, value: 1, side: 'below', n: 3, mean: 14 }],
  })
  t.equal(report.outcome, 'fail')
})

t.test('untrusted values are candidates and never history', async (t) => {
  const { counts, untrustedRegressions } = replay([
    run(0, { m: 5 }),
    run(1, { m: 50 }, { trusted: false }),
    run(2, { m: 5 }),
    run(3, { m: 5.1 }, { trusted: false }),
  ])
  t.match(counts, { comparisons: 3, passes: 2, failures: 1 })
  t.match(untrustedRegressions.items, [{ value: 50, n: 1 }])
})

t.test('values of one time are not in each other’s history', async (t) => {
  const { counts } = replay([run(0, { m: 1 }), run(0, { m: 9 }), run(0, { m: 100 })])
  t.match(counts, { coldStarts: 3, comparisons: 0 })
  const later = replay([run(0, { m: 10 }), run(1, { m: 10 }), run(1, { m: 50 }), run(2, { m: 20 })])
  t.match(later.trustedInconsistencies.items, [
    { value: 50, n: 1, mean: 10 },
    { value: 20, n: 3, mean: 70 / 3 },
  ])
})

t.test('a window that would cut through one time is not guessed', async (t) => {
  const twins = [run(0, { m: 1 }), run(1, { m: 2 }), run(1, { m: 3 })]
  const last = run(4, { m: 2 }, { trusted: false })
  const cut = replay([...twins, last], undefined, { window: 1, minimum: 1 })
  t.strictSame(cut.ambiguousWindows, {
    total: 1,
    items: [
      {
        runId: last.runId,
        createdAt: at(4),
        series: SERIES,
        metricKey: 'm',
        step: -1,
        value: 2,
        trusted: false,
        cutAt: at(1),
      },
    ],
  })
  t.match(cut.counts, { ambiguousWindow: 1, comparisons: 2, coldStarts: 1, incomplete: 0 })

  const whole = replay([...twins, last], undefined, { window: 2, minimum: 1 })
  t.match(
    whole.counts,
    { ambiguousWindow: 0, comparisons: 3 },
    'a window that ends between two times is none',
  )
  const all = replay([...twins, last], undefined, { window: 3, minimum: 1 })
  t.match(all.counts, { ambiguousWindow: 0 }, 'nor is one that takes all there is')
  t.match(replay([...twins, last, run(5, { m: 2 })], undefined, { window: 2, minimum: 1 }).counts, {
    ambiguousWindow: 0,
  })
})

t.test('an ambiguous window alone makes the outcome fail', async (t) => {
  const runs = [run(0, { m: 2 }), run(1, { m: 2 }), run(1, { m: 2 }), run(2, { m: 2 })]
  const report = replay(runs, undefined, { window: 1, minimum: 1 })
  t.match(report, { outcome: 'fail', counts: { failures: 0, ambiguousWindow: 1, passes: 2 } })
})

t.test('where only a spread is written, a single predecessor is a cold start', async (t) => {
  const { counts } = replay(runsOf([1, 2, 2, 1.5]), [
    { metric_key: 'm', steps: 'last', constraint: { k_std_down: 3 } },
  ])
  t.match(counts, { coldStarts: 2, comparisons: 2 })
})

t.test('the window holds the newest trusted values, as many as the settings say', async (t) => {
  const runs = [...runsOf([1, 1, 1, 1, 9, 9]), run(9, { m: 9 })]
  const { trustedInconsistencies } = replay(runs, undefined, { window: 2, minimum: 2 })
  t.match(trustedInconsistencies.items, [
    { value: 9, n: 2, mean: 1, insufficientHistory: false },
    { value: 9, mean: 5 },
  ])
  t.equal(trustedInconsistencies.total, 2, 'the last one is judged by two nines')
})

t.test('a limit judges without history', async (t) => {
  const report = replay(runsOf([1, 2, 0]), [
    { metric_key: 'm', steps: 'last', hard_ref: { min: 1, max: 1.5 } },
  ])
  t.match(report.counts, { comparisons: 3, passes: 1, failures: 2, enforcementEligible: 3, coldStarts: 0 })
  t.match(report.trustedInconsistencies.items, [
    { value: 2, rule: 'hard_ref', side: 'above', n: null, mean: null, lower: 1, upper: 1.5 },
    { value: 0, rule: 'hard_ref', side: 'below', n: null, mean: null, lower: 1, upper: 1.5 },
  ])
  t.same(report.declarationsWithoutEligibleComparisons.total, 0)
})

t.test('a limit is neither stale nor flips zero, and no time cuts it', async (t) => {
  const runs = [run(0, { m: 0 }), run(1, { m: 7 }), run(1, { m: 8 }), run(2, { m: 9 })]
  const report = replay(runs, [{ metric_key: 'm', steps: 'last', hard_ref: { max: 1 } }], {
    window: 1,
    minimum: 1,
  })
  t.match(report.counts, { failures: 3, ambiguousWindow: 0 })
  t.equal(report.staleCoordinates.total, 0)
  t.equal(report.zeroFlipCoordinates.total, 0)
})

t.test('declarations that do not enforce are left out', async (t) => {
  const report = replay(runsOf([1, 100]), [
    { metric_key: 'm', steps: 'last', constraint: BAND, enforce: false },
    { metric_key: 'absent', steps: 'last', constraint: BAND, enforce: false },
  ])
  t.match(report.counts, { comparisons: 0, coldStarts: 0, incomplete: 0 })
  t.equal(report.declarationsWithoutEligibleComparisons.total, 0)
  t.equal(report.outcome, 'fail', 'nothing was compared')
})

t.test('only the steps that a declaration chooses today are candidates and history', async (t) => {
  const stored = {
    m: [
      [-2, 5],
      [-1, 1],
      [0, 100],
      [1, 200],
      [7, 300],
    ] as const,
  }
  const runs = [run(0, stored), run(1, stored)]
  const chosen = (steps: unknown) =>
    replay(runs, [{ metric_key: 'm', steps, constraint: BAND }]).counts.coldStarts
  t.equal(chosen('last'), 1)
  t.equal(chosen('mean'), 1)
  t.equal(chosen('all'), 3)
  t.equal(chosen([7, 1]), 2)
  t.equal(chosen([3]), 0)
})

t.test('times bound candidates and coverage, not the history', async (t) => {
  const runs = [...runsOf([1, 5, 5, 5]), run(4, { other: 1 }), run(5, { m: 5 }), run(6, { m: 1 })]
  const since = replay(runs, undefined, { since: at(2) })
  t.match(since.counts, { comparisons: 4, failures: 4, coldStarts: 0, incomplete: 1 })
  t.match(since.trustedInconsistencies.items[0], { createdAt: at(2), n: 2, mean: 3 })
  t.match(since.snapshot, { since: at(2), until: null, runs: 7, values: 7, series: 1 })

  const until = replay(runs, undefined, { until: at(4) })
  t.match(until.counts, { comparisons: 3, incomplete: 0 })
  t.match(until.snapshot, { since: null, until: at(4), runs: 4, values: 4 })
})

t.test('series do not mix, and one without declarations is only counted', async (t) => {
  const other = { ...SERIES, backend: 'rocm' }
  const third = { ...SERIES, suite: 'weekly' }
  const judged = new Replay(
    [
      { series: SERIES, declarations: sound([{ metric_key: 'm', steps: 'last', constraint: BAND }]) },
      { series: other, declarations: sound([{ metric_key: 'm', steps: 'last', constraint: BAND }]) },
    ],
    { window: 20, minimum: 1, listLimit: 10 },
  )
  t.equal(judged.knows(third), false)
  for (const one of [
    run(0, { m: 1 }),
    run(1, { m: 50 }, { series: other }),
    run(2, { m: 7 }, { series: third }),
    run(3, { m: 1 }),
    run(4, { m: 50 }, { series: other }),
    run(5, { m: 900 }, { series: third }),
  ]) {
    judged.add(one)
  }
  t.equal(judged.knows(third), true)
  const report = judged.report()
  t.match(report.counts, { comparisons: 2, passes: 2, coldStarts: 2 })
  t.match(report.snapshot, { runs: 6, values: 6, series: 3, window: 20, minimum: 1, listLimit: 10 })
  t.equal(report.outcome, 'pass')
})

t.test('a series may be declared as late as its first run', async (t) => {
  const judged = new Replay([], { window: 20, minimum: 1, listLimit: 10 })
  judged.declare(SERIES, sound([{ metric_key: 'm', steps: 'last', constraint: BAND }]))
  t.throws(() => judged.declare(SERIES, []), RangeError)
  for (const one of runsOf([1, 1])) judged.add(one)
  t.match(judged.report().counts, { comparisons: 1, coldStarts: 1 })
})

t.test('runs in another order are refused', async (t) => {
  const [first, second] = [run(1, { m: 1 }), run(1, { m: 1 })]
  t.throws(() => replay([second, first]), RangeError)
  t.throws(() => replay([first, first]), RangeError)
  t.throws(() => replay([run(1, {}), run(0, {})]), RangeError)
})

t.test('a stored value that is not finite fails, and is no history', async (t) => {
  const report = replay(runsOf([1, NaN, Infinity, -Infinity, 1]), [
    { metric_key: 'm', steps: 'last', constraint: { rel_down: 0.1 } },
  ])
  t.match(report.counts, { comparisons: 4, passes: 1, failures: 3 })
  t.match(report.trustedInconsistencies.items, [
    { value: NaN, side: null, n: 1 },
    { value: Infinity, side: 'above', upper: null, n: 1 },
    { value: -Infinity, side: 'below', n: 1 },
  ])
})

t.test('two values of one coordinate in a run both count, the greater as the newer', async (t) => {
  const runs = [
    run(0, {
      m: [
        [-1, 10],
        [-1, 30],
      ],
    }),
    run(1, { m: 30 }),
  ]
  const { counts, trustedInconsistencies } = replay(runs)
  t.match(counts, { coldStarts: 2, comparisons: 1 })
  t.match(trustedInconsistencies.items, [{ n: 2, mean: 20 }])
})

t.test('lists are bounded to their newest entries, and the totals tell all', async (t) => {
  const values = Array.from({ length: 50 }, (_, i) => 2 ** i)
  const report = replay(runsOf(values), undefined, { listLimit: 3 })
  t.equal(report.counts.failures, 49)
  t.equal(report.trustedInconsistencies.total, 49)
  t.strictSame(
    report.trustedInconsistencies.items.map(({ value }) => value),
    values.slice(-3),
  )
})

t.test('no run at all is no sound history', async (t) => {
  t.match(replay([]), { outcome: 'fail', counts: { comparisons: 0 }, snapshot: { runs: 0, series: 0 } })
})
