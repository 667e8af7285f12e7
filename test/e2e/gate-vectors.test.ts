import t from 'tap'
import type { VerdictDocument } from '../../src/documents/verdict.js'
import { PythonSourceReader } from '../../src/source-reader/python-source-reader.js'
import { form, openClient } from '../http/support.js'
import { gateVectors, type ExpectedCheck, type GateVector } from '../support/gate-vectors.js'
import { forEachBackend, type OpenedStore } from '../support/stores.js'
import { vectorNumber } from '../support/vectors.js'

/** The gate's vectors once more, over HTTP and on both databases: stored as they are, then judged. */
const python = new PythonSourceReader()
t.teardown(() => python.close())

type Check = VerdictDocument['checks'][number]

async function storeHistory(
  { store }: OpenedStore,
  suite: string,
  history: GateVector['history'],
): Promise<void> {
  await store.write(async (writer) => {
    for (const run of history) {
      await writer.writeRun({
        // The vectors number the runs of each history alike.
        runId: `${suite}/${run.run_id}`,
        series: { testPath: 'tests/vector.py', backend: 'cuda', suite },
        provenance: {
          commitSha: 'a'.repeat(40),
          prNumber: null,
          githubRunId: null,
          githubRunAttempt: null,
          eventName: null,
          ref: null,
        },
        createdAt: new Date(run.created_at).toISOString().replace('Z', '000Z'),
        trusted: run.trusted,
        values: run.values.map(([metricKey, step, value]) => ({
          metricKey,
          step,
          value,
          stepsKey: '',
          constraintKey: '',
        })),
      })
    }
  })
}

function told(check: Check, expected: ExpectedCheck) {
  const { baseline } = check
  const all = {
    metric_key: check.metric_key,
    step: check.step,
    status: check.status,
    value: check.value,
    n: baseline ? baseline.n : check.status === 'error' ? 0 : null,
    mean: baseline?.mean ?? null,
    lower: vectorNumber(baseline?.lower) ?? null,
    upper: vectorNumber(baseline?.upper) ?? null,
    fails_ci: check.fails_ci,
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in expected))
}

forEachBackend((name, open) => {
  t.test(`on ${name}`, async (t) => {
    const opened = await open(t)
    const client = await openClient(t, {
      gatehouse: { store: opened.store, readPython: (bytes) => python.read(bytes) },
    })
    for (const [index, row] of gateVectors().entries()) {
      await t.test(row.name, async (t) => {
        const suite = `vector-${index}`
        await storeHistory(opened, suite, row.history)
        const response = await client.app.inject(
          form(
            [
              ['test_path', 'tests/vector.py'],
              ['backend', 'cuda'],
              ['suite', suite],
              ['commit_sha', 'b'.repeat(40)],
              row.declarations
                ? ['declarations', JSON.stringify(row.declarations)]
                : ['test_file', row.test_source!],
              ['record', row.record],
            ],
            '/v1/runs?dry_run=true',
          ),
        )
        if (row.expected.refused !== undefined) return t.equal(response.statusCode, 422)
        t.equal(response.statusCode, 200, response.body.slice(0, 200))
        const verdict = response.json<VerdictDocument>()
        t.match(
          { trusted: verdict.trusted, outcome: verdict.outcome },
          { trusted: row.expected.trusted, outcome: row.expected.outcome },
        )
        const expected = row.expected.checks!
        return t.strictSame(
          verdict.checks.map((check, i) => told(check, expected[i]!)),
          expected.map((check) => ({
            ...check,
            ...('lower' in check && { lower: vectorNumber(check.lower) }),
            ...('upper' in check && { upper: vectorNumber(check.upper) }),
          })),
        )
      })
    }
  })
})
