/**
 * The part of the contract that is about evals. Rows are only ever inserted: a deletion is a row of its own, since the
 * server's PostgreSQL role may delete nothing here, and since a baseline's name must never come to mean another run.
 */
import type { Timestamp } from '../gate/run.js'
import type { Page } from './lists.js'
import type { SubmissionKey } from './verdicts.js'

export interface EvalQueries {
  findEvalKey(key: SubmissionKey): Promise<EvalKeyEntry | null>

  findEvalVerdict(kind: EvalKind, evalId: string): Promise<StoredEvalVerdict | null>
  /** Of one kind, newest first. */
  listEvalVerdicts(kind: EvalKind, page: Page): Promise<EvalVerdictHead[]>
  /** The rows of a grid from this place on, in pieces as they were written: the first holds that place. At most `limit` pieces. */
  gridRows(evalId: string, position: number, limit: number): Promise<ItemPiece[]>

  /** The run of exactly this name, also one that was deleted. */
  findEvalRun(name: string): Promise<StoredEvalRun | null>
  /** All questions of an eval run, in pieces as they were written. */
  evalRunQuestions(evalRunId: string): Promise<ItemPiece[]>
  /** Runs that were not deleted, newest first. */
  listEvalRuns(page: Page): Promise<StoredEvalRun[]>
}

export interface EvalWrites {
  /** A grid brings its rows, a comparison none. The same `evalId` again changes nothing. */
  writeEvalVerdict(verdict: NewEvalVerdict, rows: readonly ItemPiece[]): Promise<void>
  /** An entry to a key that has none. */
  writeEvalKey(key: SubmissionKey, entry: EvalKeyEntry & { readonly createdAt: Timestamp }): Promise<void>
  /**
   * The run with its questions, unless its name is taken; waits for another transaction that is just taking it.
   * @returns whether it was written
   */
  writeEvalRun(run: NewEvalRun, questions: readonly ItemPiece[]): Promise<boolean>
  /** Deleting again changes nothing: the first deletion stands. */
  writeEvalRunDeletion(evalRunId: string, deletion: EvalRunDeletion): Promise<void>
}

export type EvalKind = 'grid' | 'comparison'

/** A part of a long list: a JSON array, and the place of its first item in the whole. */
export interface ItemPiece {
  readonly position: number
  readonly items: string
}

/** `head` and `detail` are JSON objects, which together are the document; kept to the byte. */
export interface NewEvalVerdict {
  readonly evalId: string
  readonly kind: EvalKind
  readonly createdAt: Timestamp
  /** As the client called it. */
  readonly name: string | null
  /** null where nothing was claimed. */
  readonly outcome: 'pass' | 'fail' | null
  readonly actor: string
  readonly head: string
  readonly detail: string
}

export interface EvalVerdictHead {
  readonly evalId: string
  readonly createdAt: Timestamp
  readonly head: string
}

export interface StoredEvalVerdict extends EvalVerdictHead {
  readonly detail: string
}

export interface EvalKeyEntry {
  readonly evalId: string
  /** SHA-256 (hex) of the request's content, to tell a retry from a conflict. */
  readonly contentHash: string
}

export interface NewEvalRun {
  readonly evalRunId: string
  readonly name: string
  readonly createdAt: Timestamp
  readonly actor: string
  /** SHA-256 (hex) of the run's content, to tell the same run from another under its name. */
  readonly contentHash: string
  /** All but the questions, as JSON text. */
  readonly head: string
  /** How many questions there are. */
  readonly questions: number
}

export interface StoredEvalRun extends NewEvalRun {
  readonly deleted: EvalRunDeletion | null
}

export interface EvalRunDeletion {
  readonly createdAt: Timestamp
  readonly actor: string
}
