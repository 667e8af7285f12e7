import { type Static, Type } from 'typebox'
import { Document, Nullable, ProvenanceSchema, SeriesSchema, TimestampSchema } from './common.js'
import { PageSchema } from './page.js'

const runProperties = {
  run_id: Type.String(),
  created_at: TimestampSchema,
  trusted: Type.Boolean(),
  series: SeriesSchema,
  provenance: ProvenanceSchema,
  cadence: Nullable(Type.Enum(['nightly', 'weekly', 'regular', 'release'])),
  verdict_id: Nullable(Type.String()),
  outcome: Nullable(Type.Enum(['pass', 'fail'])),
}

/** A run in a list; cadence, verdict and outcome are null where the run came another way than by a submission. */
export const RunItemSchema = Document(runProperties)
export type RunItem = Static<typeof RunItemSchema>

export const RunPageSchema = PageSchema(RunItemSchema)
export type RunPage = Static<typeof RunPageSchema>

export const RunSchema = Document({
  ...runProperties,
  values: Type.Array(
    Document({
      metric_key: Type.String(),
      step: Type.Integer(),
      value: Type.Union([Type.Number(), Type.Enum(['NaN', 'Infinity', '-Infinity'])]),
      steps_key: Type.String(),
      constraint_key: Type.String(),
    }),
  ),
  revocations: Type.Array(
    Document({
      revocation_id: Type.String(),
      created_at: TimestampSchema,
      actor: Type.String(),
      reason: Type.String(),
      flipped: Type.Boolean({ description: 'whether this revocation made the run untrusted' }),
      undone: Type.Boolean(),
    }),
  ),
})
export type RunDocument = Static<typeof RunSchema>
