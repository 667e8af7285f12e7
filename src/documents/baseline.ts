import { type Static, Type } from 'typebox'
import { Document, DoubleSchema, Nullable, TimestampSchema } from './common.js'

/** The newest trusted values of one coordinate, newest first. */
export const BaselineSchema = Document({
  values: Type.Array(Document({ run_id: Type.String(), created_at: TimestampSchema, value: Type.Number() })),
  n: Type.Integer(),
  mean: Nullable(Type.Number()),
  std: Nullable(DoubleSchema),
})
export type BaselineDocument = Static<typeof BaselineSchema>
