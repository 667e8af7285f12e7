import type { Fault } from '../gate/outcome.js'
import type { ProblemCode } from '../errors.js'

/** What a thread is asked, and what it says to that. */
export interface Asked<Question> {
  readonly id: number
  readonly question: Question
}

export type Told<Answer> = { readonly id: number } & (
  { readonly answer: Answer } | { readonly refusal: Refusal } | { readonly error: string }
)

/** A `GatehouseError` on its way out of a thread: what is cloned there loses its class. */
export interface Refusal {
  readonly code: ProblemCode
  readonly detail: string
  readonly faults: readonly Fault[]
}
