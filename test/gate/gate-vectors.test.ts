import t from 'tap'
import { resolveDeclarations } from '../../src/gate/declarations.js'
import { builtInGateDefaults } from '../../src/gate/defaults.js'
import { loadPythonReader } from '../../src/gate/python/load.js'
import { readRecordParts } from '../../src/gate/record.js'
import type { Check } from '../../src/gate/verdict.js'
import { gateVectors, type ExpectedCheck } from '../support/gate-vectors.js'
import { declare, judgeInMemory } from '../support/judging.js'
import { vectorNumber } from '../support/vectors.js'

const readPython = await loadPythonReader()
const defaults = builtInGateDefaults()

function declarationsOf(row: { test_source?: string; declarations?: unknown[] }) {
  if (row.declarations) return declare(row.declarations)
  const raw = readPython(Buffer.from(row.test_source!))
  return raw.ok ? resolveDeclarations(raw.value, defaults) : raw
}

/** A check in the vector's own terms. */
function told(check: Check, expected: ExpectedCheck) {
  const n = check.corridor ? check.corridor.n : check.status === 'error' ? 0 : null
  const all = {
    metric_key: check.declaration.metricKey,
    step: check.selected?.step ?? null,
    status: check.status,
    value: check.selected?.value ?? null,
    n,
    mean: check.corridor?.mean ?? null,
    lower: check.corridor?.lower ?? null,
    upper: check.corridor?.upper ?? null,
    fails_ci: check.failsCi,
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in expected))
}

for (const row of gateVectors()) {
  t.test(row.name, async (t) => {
    const declarations = declarationsOf(row)
    const record = readRecordParts([Buffer.from(row.record)])
    if (row.expected.refused !== undefined) return t.notOk(declarations.ok && record.ok, 'refused')
    if (!declarations.ok || !record.ok) return t.fail('declarations and record are sound')
    const history = row.history.map((run) => ({
      ...run,
      runId: run.run_id,
      createdAt: new Date(run.created_at).toISOString(),
    }))
    const verdict = judgeInMemory(declarations.value, record.value, history)
    t.equal(verdict.trusted, row.expected.trusted)
    t.equal(verdict.outcome, row.expected.outcome)
    const expected = row.expected.checks!
    t.equal(verdict.checks.length, expected.length)
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
