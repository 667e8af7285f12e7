import type { CheckDocument, VerdictDocument } from '../../documents/verdict.js'
import { checkText, stepText } from './check-text.js'
import { xmlText } from './xml-escape.js'

/**
 * A verdict as JUnit XML, one test case a check. Only what fails CI is a `<failure>` or an `<error>`: CI servers
 * turn red on these, and a check that is not enforced must not do that by another door.
 */
export function renderJunit(verdict: VerdictDocument): string {
  const { checks } = verdict
  const { test_path: testPath, backend, suite } = verdict.series
  const series = xmlText(`${testPath} [${backend}, ${suite}]`)
  const failing = checks.filter((check) => check.fails_ci)
  const errors = failing.filter(({ status }) => status === 'error').length
  const skipped = checks.filter(({ status }) => status === 'inactive').length
  const counts = `tests="${checks.length}" failures="${failing.length - errors}" errors="${errors}" skipped="${skipped}" time="0"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="gatehouse" ${counts}>`,
    `  <testsuite name="${series}" timestamp="${xmlText(verdict.created_at.slice(0, 19))}" ${counts}>`,
    ...propertyLines(verdict),
    ...checks.map((check) => testCase(series, check)),
    ...warningLines(verdict),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function propertyLines(verdict: VerdictDocument): string[] {
  const facts: ReadonlyArray<readonly [string, string | null]> = [
    ['outcome', verdict.outcome],
    ['trusted', String(verdict.trusted)],
    ['cadence', verdict.cadence],
    ['commit_sha', verdict.provenance.commit_sha],
    ['verdict_id', verdict.verdict_id],
    ['run_id', verdict.run_id],
  ]
  const lines = facts
    .filter((fact): fact is readonly [string, string] => fact[1] !== null)
    .map(([name, value]) => `      <property name="${name}" value="${xmlText(value)}"/>`)
  return ['    <properties>', ...lines, '    </properties>']
}

function testCase(series: string, check: CheckDocument): string {
  const open = `    <testcase classname="${series}" name="${xmlText(caseName(check))}" time="0"`
  const result = resultElement(check)
  return result === null ? `${open}/>` : `${open}>${result}</testcase>`
}

/** The same in every run of the series, so that CI servers can follow it: a reduction does not name its step. */
function caseName({ metric_key: metricKey, step }: CheckDocument): string {
  if (step === null) return metricKey
  return `${metricKey} [${step < 0 ? '' : 'step '}${stepText({ step, at_step: null })}]`
}

function resultElement(check: CheckDocument): string | null {
  const { status, reason } = check
  if (status === 'inactive') return `<skipped message="${xmlText(reason)}"/>`
  if (status === 'pass') return null
  if (!check.fails_ci)
    return `<system-out>${xmlText(`${status}, which does not fail CI: ${reason}`)}</system-out>`
  const element = status === 'error' ? 'error' : 'failure'
  const type = check.limit ? 'hard_ref' : status === 'error' ? 'error' : 'constraint'
  return `<${element} type="${type}" message="${xmlText(reason)}">${xmlText(figures(check))}</${element}>`
}

function figures(check: CheckDocument): string {
  const { value, change, mean, corridor, n } = checkText(check)
  return `value ${value}, change ${change}, mean ${mean}, corridor ${corridor}, n ${n}`
}

function warningLines({ warnings }: VerdictDocument): string[] {
  if (warnings.length === 0) return []
  const text = warnings.map((warning) => `${warning.metric_key ?? 'run'}: ${warning.message}`).join('\n')
  return [`    <system-out>${xmlText(text)}</system-out>`]
}
