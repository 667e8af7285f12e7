import { type Static, Type } from 'typebox'
import {
  Document,
  DoubleSchema,
  GithubIdSchema,
  Nullable,
  ProvenanceSchema,
  SeriesSchema,
  TimestampSchema,
} from './common.js'

/** The verdict as it is answered and stored: declared once, here; validation and OpenAPI follow. */

export const CheckSchema = Document({
  metric_key: Type.String(),
  step: Nullable(
    Type.Integer({ description: '-1 for "last", -2 for "mean"; null where nothing could be selected' }),
  ),
  at_step: Nullable(Type.Integer({ description: 'the step that the value came from' })),
  status: Type.Enum(['pass', 'fail', 'error', 'inactive']),
  value: Nullable(Type.Number()),
  baseline: Nullable(
    Document({
      n: Type.Integer(),
      mean: Nullable(Type.Number()),
      std: Nullable(DoubleSchema),
      lower: Nullable(DoubleSchema),
      upper: Nullable(DoubleSchema),
      runs: Nullable(Type.Array(Type.String())),
    }),
  ),
  limit: Nullable(Document({ min: Nullable(Type.Number()), max: Nullable(Type.Number()) })),
  enforce: Type.Boolean(),
  insufficient_history: Type.Boolean(),
  fails_ci: Type.Boolean(),
  steps_key: Type.String(),
  constraint_key: Type.String(),
  reason: Type.String(),
})
export type CheckDocument = Static<typeof CheckSchema>

export const CountsSchema = Document({
  checks: Type.Integer(),
  pass: Type.Integer(),
  fail: Type.Integer(),
  error: Type.Integer(),
  inactive: Type.Integer(),
  insufficient_history: Type.Integer(),
  failing_ci: Type.Integer(),
})

export const WarningSchema = Document({
  metric_key: Nullable(Type.String()),
  message: Type.String(),
  missing_steps: Nullable(Type.Array(Type.Integer())),
})

const ClaimsSchema = Document(
  {
    repository: Nullable(Type.String()),
    sha: Nullable(Type.String()),
    ref: Nullable(Type.String()),
    event_name: Nullable(Type.String()),
    run_id: Nullable(GithubIdSchema),
    run_attempt: Nullable(Type.Integer()),
    on_behalf: Type.Boolean({ description: 'the job submitted the record of another run' }),
  },
  'what the identity token of the submitting job says; null for every other credential',
)

const headProperties = {
  verdict_id: Nullable(Type.String()),
  created_at: TimestampSchema,
  series: SeriesSchema,
  provenance: ProvenanceSchema,
  claims: Nullable(ClaimsSchema),
  cadence: Type.Enum(['nightly', 'weekly', 'regular', 'release']),
  run_id: Nullable(Type.String()),
  trusted: Type.Boolean(),
  outcome: Type.Enum(['pass', 'fail']),
  counts: CountsSchema,
  evidence: Document({ runs: Type.Array(Type.String()) }),
  undeclared_metrics: Type.Array(Type.String()),
  warnings: Type.Array(WarningSchema),
}

/** A verdict in a list: all but its checks. */
export const VerdictHeadSchema = Document(headProperties)
export type VerdictHead = Static<typeof VerdictHeadSchema>

export const VerdictSchema = Document({ ...headProperties, checks: Type.Array(CheckSchema) })
export type VerdictDocument = Static<typeof VerdictSchema>
