import type { Listed } from '../replay/report.js'
import type { EvalRun } from './eval-run.js'
import type { Identity } from './identity.js'
import type { Interval } from './interval.js'
import type { OnInconclusive } from './scores.js'

/** The words of a comparison. Types only. */

export interface ComparisonRequest {
  readonly baseline: EvalRun
  readonly current: EvalRun
  readonly gates: Gates
  /** Fails where not both identities are the same; it asks for nothing else. */
  readonly strict: boolean
  readonly onInconclusive: OnInconclusive
}

/** null: not asked for. Limits are score points. */
export interface Gates {
  readonly maxContextDrop: number | null
  readonly maxLiftDrop: number | null
  readonly minMatched: number | null
}

export type GateName = 'max_context_drop' | 'max_lift_drop'

/** `report`: no gate was asked for, so nothing is claimed. */
export type ComparisonResult = 'report' | 'pass' | 'regression' | 'inconclusive' | 'incomparable'

export interface Comparison {
  readonly result: ComparisonResult
  /** null for a report. */
  readonly outcome: 'pass' | 'fail' | null
  readonly identity: { readonly answer: Identity; readonly judge: Identity }
  readonly questions: QuestionCounts
  /** Over the matched questions; nulls where none matches. */
  readonly means: { readonly baseline: Means; readonly current: Means }
  readonly gates: readonly GateResult[]
  /** Why the result is what it is, the reason that decides first. Empty for a plain report or pass. */
  readonly reasons: readonly string[]
}

/** Lists hold question ids by code point. */
export interface QuestionCounts {
  /** All questions of each side. */
  readonly baseline: number
  readonly current: number
  /** Scored on both sides. */
  readonly matched: number
  /** Scored there, and absent or not scored on the other side. */
  readonly onlyBaseline: Listed<string>
  readonly onlyCurrent: Listed<string>
  readonly unscoredBaseline: Listed<string>
  readonly unscoredCurrent: Listed<string>
}

/** Lift: the score with the context less the score without it. */
export interface Means {
  readonly context: number | null
  readonly lift: number | null
}

export interface GateResult {
  readonly gate: GateName
  readonly limit: number
  /** Mean of baseline - current over the matched questions; null where none matches. */
  readonly meanDrop: number | null
  readonly interval: Interval | null
  /** Whether the questions are so few that a bootstrap interval is known to be too short. */
  readonly smallSample: boolean
  /** null where the sides are not comparable: a gate that could not be judged must not read as passed. */
  readonly status: GateStatus | null
}

export type GateStatus = 'pass' | 'regression' | 'undecided'
