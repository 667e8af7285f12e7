import type { CheckDocument, VerdictDocument } from '../../documents/verdict.js'
import { takeRows } from './bounded-rows.js'
import { checkText } from './check-text.js'
import { markdownCode, markdownText } from './markdown-escape.js'
import { leftOut, markdownBudget, markdownTable, shorten } from './markdown-parts.js'

/** What warnings and undeclared metrics may take together, so that they never crowd out a failing check. */
const MAX_NOTES_BYTES = 48 * 1024
const MAX_WARNINGS = 100
const MAX_UNDECLARED = 200
const MAX_LISTED_STEPS = 20
/**
 * A verdict as a GitHub job summary: the outcome first, then what failed, what has too little history, and a count
 * of the rest. Cut at a row where it would pass the bound, with a line that says so.
 */
export function renderMarkdown(verdict: VerdictDocument): string {
  const failed = verdict.checks.filter(({ status }) => status === 'fail' || status === 'error')
  const failing = [...failed.filter((check) => check.fails_ci), ...failed.filter((check) => !check.fails_ci)]
  const insufficient = verdict.checks.filter((check) => check.insufficient_history && check.status === 'pass')

  const head = headLines(verdict)
  const tail = [...restLines(verdict, failing.length + insufficient.length), ...noteLines(verdict)]
  const budget = markdownBudget([...head, ...tail])
  const failingTable = markdownTable('Failing and erroring checks', COLUMNS, failing, budget, tableRow)
  const insufficientTable = markdownTable(
    'Passing on too little history',
    COLUMNS,
    insufficient,
    budget - failingTable.bytes,
    tableRow,
  )
  return [...head, ...failingTable.lines, ...insufficientTable.lines, ...tail].join('\n')
}

function headLines(verdict: VerdictDocument): string[] {
  const { counts, provenance, series } = verdict
  const trusted = verdict.trusted ? 'yes' : 'no'
  const verdictId =
    verdict.verdict_id === null ? 'none (a dry run is not kept)' : markdownCode(verdict.verdict_id)
  const runId =
    verdict.run_id === null ? 'none (judged only, no history written)' : markdownCode(verdict.run_id)
  const pullRequest = provenance.pr_number === null ? '' : `, pull request ${provenance.pr_number}`
  const commit = provenance.commit_sha === null ? 'unknown' : markdownCode(provenance.commit_sha)
  return [
    `## Gatehouse: ${verdict.outcome === 'fail' ? 'FAIL' : 'PASS'}`,
    '',
    counts.checks === 0 ? 'No gate is declared.' : `${counts.failing_ci} of ${counts.checks} checks fail CI.`,
    '',
    `- **Trusted:** ${trusted}`,
    `- **Series:** ${markdownCode(series.test_path)}, backend ${markdownCode(series.backend)}, suite ${markdownCode(series.suite)}`,
    `- **Commit:** ${commit}${pullRequest}`,
    `- **Cadence:** ${verdict.cadence}`,
    `- **Verdict:** ${verdictId}`,
    `- **Run:** ${runId}`,
    '',
  ]
}

const COLUMNS = ['Status', 'Fails CI', 'Metric', 'Step', 'Value', 'Change', 'Mean', 'Corridor', 'n', 'Reason']

function tableRow(check: CheckDocument): string[] {
  const { step, value, change, mean, corridor, n } = checkText(check)
  const name = markdownCode(check.metric_key)
  const figures = [step, value, change, mean, corridor, n]
  const failsCi = check.fails_ci ? '**yes**' : 'no'
  return [check.status, failsCi, name, ...figures, markdownText(shorten(check.reason))]
}

function restLines({ counts }: VerdictDocument, listed: number): string[] {
  const rest = counts.checks - listed
  if (rest <= 0) return []
  const passing = rest - counts.inactive
  return [`Other checks: ${rest} (${passing} pass, ${counts.inactive} inactive for want of history).`, '']
}

function noteLines({ warnings, undeclared_metrics: undeclared }: VerdictDocument): string[] {
  const lines: string[] = []
  if (warnings.length > 0) {
    const { rows } = takeRows(warnings.slice(0, MAX_WARNINGS), MAX_NOTES_BYTES / 2, warningRow)
    lines.push(
      `### Warnings (${warnings.length})`,
      '',
      ...rows,
      ...leftOut(warnings.length - rows.length),
      '',
    )
  }
  if (undeclared.length > 0) {
    const { rows } = takeRows(
      undeclared.slice(0, MAX_UNDECLARED),
      MAX_NOTES_BYTES / 2,
      (key) => `- ${markdownCode(key)}`,
    )
    lines.push(
      `### Recorded but not declared, so not judged (${undeclared.length})`,
      '',
      ...rows,
      ...leftOut(undeclared.length - rows.length),
      '',
    )
  }
  return lines
}

function warningRow(warning: VerdictDocument['warnings'][number]): string {
  const subject = warning.metric_key === null ? 'The run' : markdownCode(warning.metric_key)
  const steps = warning.missing_steps ?? []
  const listed = steps.slice(0, MAX_LISTED_STEPS).join(', ')
  const more = steps.length > MAX_LISTED_STEPS ? ` and ${steps.length - MAX_LISTED_STEPS} more` : ''
  const missing = steps.length > 0 ? ` (missing steps: ${listed}${more})` : ''
  return `- ${subject}: ${markdownText(shorten(warning.message))}${missing}`
}
