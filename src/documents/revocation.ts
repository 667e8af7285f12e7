import { type Static, Type } from 'typebox'
import { Document, Nullable, SeriesSchema, TimestampSchema } from './common.js'
import { PageSchema } from './page.js'

export const ImpactSchema = Document({
  coordinates: Type.Array(
    Document({
      series: SeriesSchema,
      metric_key: Type.String(),
      step: Type.Integer(),
      n_before: Type.Integer(),
      n_after: Type.Integer(),
      effect: Type.Enum(['cold', 'below_minimum']),
    }),
    { description: 'at most 100; cold ones first' },
  ),
  coordinates_total: Type.Integer(),
  verdicts: Type.Array(
    Document({
      verdict_id: Type.String(),
      created_at: TimestampSchema,
      series: SeriesSchema,
      outcome: Type.Enum(['pass', 'fail']),
    }),
    { description: 'at most 100, newest first' },
  ),
  verdicts_total: Type.Integer(),
})
export type ImpactDocument = Static<typeof ImpactSchema>

export const RevocationSchema = Document({
  revocation_id: Nullable(Type.String({ description: 'null for a dry run' })),
  dry_run: Type.Boolean(),
  revoked: Type.Integer({ description: 'how many runs were changed' }),
  run_ids: Type.Array(Type.String(), { description: 'the runs changed' }),
  matched_run_ids: Type.Array(Type.String(), { description: 'every run that matched' }),
  created_at: TimestampSchema,
  actor: Type.String(),
  reason: Type.String(),
  undone: Nullable(Document({ created_at: TimestampSchema, actor: Type.String(), reason: Type.String() })),
  impact: ImpactSchema,
})
export type RevocationDocument = Static<typeof RevocationSchema>

export const RevocationPageSchema = PageSchema(RevocationSchema)
export type RevocationPage = Static<typeof RevocationPageSchema>

export const UndoSchema = Document({
  revocation_id: Type.String(),
  restored: Type.Integer(),
  run_ids: Type.Array(Type.String()),
  not_restored: Type.Array(Document({ run_id: Type.String(), revocation_id: Type.String() }), {
    description: 'runs held back by another standing revocation',
  }),
})
export type UndoDocument = Static<typeof UndoSchema>
