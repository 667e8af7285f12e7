import t from 'tap'
import { Check, Errors } from 'typebox/value'
import { ReplaySchema } from '../../src/documents/replay.js'
import { replayDocument } from '../../src/operations/replay-document.js'
import { at, BAND, repeat, replay, run, runsOf } from './support.js'

const WIRE_SERIES = { test_path: 'tests/test_a.py', backend: 'cuda', suite: 'nightly' }

t.test('the document carries every field that it declares', async (t) => {
  const runs = [
    ...repeat(4, 0).map((value, i) => run(i, { m: value, n: 1 })),
    ...[5, 6, NaN].map((value, i) => run(10 + i, { m: value, n: 1 }, { trusted: false })),
    run(20, { n: 1 }),
    run(20, { m: 7, n: 7 }),
  ]
  const declarations = ['m', 'n', 'never'].map((metric_key) => ({
    metric_key,
    steps: 'last',
    constraint: BAND,
  }))
  const report = replay(runs, declarations, { since: at(0), listLimit: 9 })
  const document = replayDocument(report, { filter: { backend: 'cuda' }, declarations: 'given' })
  t.ok(Check(ReplaySchema, document), JSON.stringify(Errors(ReplaySchema, document)))
  t.match(document, {
    snapshot: {
      window: 20,
      minimum: 10,
      runs: 9,
      values: 17,
      series: 1,
      since: at(0),
      until: null,
      filter: { test_path: null, backend: 'cuda', suite: null },
      declarations: 'given',
      list_limit: 9,
    },
    counts: {
      comparisons: 15,
      enforcement_eligible: 0,
      insufficient_history: 15,
      cold_starts: 2,
      ambiguous_window: 0,
      incomplete: 1,
    },
    incomplete: [
      {
        created_at: at(20),
        series: WIRE_SERIES,
        metric_key: 'm',
        missing_steps: [-1],
        missing_steps_total: 1,
      },
    ],
    declarations_without_eligible_comparisons_total: 3,
    trusted_inconsistencies: [
      {
        run_id: runs.at(-1)!.runId,
        metric_key: 'm',
        step: -1,
        value: 7,
        n: 4,
        mean: 0,
        lower: 0,
        upper: 0,
        rule: 'band',
        side: 'above',
      },
      { metric_key: 'n' },
    ],
    trusted_inconsistencies_total: 2,
    untrusted_regressions: [{ value: 5 }, { value: 6 }, { value: 'NaN', side: null }],
    untrusted_regressions_total: 3,
    zero_flip_coordinates: [
      {
        series: WIRE_SERIES,
        metric_key: 'm',
        step: -1,
        zeros: 4,
        non_zeros: 3,
        failures: 4,
        ambiguous: false,
      },
    ],
    zero_flip_coordinates_total: 1,
    stale_coordinates: [],
    stale_coordinates_total: 0,
    outcome: 'fail',
  })
})

t.test('a stale coordinate says what a reset takes along', async (t) => {
  const shifted = repeat(3, 50).map((value, i) => run(20 + i, { m: value }, { trusted: false }))
  const alone = replayDocument(replay([...runsOf(repeat(3, 1)), ...shifted]), {
    filter: {},
    declarations: 'newest_run',
  })
  t.ok(Check(ReplaySchema, alone))
  t.match(alone.stale_coordinates, [
    {
      side: 'above',
      reset_run_ids: { length: 3 },
      reset_run_ids_total: 3,
      other_coordinates: [],
      warning: null,
      latest: { length: 3 },
    },
  ])
  const shared = replayDocument(replay([run(0, { m: 1, a: 1, b: 1 }), run(1, { b: 1 }), ...shifted]), {
    filter: {},
    declarations: 'newest_run',
  })
  t.match(shared.stale_coordinates, [
    {
      other_coordinates: [
        { metric_key: 'a', step: -1, runs_lost: 1, runs_left: 0 },
        { metric_key: 'b', step: -1, runs_lost: 1, runs_left: 1 },
      ],
      other_coordinates_total: 2,
      warning:
        'Trust is per run: revoking this run takes values from 2 other coordinates of the series as well, 1 of which would start cold.',
    },
  ])
})

t.test('bounds that JSON cannot carry are markers, and an absent upper bound is null', async (t) => {
  const declarations = [
    { metric_key: 'm', steps: 'last', constraint: { abs_floor_down: 1e308, abs_floor_up: 1.7e308 } },
  ]
  const report = replay(runsOf([1.7e308, -1.7e308]), declarations)
  const document = replayDocument(report, { filter: {}, declarations: 'given' })
  t.match(document.trusted_inconsistencies, [{ upper: 'Infinity' }])
  t.ok(Check(ReplaySchema, JSON.parse(JSON.stringify(document))))
  const open = replay(runsOf([1, 0]), [{ metric_key: 'm', steps: 'last', constraint: { rel_down: 0.1 } }])
  t.match(replayDocument(open, { filter: {}, declarations: 'given' }).trusted_inconsistencies, [
    { upper: null },
  ])
})
