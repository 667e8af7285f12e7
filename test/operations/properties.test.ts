import fc from 'fast-check'
import t from 'tap'
import { OPEN_MODE_PRINCIPAL } from '../../src/auth/principal.js'
import type { Submission } from '../../src/operations/submission.js'
import { submitRun } from '../../src/operations/submit-run.js'
import type { MetricHistoryStore } from '../../src/store/store.js'
import { forEachBackend } from '../support/stores.js'
import { gatehouseOn } from './gatehouse.js'

const DECLARATIONS = JSON.stringify([
  { metric_key: 'a', steps: 'all', constraint: { rel_up: 0.5, rel_down: 0.5, k_std_up: 3 } },
  { metric_key: 'b', steps: 'mean', constraint: { abs_floor_up: 1, abs_floor_down: 1 } },
])

type Series = Array<[step: number, value: number]>

function submission(suite: string, record: { a: Series; b: Series }): Submission {
  return {
    series: { testPath: 'tests/property.py', backend: 'cpu', suite },
    provenance: {
      commitSha: 'a'.repeat(40),
      prNumber: null,
      githubRunId: null,
      githubRunAttempt: null,
      eventName: null,
      ref: null,
    },
    job: null,
    cadence: 'nightly',
    schedule: null,
    labels: [],
    declarations: { kind: 'json', bytes: Buffer.from(DECLARATIONS) },
    record: { kind: 'array', items: Object.entries(record).map(([metric, series]) => ({ metric, series })) },
  }
}

const value = fc.oneof(fc.constantFrom(0, 1, -1, 1.5), fc.double({ min: -10, max: 10, noNaN: true }))
const series = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 4 }), value), {
  selector: ([step]) => step,
  minLength: 1,
  maxLength: 4,
})
const record = fc.record({ a: series, b: series })

let suites = 0

forEachBackend((name, open) => {
  t.test(`properties of verdicts on ${name}`, async (t) => {
    const { store } = await open(t)
    const submit = (given: Submission, dryRun: boolean) => submitOn(store, given, dryRun)

    t.test(
      'a run never moves its own verdict: what is told when it is stored is what was told before',
      async (t) => {
        await fc.assert(
          fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 6 }), async (records) => {
            const suite = `own-${++suites}`
            for (const one of records) {
              const before = await submit(submission(suite, one), true)
              const stored = await submit(submission(suite, one), false)
              t.strictSame(stored.checks, before.checks)
              t.strictSame(stored.evidence, before.evidence)
              t.equal(stored.evidence.runs.includes(stored.run_id!), false)
            }
          }),
          { numRuns: 15 },
        )
      },
    )

    t.test('a baseline does not depend on the value that is judged', async (t) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(record, { minLength: 1, maxLength: 5 }),
          series,
          fc.double({ min: -1e6, max: 1e6, noNaN: true }),
          async (records, a, other) => {
            const suite = `value-${++suites}`
            for (const one of records) await submit(submission(suite, one), false)
            const told = await submit(submission(suite, { a, b: a }), true)
            const changed = await submit(
              submission(suite, { a: a.map(([step]) => [step, other]), b: a }),
              true,
            )
            const baselines = (verdict: typeof told) =>
              verdict.checks.filter(({ metric_key }) => metric_key === 'a').map(({ baseline }) => baseline)
            t.strictSame(baselines(changed), baselines(told))
          },
        ),
        { numRuns: 15 },
      )
    })

    t.test('a verdict does not depend on the order or the presence of unrelated history', async (t) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(record, { minLength: 1, maxLength: 4 }),
          fc.array(record, { maxLength: 4 }),
          record,
          fc.nat(),
          async (own, unrelated, run, seed) => {
            const id = ++suites
            const plain = `plain-${id}`
            const mixed = `mixed-${id}`
            for (const one of own) await submit(submission(plain, one), false)
            // The same, with runs of other series in between.
            const queue = own.map((one) => submission(mixed, one))
            unrelated.forEach((one, i) =>
              queue.splice((seed + i) % (queue.length + 1), 0, submission(`other-${id}`, one)),
            )
            for (const one of queue) await submit(one, false)
            const told = [
              await submit(submission(plain, run), true),
              await submit(submission(mixed, run), true),
            ]
            const [left, right] = told.map(({ checks }) =>
              checks.map(({ baseline, status, value }) => ({
                status,
                value,
                baseline: { ...baseline, runs: null },
              })),
            )
            t.strictSame(right, left)
          },
        ),
        { numRuns: 15 },
      )
    })
  })
})

async function submitOn(store: MetricHistoryStore, given: Submission, dryRun: boolean) {
  const caller = { principal: OPEN_MODE_PRINCIPAL, requestId: 'r' }
  return (await submitRun(gatehouseOn(store), caller, given, { dryRun, idempotencyKey: null })).verdict
}
