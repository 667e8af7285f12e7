import type { CheckDocument, VerdictDocument } from '../../documents/verdict.js'
import { checkText, stepText } from './check-text.js'
import { junitText, type JunitCase } from './junit-text.js'

/**
 * A verdict as JUnit XML, one test case a check. Only what fails CI is a `<failure>` or an `<error>`: CI servers
 * turn red on these, and a check that is not enforced must not do that by another door.
 */
export function renderJunit(verdict: VerdictDocument): string {
  const { test_path: testPath, backend, suite } = verdict.series
  const series = `${testPath} [${backend}, ${suite}]`
  return junitText({
    name: 'gatehouse',
    suite: series,
    createdAt: verdict.created_at,
    properties: [
      ['outcome', verdict.outcome],
      ['trusted', String(verdict.trusted)],
      ['cadence', verdict.cadence],
      ['commit_sha', verdict.provenance.commit_sha],
      ['verdict_id', verdict.verdict_id],
      ['run_id', verdict.run_id],
    ],
    cases: verdict.checks.map(testCase),
    output: warningLines(verdict),
  })
}

function testCase(check: CheckDocument): JunitCase {
  const { status, reason } = check
  const name = caseName(check)
  if (status === 'inactive') return { name, result: 'skipped', message: reason }
  if (status === 'pass') return { name, result: 'pass' }
  if (!check.fails_ci) return { name, result: 'pass', output: `${status}, which does not fail CI: ${reason}` }
  const type = check.limit ? 'hard_ref' : status === 'error' ? 'error' : 'constraint'
  const result = status === 'error' ? 'error' : 'failure'
  return { name, result, type, message: reason, text: figures(check) }
}

/** The same in every run of the series, so that CI servers can follow it: a reduction does not name its step. */
function caseName({ metric_key: metricKey, step }: CheckDocument): string {
  if (step === null) return metricKey
  return `${metricKey} [${step < 0 ? '' : 'step '}${stepText({ step, at_step: null })}]`
}

function figures(check: CheckDocument): string {
  const { value, change, mean, corridor, n } = checkText(check)
  return `value ${value}, change ${change}, mean ${mean}, corridor ${corridor}, n ${n}`
}

function warningLines({ warnings }: VerdictDocument): string | null {
  if (warnings.length === 0) return null
  return warnings.map((warning) => `${warning.metric_key ?? 'run'}: ${warning.message}`).join('\n')
}
