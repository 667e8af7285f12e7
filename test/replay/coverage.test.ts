import t from 'tap'
import { at, BAND, replay, run, SERIES } from './support.js'

const last = { metric_key: 'm', steps: 'last', constraint: BAND }

t.test('a run lacks a metric from the coordinate’s first stored value on', async (t) => {
  const lacking = run(2, { other: 1 }, { trusted: false })
  const report = replay([run(0, {}), run(1, { m: 1 }), lacking, run(3, { m: 1 })], [last])
  t.strictSame(report.incomplete, {
    total: 1,
    items: [
      {
        runId: lacking.runId,
        createdAt: at(2),
        series: SERIES,
        metricKey: 'm',
        missingSteps: [-1],
        missingStepsTotal: 1,
      },
    ],
  })
  t.equal(report.counts.incomplete, 1)
  t.match(report, { outcome: 'fail', counts: { failures: 0, comparisons: 1 } })
})

t.test('an untrusted value is a stored one too', async (t) => {
  const { counts } = replay([run(0, { m: 1 }, { trusted: false }), run(1, {})], [last])
  t.equal(counts.incomplete, 1)
})

t.test('each required step is counted from its own first value', async (t) => {
  const listed = { metric_key: 'm', steps: [9, 0, 5], constraint: BAND }
  const report = replay(
    [
      run(0, { m: [[0, 1]] }),
      run(1, {
        m: [
          [0, 1],
          [5, 1],
        ],
      }),
      run(2, { m: [[7, 1]] }),
      run(3, {
        m: [
          [0, 1],
          [5, 1],
          [9, 1],
        ],
      }),
      run(4, { m: [[5, 1]] }),
    ],
    [listed],
  )
  t.match(report.incomplete.items, [
    { createdAt: at(2), missingSteps: [0, 5], missingStepsTotal: 2 },
    { createdAt: at(4), missingSteps: [0, 9], missingStepsTotal: 2 },
  ])
  t.equal(report.counts.incomplete, 2, 'pairs of run and metric, not steps')
})

t.test('with "all" only the metric as a whole can be missing', async (t) => {
  const all = { metric_key: 'm', steps: 'all', constraint: BAND }
  const report = replay(
    [
      run(0, {
        m: [
          [0, 1],
          [1, 1],
          [2, 1],
        ],
      }),
      run(1, { m: [[0, 1]] }),
      run(2, { m: [[-1, 1]] }),
    ],
    [all],
  )
  t.match(report.incomplete, {
    total: 1,
    items: [{ createdAt: at(2), missingSteps: [], missingStepsTotal: 0 }],
  })
})

t.test('a value at a step that is not chosen today does not cover', async (t) => {
  const { incomplete } = replay(
    [run(0, { m: [[-2, 1]] }), run(1, { m: [[-1, 1]] }), run(2, { m: [[-1, 1]] })],
    [{ metric_key: 'm', steps: 'mean', constraint: BAND }],
  )
  t.match(incomplete, { total: 2, items: [{ missingSteps: [-2] }, { missingSteps: [-2] }] })
})

t.test('a run of the same time as the first value is not older than it', async (t) => {
  const before = run(1, {})
  const same = run(2, { n: 1 })
  const first = run(2, { m: [[3, 1]], n: 1 })
  const after = run(2, { n: 1 })
  const report = replay(
    [before, same, first, after],
    [
      { metric_key: 'm', steps: [3], constraint: BAND },
      { metric_key: 'n', steps: 'last', constraint: BAND },
      { metric_key: 'all', steps: 'all', constraint: BAND },
    ],
  )
  t.strictSame(
    report.incomplete.items.map(({ runId, metricKey, missingSteps }) => [runId, metricKey, missingSteps]),
    [
      [same.runId, 'm', [3]],
      [after.runId, 'm', [3]],
    ],
  )
})

t.test('at one time "all" covers alike', async (t) => {
  const report = replay(
    [run(0, {}), run(0, { m: [[0, 1]] }), run(0, {})],
    [{ metric_key: 'm', steps: 'all', constraint: BAND }],
  )
  t.match(report.incomplete, { total: 2, items: [{ missingSteps: [] }, { missingSteps: [] }] })
})

t.test('missing steps are bounded, ascending, with their number', async (t) => {
  const steps = Array.from({ length: 250 }, (_, i) => 249 - i)
  const full = steps.map((step) => [step, 1] as const)
  const { incomplete } = replay(
    [run(0, { m: full }), run(1, {})],
    [{ metric_key: 'm', steps, constraint: BAND }],
  )
  t.match(incomplete.items, [{ missingStepsTotal: 250 }])
  t.strictSame(
    incomplete.items[0]!.missingSteps,
    Array.from({ length: 100 }, (_, i) => i),
  )
})

t.test('entries stand oldest first, then by metric', async (t) => {
  const metrics = ['b', 'a', '\u{1f600}', '\uffff']
  const all = Object.fromEntries(metrics.map((metric) => [metric, 1]))
  const { incomplete } = replay(
    [run(0, all), run(1, {}), run(2, {})],
    metrics.map((metric_key) => ({ metric_key, steps: 'last', constraint: BAND })),
  )
  t.strictSame(
    incomplete.items.map(({ createdAt, metricKey }) => [createdAt, metricKey]),
    [at(1), at(2)].flatMap((time) => ['a', 'b', '\uffff', '\u{1f600}'].map((metric) => [time, metric])),
  )
})

t.test('declarations that were never enforced are told, also those without a value or a run', async (t) => {
  const report = replay(
    [run(0, { m: 1, warm: 1 }), run(1, { m: 1, warm: 1 }), run(2, { m: 1, warm: 1, late: 3 })],
    [
      last,
      { metric_key: 'warm', steps: 'last', constraint: BAND },
      { metric_key: 'late', steps: 'last', constraint: BAND },
      { metric_key: 'absent', steps: 'last', hard_ref: { max: 1 } },
    ],
    { minimum: 2 },
  )
  t.strictSame(report.declarationsWithoutEligibleComparisons, {
    total: 2,
    items: [
      { series: SERIES, metricKey: 'absent', comparisons: 0, coldStarts: 0 },
      { series: SERIES, metricKey: 'late', comparisons: 0, coldStarts: 1 },
    ],
  })
  t.equal(report.outcome, 'pass', 'they are reported only')
  t.equal(replay([]).declarationsWithoutEligibleComparisons.total, 1)
})
