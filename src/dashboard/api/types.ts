/** The documents of the API as the page reads them: the server's own types. */
import type { Static } from 'typebox'
import type { ProvenanceSchema, SeriesSchema } from '../../documents/common'

export type {
  CoordinateItem,
  HistoryPointDocument as HistoryPoint,
  SeriesItem,
} from '../../documents/history'
export type { ReplayDocument as Replay } from '../../documents/replay'
export type {
  ImpactDocument as Impact,
  RevocationDocument as Revocation,
  UndoDocument as Undo,
} from '../../documents/revocation'
export type { RunDocument as Run, RunItem } from '../../documents/run'
export type { CheckDocument as Check, VerdictDocument as Verdict, VerdictHead } from '../../documents/verdict'
export type { DeclarationDocument as Declaration } from '../../documents/declaration'
export type {
  ComparisonDocument as Comparison,
  ComparisonHead,
  GateDocument as Gate,
} from '../../documents/evals-comparison'
export type { GridDocument as Grid, GridHead, GridRowDocument as GridRow } from '../../documents/evals-grid'
export type { EvalRunDocument as EvalRun, QuestionDocument as Question } from '../../documents/evals-run'
export type {
  LadderDocument as Ladder,
  LoggedCheckDocument as LoggedCheck,
  PredicateDocument as Predicate,
  TransitionDocument as Transition,
  VariantDocument as Variant,
} from '../../documents/ladder'
export type {
  LadderTestDocument as LadderTest,
  StrengthsDocument as Strengths,
} from '../../documents/ladder-reports'
export type { FailingCandidateDocument as FailingCandidate } from '../../documents/replay'
export type { Double } from '../../documents/common'
export type { Scope } from '../../policy/scopes'

export type Series = Static<typeof SeriesSchema>
export type Provenance = Static<typeof ProvenanceSchema>

/** RFC 9457, as every refusal is told. */
export interface Problem {
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly errors: ReadonlyArray<{ readonly where: string; readonly message: string }>
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly next_cursor: string | null
}
