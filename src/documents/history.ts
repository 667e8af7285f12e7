import { type Static, Type } from 'typebox'
import { Document, DoubleSchema, GithubIdSchema, Nullable, TimestampSchema } from './common.js'
import { DeclarationSchema } from './declaration.js'
import { PageSchema } from './page.js'

export const SeriesItemSchema = Document({
  test_path: Type.String(),
  backend: Type.String(),
  suite: Type.String(),
  runs: Type.Integer(),
  trusted_runs: Type.Integer(),
  last_run: Document({ run_id: Type.String(), created_at: TimestampSchema, trusted: Type.Boolean() }),
  last_outcome: Nullable(
    Type.Enum(['pass', 'fail'], { description: 'null where the run came another way than by a submission' }),
  ),
})
export type SeriesItem = Static<typeof SeriesItemSchema>
export const SeriesPageSchema = PageSchema(SeriesItemSchema)
export type SeriesPage = Static<typeof SeriesPageSchema>

export const CoordinateItemSchema = Document({
  metric_key: Type.String(),
  steps: Type.Array(Type.Integer(), { description: '-1 for "last", -2 for "mean"' }),
  values: Type.Integer({ description: 'how many values the series holds of this metric' }),
  declaration: Nullable(DeclarationSchema),
})
export type CoordinateItem = Static<typeof CoordinateItemSchema>
export const CoordinatePageSchema = PageSchema(CoordinateItemSchema)
export type CoordinatePage = Static<typeof CoordinatePageSchema>

/** A stored value with what the run's own verdict said of it; null where that is not known. */
export const HistoryPointSchema = Document({
  run_id: Type.String(),
  created_at: TimestampSchema,
  commit_sha: Nullable(Type.String()),
  github_run_id: Nullable(GithubIdSchema),
  trusted: Type.Boolean(),
  step: Type.Integer(),
  value: DoubleSchema,
  status: Nullable(Type.Enum(['pass', 'fail', 'error', 'inactive'])),
  mean: Nullable(Type.Number()),
  lower: Nullable(DoubleSchema),
  upper: Nullable(DoubleSchema),
})
export type HistoryPointDocument = Static<typeof HistoryPointSchema>
export const HistoryPageSchema = PageSchema(HistoryPointSchema)
export type HistoryPage = Static<typeof HistoryPageSchema>
