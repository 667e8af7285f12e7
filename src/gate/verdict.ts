import type { Declaration } from './declarations.js'
import { judgeByBand, judgeByLimit, type Corridor } from './evaluate.js'
import { reasonForBand, reasonForLimit } from './reasons.js'
import type { History, Plan } from './plan.js'
import type { Baseline } from './run.js'
import type { SelectedValue } from './selection.js'
import { gatherEvidence, type Evidence } from './evidence.js'
import { SLICE, type Sliced } from './slices.js'
import { collectWarnings, type Warning } from './warnings.js'

/** The judgement of one coordinate. */
export interface Check {
  readonly declaration: Declaration
  readonly status: 'pass' | 'fail' | 'error' | 'inactive'
  /** null for an `error`: nothing could be selected. */
  readonly selected: SelectedValue | null
  /** null for an `error` and for a `hard_ref`. */
  readonly corridor: Corridor | null
  /** The baseline's runs where they are not simply the first n of the verdict's evidence. */
  readonly baselineRuns: readonly string[] | null
  readonly insufficientHistory: boolean
  readonly failsCi: boolean
  readonly reason: string
}

/** All checks of one run, in the order of declaration, then of selection. */
export interface Verdict {
  readonly checks: readonly Check[]
  readonly trusted: boolean
  readonly outcome: 'pass' | 'fail'
  /** The runs that the baselines were read from, newest first. */
  readonly evidence: readonly string[]
  readonly undeclaredMetrics: readonly string[]
  readonly warnings: readonly Warning[]
}

/**
 * The verdict: a pure function of declarations, record and baselines.
 * @param minimum trusted values that a failing band needs to fail CI (ENFORCE_MIN_HISTORY), counted per coordinate
 */
export function* judge(plan: Plan, history: History, minimum: number): Sliced<Verdict> {
  // So much history has just been read in one go.
  if (plan.checks > SLICE) yield
  const evidence = gatherEvidence(history.baselines)
  const checks: Check[] = []
  let next = 0
  for (const { declaration, selection } of plan.declarations) {
    if (!selection.ok) checks.push(errorCheck(declaration, selection.reason))
    else {
      for (const selected of selection.values) {
        const { rule } = declaration
        if (rule.kind === 'hard_ref') {
          const status = judgeByLimit(rule, selected.value)
          checks.push({
            declaration,
            status,
            selected,
            corridor: null,
            baselineRuns: null,
            insufficientHistory: false,
            failsCi: declaration.enforce && status === 'fail',
            reason: reasonForLimit(rule, selected.value, status),
          })
        } else
          checks.push(bandCheck(declaration, rule, selected, history.baselines[next++]!, evidence, minimum))
        if (checks.length % SLICE === 0) yield
      }
    }
  }
  return {
    checks,
    // Enforcement plays no part: a failing check makes the run untrusted whatever it may do to CI.
    trusted: checks.every(({ status }) => status === 'pass' || status === 'inactive'),
    outcome: checks.some(({ failsCi }) => failsCi) ? 'fail' : 'pass',
    evidence: evidence.runs,
    undeclaredMetrics: plan.undeclaredMetrics,
    warnings: collectWarnings(plan, history, checks),
  }
}

function errorCheck(declaration: Declaration, reason: string): Check {
  return {
    declaration,
    status: 'error',
    selected: null,
    corridor: null,
    baselineRuns: null,
    insufficientHistory: false,
    failsCi: declaration.enforce,
    reason,
  }
}

function bandCheck(
  declaration: Declaration,
  rule: Declaration['rule'] & { kind: 'band' },
  selected: SelectedValue,
  baseline: Baseline,
  evidence: Evidence,
  minimum: number,
): Check {
  const { status, corridor } = judgeByBand(rule, selected.value, baseline.values)
  return {
    declaration,
    status,
    selected,
    corridor,
    baselineRuns: evidence.runsUnlessFirst(baseline),
    insufficientHistory: status !== 'inactive' && corridor.n < minimum,
    failsCi: declaration.enforce && status === 'fail' && corridor.n >= minimum,
    reason: reasonForBand(status, selected.value, corridor, minimum),
  }
}
