import type { Comparison, ComparisonRequest, Gates } from '../../src/evals/comparison.js'
import { compareRuns } from '../../src/evals/compare-runs.js'
import type { EvalRun, Question } from '../../src/evals/eval-run.js'
import { runToEnd } from '../../src/gate/slices.js'
import type { Fault, Outcome } from '../../src/gate/outcome.js'

export const NO_GATES: Gates = { maxContextDrop: null, maxLiftDrop: null, minMatched: null }

/** @param baseline 0 where none is given; undefined is a score that was not sent */
export function question(questionId: string, contextScore: unknown, ...baseline: [unknown?]): Question {
  const baselineScore = baseline.length === 0 ? 0 : baseline[0]
  return { questionId, contextScore, baselineScore, errored: false, votes: null }
}

/** A run of questions q1, q2, … with these scores (context, or context and baseline). */
export function runOf(scores: ReadonlyArray<unknown>, overrides: Partial<EvalRun> = {}): EvalRun {
  const pair = (score: unknown): [unknown, unknown] =>
    Array.isArray(score) ? (score as [unknown, unknown]) : [score, 0]
  return {
    answerModel: { provider: 'acme', model: 'm-1' },
    judge: { kind: 'single', provider: 'acme', model: 'j-1' },
    questions: scores.map((score, index) => question(`q${index + 1}`, ...pair(score))),
    ...overrides,
  }
}

export type Overrides = Partial<Omit<ComparisonRequest, 'gates'>> & { readonly gates?: Partial<Gates> }

export function compare(baseline: EvalRun, current: EvalRun, overrides: Overrides = {}): Outcome<Comparison> {
  const { gates, ...others } = overrides
  const request = {
    baseline,
    current,
    strict: false,
    onInconclusive: 'pass' as const,
    ...others,
    gates: { ...NO_GATES, ...gates },
  }
  return runToEnd(compareRuns(request))
}

export function valueOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.faults)}`)
  return outcome.value
}

export function faultsOf(outcome: Outcome<unknown>): readonly Fault[] {
  if (outcome.ok) throw new Error('was accepted')
  return outcome.faults
}

export function compared(baseline: EvalRun, current: EvalRun, overrides: Overrides = {}): Comparison {
  return valueOf(compare(baseline, current, overrides))
}
