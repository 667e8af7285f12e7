import type { ComparisonDocument, GateDocument } from '../../documents/evals-comparison.js'
import type { Double } from '../../documents/common.js'
import { junitText, type JunitCase } from './junit-text.js'
import { markdownCode, markdownText } from './markdown-escape.js'
import { leftOut, markdownBudget, markdownTable, shorten } from './markdown-parts.js'
import { distinctNumbers, NO_VALUE, shortNumber } from '../../charts/numbers.js'

/** A result in the word that stands first in every form: what is undecided must not read as decided. */
export function resultWord({ result }: Pick<ComparisonDocument, 'result'>): string {
  return result.toUpperCase()
}

/** A comparison as a GitHub job summary: the result first, then why, the gates, and both runs. */
export function renderComparisonMarkdown(comparison: ComparisonDocument): string {
  const { questions, reasons, gates, identity } = comparison
  const head = [
    `## Gatehouse: ${headline(comparison)}`,
    '',
    ...reasons.map((reason) => `- ${markdownText(shorten(reason))}`),
    ...(reasons.length > 0 ? [''] : []),
  ]
  const facts = [
    `- **Answer model:** ${identityWord(identity.answer)}; **judge:** ${identityWord(identity.judge)}`,
    `- **Matched:** ${questions.matched} questions, scored in both runs`,
    `- **Comparison:** ${markdownCode(comparison.comparison_id)}`,
    '',
  ]
  if (comparison.small_sample && gates.length > 0)
    facts.push('With fewer than 15 matched questions an interval is known to be too short.', '')
  let budget = markdownBudget([...head, ...facts])
  const tables = [
    markdownTable('Gates', GATE_COLUMNS, gates, budget, gateRow),
    markdownTable(
      'Runs',
      ['Run', 'Name', 'Questions', 'Mean with context', 'Mean lift'],
      (['baseline', 'current'] as const).map((side) => ({
        side,
        run: comparison[side],
        means: comparison.means[side],
      })),
      budget,
      ({ side, run, means }) => [
        side,
        run.name === null ? 'sent along' : markdownCode(run.name),
        String(run.questions),
        figure(means.context),
        figure(means.lift),
      ],
    ),
  ]
  budget -= tables.reduce((sum, { bytes }) => sum + bytes, 0)
  return [
    ...head,
    ...tables.flatMap(({ lines }) => lines),
    ...facts,
    ...questionLines(comparison, budget),
  ].join('\n')
}

function headline(comparison: ComparisonDocument): string {
  const word = resultWord(comparison)
  switch (comparison.result) {
    case 'report':
      return `${word}, without a gate: nothing is claimed`
    case 'inconclusive':
      return `${word}, which counts as ${comparison.outcome}`
    case 'pass':
      return word
    default:
      return `FAIL, ${word}`
  }
}

function identityWord(identity: ComparisonDocument['identity']['answer']): string {
  return identity.replace('_', ' ')
}

const GATE_COLUMNS = ['Gate', 'Status', 'Mean drop', 'Limit', '95 % interval', 'Method']

function gateRow(gate: GateDocument): string[] {
  const { drop, limit, interval } = gateFigures(gate)
  const status = gate.status === 'pass' ? 'pass' : `**${(gate.status ?? 'not judged').toUpperCase()}**`
  return [markdownCode(gate.gate), status, drop, limit, interval, gate.method ?? NO_VALUE]
}

/** The figures of a gate, written so that none looks like a limit that it differs from. */
function gateFigures({ mean_drop: drop, limit, ci95 }: GateDocument) {
  const numbers = [drop, limit, ...(ci95 ?? [])].filter((one) => typeof one === 'number')
  const forms = new Map(distinctNumbers(numbers).map((form, index) => [numbers[index]!, form]))
  const text = (value: Double | null) => (typeof value === 'number' ? forms.get(value)! : (value ?? NO_VALUE))
  return {
    drop: text(drop),
    limit: text(limit),
    interval: ci95 === null ? NO_VALUE : ci95.map(text).join(' … '),
  }
}

function figure(value: Double | null): string {
  return typeof value === 'number' ? shortNumber(value) : (value ?? NO_VALUE)
}

/** Ids that each list names here; the document has more. */
const NAMED = 20

function questionLines({ questions }: ComparisonDocument, budget: number): string[] {
  const lists = [
    ['Scored in the baseline only', questions.only_baseline, questions.only_baseline_total],
    ['Scored in the current run only', questions.only_current, questions.only_current_total],
    ['Not scored in the baseline', questions.unscored_baseline, questions.unscored_baseline_total],
    ['Not scored in the current run', questions.unscored_current, questions.unscored_current_total],
  ] as const
  const lines = lists.flatMap(([title, ids, total]) => {
    if (total === 0) return []
    const named = ids.slice(0, NAMED)
    return [
      `### ${title} (${total})`,
      '',
      ...named.map((id) => `- ${markdownCode(id)}`),
      ...leftOut(total - named.length),
      '',
    ]
  })
  return Buffer.byteLength(lines.join('\n')) <= budget
    ? lines
    : lists.flatMap(([title, , total]) => (total === 0 ? [] : [`- ${title}: ${total}`]))
}

/** A comparison as JUnit XML: whether the runs can be compared, and one test case a gate. */
export function renderComparisonJunit(comparison: ComparisonDocument): string {
  const { baseline, current } = comparison
  const word = resultWord(comparison)
  const suite = `evals ${current.name ?? 'current'} against ${baseline.name ?? 'baseline'}`
  return junitText({
    name: `gatehouse: ${word}`,
    suite,
    createdAt: comparison.created_at,
    properties: [
      ['result', comparison.result],
      ['outcome', comparison.outcome],
      ['comparison_id', comparison.comparison_id],
      ['matched', String(comparison.questions.matched)],
      ['small_sample', String(comparison.small_sample)],
    ],
    cases: [evidenceCase(comparison), ...comparison.gates.map((gate) => gateCase(gate, comparison))],
    output: comparison.reasons.length === 0 ? null : [word, ...comparison.reasons].join('\n'),
  })
}

function evidenceCase({ result, reasons, questions }: ComparisonDocument): JunitCase {
  const name = 'comparable'
  if (result === 'report') return { name, result: 'skipped', message: 'no gate was asked for' }
  if (result !== 'incomparable') return { name, result: 'pass' }
  return {
    name,
    result: 'failure',
    type: result,
    message: reasons.join('; '),
    text: `${questions.matched} of ${questions.baseline} and ${questions.current} questions match`,
  }
}

function gateCase(gate: GateDocument, comparison: ComparisonDocument): JunitCase {
  const { drop, limit, interval } = gateFigures(gate)
  const text = `mean drop ${drop}, limit ${limit}, 95 % interval ${interval}`
  switch (gate.status) {
    case 'pass':
      return { name: gate.gate, result: 'pass' }
    case 'regression':
      return { name: gate.gate, result: 'failure', type: gate.status, message: `REGRESSION: ${text}`, text }
    case 'undecided': {
      const message = `INCONCLUSIVE: ${text}`
      // Neither green nor red, unless it counts as a failure.
      return comparison.on_inconclusive === 'fail'
        ? { name: gate.gate, result: 'failure', type: 'inconclusive', message, text }
        : { name: gate.gate, result: 'skipped', message }
    }
    case null:
      return {
        name: gate.gate,
        result: 'skipped',
        message: `not judged, as the runs are not comparable: ${text}`,
      }
  }
}
