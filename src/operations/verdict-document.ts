import type { CheckDocument, VerdictDocument, VerdictHead } from '../documents/verdict.js'
import { fromJson, toJson, wireDouble } from '../documents/json.js'
import type { Cadence, Provenance, Series, Timestamp } from '../gate/run.js'
import { SLICE, type Sliced } from '../gate/slices.js'
import type { Check, Verdict } from '../gate/verdict.js'
import type { Job } from '../policy/provenance.js'
import type { NewVerdict, StoredVerdict } from '../store/verdicts.js'
import { encodeClaims, encodeProvenance, encodeSeries } from './encode.js'

/** What a verdict is told about besides its checks. */
export interface VerdictFacts {
  readonly verdictId: string | null
  readonly runId: string | null
  readonly createdAt: Timestamp
  readonly series: Series
  readonly provenance: Provenance
  readonly job: Job | null
  readonly cadence: Cadence
}

/** The verdict as it is stored, answered and rendered. */
export function* verdictDocument(facts: VerdictFacts, verdict: Verdict): Sliced<VerdictDocument> {
  const checks: CheckDocument[] = []
  for (const check of verdict.checks) {
    checks.push(checkDocument(check))
    if (checks.length % SLICE === 0) yield
  }
  return {
    verdict_id: facts.verdictId,
    created_at: facts.createdAt,
    series: encodeSeries(facts.series),
    provenance: encodeProvenance(facts.provenance),
    claims: facts.job && encodeClaims(facts.job),
    cadence: facts.cadence,
    run_id: facts.runId,
    trusted: verdict.trusted,
    outcome: verdict.outcome,
    counts: countsOf(checks),
    evidence: { runs: [...verdict.evidence] },
    undeclared_metrics: [...verdict.undeclaredMetrics],
    warnings: verdict.warnings.map(({ metricKey, message, missingSteps }) => ({
      metric_key: metricKey,
      message,
      missing_steps: missingSteps === null ? null : [...missingSteps],
    })),
    // Last, as in a verdict that is read back: what a person looks for first stands before them.
    checks,
  }
}

/** The verdict as it was stored. */
export function documentOf({ document, checks }: StoredVerdict): VerdictDocument {
  return {
    ...headOf(document),
    checks: checks.flatMap((piece) => JSON.parse(piece) as VerdictDocument['checks']),
  }
}

/** A stored verdict without its checks. */
export function headOf(document: string): VerdictHead {
  return fromJson(document) as VerdictHead
}

/** The checks as the store keeps them: one piece a declaration, in order. No metric is declared twice. */
export function* checkPieces(checks: readonly CheckDocument[]): Sliced<NewVerdict['checks']> {
  const pieces: Array<{ metricKey: string; checks: string }> = []
  for (let begin = 0; begin < checks.length;) {
    const metricKey = checks[begin]!.metric_key
    const texts: string[] = []
    let end = begin
    while (checks[end]?.metric_key === metricKey) {
      while (checks[end]?.metric_key === metricKey && end - begin < SLICE) end++
      texts.push(JSON.stringify(checks.slice(begin, end)))
      begin = end
      if (checks.length > SLICE) yield
    }
    pieces.push({ metricKey, checks: joinArrays(texts) })
  }
  return pieces
}

/** One JSON array of several. A single one stays as it is: what is put around a long text costs a copy of it. */
function joinArrays([first = '[]', ...others]: readonly string[]): string {
  if (others.length === 0) return first
  const last = others.length - 1
  const rest = others.map((text, index) => text.slice(1, index === last ? undefined : -1))
  return [first.slice(0, -1), ...rest].join(',')
}

/** The verdict as JSON, from the text of its checks: the texts one behind the other, as together they are long. */
export function verdictTexts(
  { checks: _checks, ...head }: VerdictDocument,
  pieces: NewVerdict['checks'],
): string[] {
  const lists = pieces.flatMap(({ checks }, index) => [index === 0 ? '' : ',', checks.slice(1, -1)])
  return [`${toJson(head).slice(0, -1)},"checks":[`, ...lists, ']}']
}

function checkDocument(check: Check): CheckDocument {
  const { declaration, selected, corridor } = check
  const { rule } = declaration
  return {
    metric_key: declaration.metricKey,
    step: selected?.step ?? null,
    at_step: selected?.atStep ?? null,
    status: check.status,
    value: selected?.value ?? null,
    baseline: corridor && {
      n: corridor.n,
      mean: corridor.mean,
      std: wire(corridor.std),
      lower: wire(corridor.lower),
      upper: wire(corridor.upper),
      runs: check.baselineRuns && [...check.baselineRuns],
    },
    limit: rule.kind === 'hard_ref' ? { min: rule.min, max: rule.max } : null,
    enforce: declaration.enforce,
    insufficient_history: check.insufficientHistory,
    fails_ci: check.failsCi,
    steps_key: declaration.stepsKey,
    constraint_key: declaration.constraintKey,
    reason: check.reason,
  }
}

function wire(value: number | null) {
  return value === null ? null : wireDouble(value)
}

function countsOf(checks: readonly CheckDocument[]): VerdictDocument['counts'] {
  const counts = {
    checks: checks.length,
    pass: 0,
    fail: 0,
    error: 0,
    inactive: 0,
    insufficient_history: 0,
    failing_ci: 0,
  }
  for (const check of checks) {
    counts[check.status]++
    if (check.insufficient_history) counts.insufficient_history++
    if (check.fails_ci) counts.failing_ci++
  }
  return counts
}
