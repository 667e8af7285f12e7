import fc from 'fast-check'
import t from 'tap'
import type { Check } from '../../src/gate/verdict.js'
import type { ReplayRun } from '../../src/replay/replay.js'
import { judgeInMemory, line, recordOf } from '../support/judging.js'
import type { MemoryRun } from '../support/memory-history.js'
import { at, replay, SERIES, sound } from './support.js'

const width = fc.constantFrom(0, 0.05, 0.3, 2)
const rule = fc.oneof(
  fc.record({
    constraint: fc
      .record(
        {
          rel_up: width,
          abs_floor_up: width,
          k_std_up: width,
          rel_down: width,
          abs_floor_down: width,
          k_std_down: width,
        },
        { requiredKeys: [] },
      )
      .filter((written) => Object.keys(written).some((name) => name.endsWith('_down'))),
  }),
  fc.record({ hard_ref: fc.constantFrom({ max: 1 }, { min: 0.5 }, { min: 0.5, max: 1.2 }) }),
)
const steps = fc.constantFrom('last', 'all', 'mean', [0], [2, 0])
const declarations = fc
  .tuple(rule, steps, fc.boolean(), rule, steps)
  .map(([first, firstSteps, enforce, second, secondSteps]) => [
    { metric_key: 'a', steps: firstSteps, enforce, ...first },
    { metric_key: 'b', steps: secondSteps, ...second },
  ])
/** A level that holds, moves, and is exactly zero at times, so that all kinds of judgement occur. */
const level = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: 0.9, max: 1.1, noNaN: true }) },
  fc.constantFrom(0, 1, 0.1, 3, -1, 1e308),
)
const points = fc
  .uniqueArray(fc.integer({ min: 0, max: 3 }), { maxLength: 4, size: 'max' })
  .chain((given) => fc.tuple(...given.map((step) => level.map((value) => [step, value] as [number, number]))))
const records = fc.array(fc.record({ a: points, b: points }), { minLength: 10, maxLength: 30, size: 'max' })

function failureOf({ declaration, selected, corridor }: Check, runId: string) {
  const { rule } = declaration
  return {
    runId,
    metricKey: declaration.metricKey,
    step: selected!.step,
    value: selected!.value,
    n: corridor?.n ?? null,
    mean: corridor?.mean ?? null,
    lower: rule.kind === 'hard_ref' ? rule.min : corridor!.lower,
    upper: rule.kind === 'hard_ref' ? rule.max : corridor!.upper,
  }
}

t.test('property: the replay agrees with the verdict of every run that was submitted', async (t) => {
  const seen = { pass: 0, fail: 0, inactive: 0, insufficient: 0 }
  fc.assert(
    fc.property(
      declarations,
      records,
      fc.constantFrom([20, 10], [4, 3]),
      (written, submitted, [window = 0, minimum = 0]) => {
        const declared = sound(written)
        const history: MemoryRun[] = []
        const checks: Array<{ check: Check; runId: string }> = []
        submitted.forEach((metrics, minute) => {
          const record = recordOf(line('a', metrics.a), line('b', metrics.b))
          const verdict = judgeInMemory(declared, record, history, { window, minimum })
          const runId = `run-${String(minute).padStart(3, '0')}`
          const judged = verdict.checks.filter(({ selected }) => selected !== null)
          checks.push(
            ...judged.filter(({ declaration }) => declaration.enforce).map((check) => ({ check, runId })),
          )
          history.push({
            runId,
            createdAt: at(minute),
            trusted: verdict.trusted,
            values: judged.map(({ declaration, selected }) => [
              declaration.metricKey,
              selected!.step,
              selected!.value,
            ]),
          })
        })
        const stored = history.map((run): ReplayRun => ({
          ...run,
          series: SERIES,
          values: run.values.map(([metricKey, step, value]) => ({ metricKey, step, value })),
        }))
        const report = replay(stored, written, { window, minimum })

        const of = (status: Check['status']) => checks.filter(({ check }) => check.status === status)
        const insufficient = checks.filter(({ check }) => check.insufficientHistory).length
        seen.pass += of('pass').length
        seen.fail += of('fail').length
        seen.inactive += of('inactive').length
        seen.insufficient += insufficient
        t.match(report.counts, {
          comparisons: checks.length - of('inactive').length,
          passes: of('pass').length,
          failures: of('fail').length,
          coldStarts: of('inactive').length,
          insufficientHistory: insufficient,
          ambiguousWindow: 0,
        })
        const failures = [...report.trustedInconsistencies.items, ...report.untrustedRegressions.items].map(
          ({ runId, metricKey, step, value, n, mean, lower, upper }) => ({
            runId,
            metricKey,
            step,
            value,
            n,
            mean,
            lower,
            upper,
          }),
        )
        const order = (list: ReadonlyArray<ReturnType<typeof failureOf>>) =>
          list.map((one) => JSON.stringify(one)).sort()
        t.strictSame(order(failures), order(of('fail').map(({ check, runId }) => failureOf(check, runId))))
        t.equal(report.trustedInconsistencies.total, 0, 'no run is trusted that fails')
      },
    ),
    { numRuns: 200 },
  )
  for (const [kind, count] of Object.entries(seen)) t.ok(count > 300, `${kind} occurred ${count} times`)
})
