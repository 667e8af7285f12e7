import { type Static, type TSchema, Type } from 'typebox'
import { Document, Nullable, SeriesSchema } from './common.js'
import { VerdictHeadSchema } from './verdict.js'

/** A page of a list; `next_cursor` is null on the last one. */
export function PageSchema<S extends TSchema>(item: S) {
  return Document({ items: Type.Array(item), next_cursor: Nullable(Type.String()) })
}

/** Did any gate of this workflow run fail? Per series only the highest attempt, and of that the newest verdict, counts. */
export const OverallSchema = Document({
  outcome: Type.Enum(['pass', 'fail', 'none']),
  verdicts: Type.Integer({ description: 'how many verdicts count: one a series' }),
  failing: Type.Array(
    Document({ verdict_id: Type.String(), series: SeriesSchema, failing_ci: Type.Integer() }),
  ),
})
export type OverallDocument = Static<typeof OverallSchema>

export const VerdictPageSchema = Document({
  items: Type.Array(VerdictHeadSchema),
  next_cursor: Nullable(Type.String()),
  overall: Type.Optional(OverallSchema),
})
export type VerdictPage = Static<typeof VerdictPageSchema>
