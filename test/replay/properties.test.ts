import fc from 'fast-check'
import t from 'tap'
import { judgeByBand } from '../../src/gate/evaluate.js'
import { mean } from '../../src/gate/statistics.js'
import type { ReplayRun } from '../../src/replay/replay.js'
import { at, replay, SERIES, sound } from './support.js'

const WRITTEN = [
  { metric_key: 'a', steps: 'all', constraint: { rel_up: 0.3, rel_down: 0.3 } },
  { metric_key: 'b', steps: [1, 0], constraint: { k_std_up: 1, k_std_down: 1 } },
  { metric_key: 'c', steps: 'last', constraint: { abs_floor_down: 0.5 } },
]
const [ALL, LIST, LAST] = sound(WRITTEN)

const value = fc.record({
  metricKey: fc.constantFrom('a', 'b', 'c', 'd'),
  step: fc.integer({ min: -2, max: 2 }),
  value: fc.constantFrom(0, 1, 1.2, 2, -3),
})
/** Few times, so that many runs share one. */
const history = fc
  .array(
    fc.record({
      minute: fc.nat({ max: 12 }),
      trusted: fc.boolean(),
      values: fc.array(value, { maxLength: 8, size: 'max' }),
    }),
    {
      minLength: 12,
      maxLength: 40,
      size: 'max',
    },
  )
  .map((runs) =>
    runs
      .sort((a, b) => a.minute - b.minute)
      .map(({ minute, trusted, values }, i): ReplayRun => ({
        runId: `r${String(i).padStart(3, '0')}`,
        createdAt: at(minute),
        trusted,
        series: SERIES,
        values,
      })),
  )
const settings = fc.record({
  window: fc.integer({ min: 1, max: 6 }),
  minimum: fc.integer({ min: 1, max: 6 }),
  since: fc.option(fc.nat({ max: 12 }).map(at), { nil: undefined }),
  until: fc.option(fc.nat({ max: 14 }).map(at), { nil: undefined }),
})
type Settings = typeof settings extends fc.Arbitrary<infer S> ? S : never

function declarationOf(metricKey: string, step: number) {
  if (metricKey === 'a') return step >= 0 ? ALL! : null
  if (metricKey === 'b') return step === 0 || step === 1 ? LIST! : null
  return metricKey === 'c' && step === -1 ? LAST! : null
}

/** The definition, candidate by candidate, over the whole history. */
function define(runs: readonly ReplayRun[], { window, minimum, since, until }: Settings) {
  const counts = {
    comparisons: 0,
    passes: 0,
    failures: 0,
    enforcementEligible: 0,
    insufficientHistory: 0,
    coldStarts: 0,
    ambiguousWindow: 0,
  }
  const failing: string[] = []
  let candidates = 0
  const inBounds = runs.filter(
    ({ createdAt }) =>
      (since === undefined || createdAt >= since) && (until === undefined || createdAt < until),
  )
  for (const run of inBounds) {
    for (const { metricKey, step, value } of run.values) {
      const declaration = declarationOf(metricKey, step)
      if (declaration?.rule.kind !== 'band') continue
      candidates++
      const earlier = runs
        .filter(({ trusted, createdAt }) => trusted && createdAt < run.createdAt)
        .flatMap(({ createdAt, values }) =>
          values
            .filter((other) => other.metricKey === metricKey && other.step === step)
            .map((other) => ({ createdAt, value: other.value }))
            .sort((a, b) => a.value - b.value),
        )
        .reverse()
      if (earlier.length > window && earlier[window - 1]!.createdAt === earlier[window]!.createdAt) {
        counts.ambiguousWindow++
        continue
      }
      const baseline = earlier.slice(0, window).map((other) => other.value)
      const { status } = judgeByBand(declaration.rule, value, baseline)
      if (status === 'inactive') counts.coldStarts++
      else {
        counts.comparisons++
        counts[status === 'pass' ? 'passes' : 'failures']++
        counts[baseline.length >= minimum ? 'enforcementEligible' : 'insufficientHistory']++
        if (status === 'fail') failing.push([run.runId, metricKey, step, value, mean(baseline)].join())
      }
    }
  }
  return { counts, failing: failing.sort(), candidates }
}

/** Pairs of a run and a metric that it lacks, by definition. */
function defineIncomplete(runs: readonly ReplayRun[], { since, until }: Settings): string[] {
  const stored = runs.filter(({ createdAt }) => until === undefined || createdAt < until)
  const holds = (run: ReplayRun, metric: string, chosen: (step: number) => boolean) =>
    run.values.some(({ metricKey, step }) => metricKey === metric && chosen(step))
  const lacks = (metric: string, chosen: (step: number) => boolean) =>
    stored.filter((run) => {
      const first = stored.find((other) => holds(other, metric, chosen))
      return first !== undefined && run.createdAt >= first.createdAt && !holds(run, metric, chosen)
    })
  const pairs = [
    ...lacks('a', (step) => step >= 0).map(({ runId }) => `${runId} a`),
    ...lacks('b', (step) => step === 0).map(({ runId }) => `${runId} b`),
    ...lacks('b', (step) => step === 1).map(({ runId }) => `${runId} b`),
    ...lacks('c', (step) => step === -1).map(({ runId }) => `${runId} c`),
  ]
  const known = new Map(runs.map((run) => [run.runId, run]))
  return [...new Set(pairs)]
    .filter((pair) => since === undefined || known.get(pair.split(' ')[0]!)!.createdAt >= since)
    .sort()
}

t.test('property: the stream finds what the definition says, and every candidate is one thing', async (t) => {
  const seen = { failures: 0, ambiguousWindow: 0, coldStarts: 0, passes: 0 }
  fc.assert(
    fc.property(history, settings, (runs, given) => {
      const { since, until, ...rest } = given
      const report = replay(runs, WRITTEN, {
        ...rest,
        ...(since !== undefined && { since }),
        ...(until !== undefined && { until }),
      })
      const { counts } = report
      const defined = define(runs, given)
      t.match(counts, defined.counts)
      t.strictSame(
        [...report.trustedInconsistencies.items, ...report.untrustedRegressions.items]
          .map((one) => [one.runId, one.metricKey, one.step, one.value, one.mean].join())
          .sort(),
        defined.failing,
      )
      t.strictSame(
        report.incomplete.items.map(({ runId, metricKey }) => `${runId} ${metricKey}`),
        defineIncomplete(runs, given),
      )
      t.equal(counts.passes + counts.failures, counts.comparisons)
      t.equal(counts.enforcementEligible + counts.insufficientHistory, counts.comparisons)
      t.equal(counts.comparisons + counts.coldStarts + counts.ambiguousWindow, defined.candidates)
      t.equal(report.incomplete.total, counts.incomplete)
      t.equal(report.ambiguousWindows.total, counts.ambiguousWindow)
      t.equal(report.trustedInconsistencies.total + report.untrustedRegressions.total, counts.failures)
      for (const kind of Object.keys(seen) as Array<keyof typeof seen>) seen[kind] += counts[kind]
    }),
    { numRuns: 400 },
  )
  for (const [kind, count] of Object.entries(seen)) t.ok(count > 50, `${kind} occurred ${count} times`)
})

t.test('property: the order of values within a run plays no part', async (t) => {
  const shuffled = history.chain((runs) =>
    fc.tuple(
      fc.constant(runs),
      fc.tuple(...runs.map(({ values }) => fc.shuffledSubarray([...values], { minLength: values.length }))),
    ),
  )
  fc.assert(
    fc.property(shuffled, ([runs, orders]) => {
      const others = runs.map((run, i) => ({ ...run, values: orders[i]! }))
      t.strictSame(replay(others, WRITTEN, { window: 3 }), replay(runs, WRITTEN, { window: 3 }))
    }),
  )
})

t.test('property: what a shorter list holds are the newest entries of a longer one', async (t) => {
  fc.assert(
    fc.property(history, fc.nat({ max: 4 }), (runs, listLimit) => {
      const whole = replay(runs, WRITTEN, { window: 3 })
      const bounded = replay(runs, WRITTEN, { window: 3, listLimit })
      for (const name of [
        'trustedInconsistencies',
        'untrustedRegressions',
        'incomplete',
        'ambiguousWindows',
      ] as const) {
        const { items, total } = whole[name]
        t.strictSame(bounded[name], { items: items.slice(Math.max(0, total - listLimit)), total }, name)
      }
      t.strictSame(bounded.counts, whole.counts)
    }),
  )
})
