/**
 * The tables as both backends have them; their SQL stands in `sqlite/schema.ts` and `migrations-external/`.
 *
 * Times are handed over and read back as `Timestamp` text by the dialect's expressions, 64-bit GitHub ids as decimal
 * text; nothing reads such a column plainly, because a plain read would differ between the drivers.
 */
import type { ColumnType } from 'kysely'

/** A boolean: true and false in PostgreSQL, 1 and 0 in SQLite. Made by `Dialect.flag`, read by `Boolean(…)`. */
type Flag = ColumnType<boolean | number, boolean | number, boolean | number>

/** A 64-bit integer that exceeds what a double holds: bound as bigint, read through `asText`. */
type Wide = ColumnType<never, bigint | null, never>

/** Part of what other tools read and write: keep its plain shape. */
export interface RunsTable {
  run_id: string
  test_path: string
  backend: string
  suite: string
  commit_sha: string | null
  pr_number: number | null
  github_run_id: Wide
  github_run_attempt: number | null
  event_name: string | null
  ref: string | null
  created_at: string
  trusted: Flag
}

/** As `runs`. No constraint forbids two values of one coordinate in one run: existing databases may hold them. */
export interface MetricValuesTable {
  run_id: string
  metric_key: string
  steps_key: string | null
  constraint_key: string | null
  step: number
  /** Null is how SQLite keeps a NaN of another writer. */
  value: number | null
}

/** Verdicts never change: inserted once, deleted when they expire. */
export interface VerdictsTable {
  verdict_id: string
  created_at: string
  test_path: string
  backend: string
  suite: string
  commit_sha: string
  pr_number: number | null
  github_run_id: Wide
  github_run_attempt: number | null
  event_name: string | null
  ref: string | null
  cadence: string
  run_id: string | null
  trusted: Flag
  outcome: 'pass' | 'fail'
  failing_ci: number
  actor: string
  document: string
  declarations: string
}

/** The checks of one declared metric, as a JSON array. */
export interface VerdictChecksTable {
  verdict_id: string
  position: number
  metric_key: string
  checks: string
}

/** What came with an imported run. */
export interface ImportedRunsTable {
  run_id: string
  cadence: string | null
  declarations: string | null
}

export interface VerdictEvidenceTable {
  verdict_id: string
  run_id: string
}

export interface SubmissionKeysTable {
  owner: string
  key: string
  content_hash: string
  verdict_id: string
  created_at: string
  wrote_run: Flag
}

export interface RevocationsTable {
  revocation_id: string
  created_at: string
  actor: string
  reason: string
  /** The selector as JSON, for the record. */
  selector: string
  impact: string
}

/** Every run that a revocation covers, in the order it was told. */
export interface RevocationRunsTable {
  revocation_id: string
  run_id: string
  position: number
  flipped: Flag
}

/** A row of its own, not columns of the revocation: the server's PostgreSQL role may update nothing but trust. */
export interface RevocationUndosTable {
  revocation_id: string
  created_at: string
  actor: string
  reason: string
  /** The runs made trusted again, as a JSON array. */
  restored: string
}

/** Rows of tokens never change and never go. */
export interface ApiTokensTable {
  token_id: string
  name: string
  token_hash: string
  /** A JSON array. */
  scopes: string
  /** A JSON array; null where the token is not confined. */
  test_path_prefixes: string | null
  created_at: string
  created_by: string
  expires_at: string | null
}

export interface ApiTokenRevocationsTable {
  token_id: string
  created_at: string
  actor: string
}

/** One row a token and hour, counted from 1970. */
export interface ApiTokenUsesTable {
  token_id: string
  hour: number
  used_at: string
}

export interface SessionsTable {
  session_hash: string
  credential_hash: string
  created_at: string
  expires_at: string
}

export interface SessionEndsTable {
  session_hash: string
  ended_at: string
}

/** A grid's or a comparison's document in two parts, as JSON; rows never change and never go. */
export interface EvalVerdictsTable {
  eval_id: string
  kind: 'grid' | 'comparison'
  created_at: string
  name: string | null
  outcome: 'pass' | 'fail' | null
  actor: string
  head: string
  detail: string
}

/** Some rows of a grid, as a JSON array. */
export interface EvalGridRowsTable {
  eval_id: string
  position: number
  items: string
}

export interface EvalRunsTable {
  eval_run_id: string
  name: string
  created_at: string
  actor: string
  content_hash: string
  head: string
  questions: number
}

/** Some questions of an eval run, as a JSON array. */
export interface EvalRunQuestionsTable {
  eval_run_id: string
  position: number
  items: string
}

export interface EvalRunDeletionsTable {
  eval_run_id: string
  created_at: string
  actor: string
}

export interface EvalKeysTable {
  owner: string
  key: string
  content_hash: string
  eval_id: string
  created_at: string
}

export interface Tables {
  runs: RunsTable
  metric_values: MetricValuesTable
  verdicts: VerdictsTable
  verdict_checks: VerdictChecksTable
  verdict_evidence: VerdictEvidenceTable
  imported_runs: ImportedRunsTable
  submission_keys: SubmissionKeysTable
  revocations: RevocationsTable
  revocation_runs: RevocationRunsTable
  revocation_undos: RevocationUndosTable
  api_tokens: ApiTokensTable
  api_token_revocations: ApiTokenRevocationsTable
  api_token_uses: ApiTokenUsesTable
  sessions: SessionsTable
  session_ends: SessionEndsTable
  eval_verdicts: EvalVerdictsTable
  eval_grid_rows: EvalGridRowsTable
  eval_runs: EvalRunsTable
  eval_run_questions: EvalRunQuestionsTable
  eval_run_deletions: EvalRunDeletionsTable
  eval_keys: EvalKeysTable
}
