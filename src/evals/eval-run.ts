/** An eval run as it was sent. */
export interface EvalRun {
  readonly answerModel: Model
  readonly judge: Judge
  readonly questions: readonly Question[]
}

/** Texts as they were sent; null where there is none. */
export interface Model {
  readonly provider: string | null
  readonly model: string | null
}

export type Judge = ({ readonly kind: 'single' } & Model) | Panel

export interface Panel {
  readonly kind: 'panel'
  /** Each `provider/model`. */
  readonly members: readonly string[]
}

export interface Question {
  readonly questionId: string
  /** With the context under test. As it was sent: `"N/A"` is no score, and no fault. */
  readonly contextScore: unknown
  /** Without it. */
  readonly baselineScore: unknown
  readonly errored: boolean
  /** null where none were sent. */
  readonly votes: readonly Vote[] | null
}

/** What one member of a panel said. */
export interface Vote {
  readonly member: string
  readonly score: unknown
  /** null and undefined: none. */
  readonly error: unknown
}
