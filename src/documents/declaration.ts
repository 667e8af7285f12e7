import { type Static, Type } from 'typebox'
import { Document, Nullable } from './common.js'

const LimitSchema = Document({ min: Nullable(Type.Number()), max: Nullable(Type.Number()) })

/** A declaration after validation and defaults. Exactly one of `constraint` and `hard_ref` is not null. */
export const DeclarationSchema = Document({
  metric_key: Type.String(),
  steps: Type.Union([Type.Enum(['last', 'all', 'mean']), Type.Array(Type.Integer())]),
  constraint: Nullable(Type.Record(Type.String(), Type.Number())),
  hard_ref: Nullable(LimitSchema),
  enforce: Type.Boolean(),
  steps_key: Type.String(),
  constraint_key: Type.String(),
  line: Nullable(Type.Integer({ description: 'the line in the test file; null for JSON declarations' })),
})
export type DeclarationDocument = Static<typeof DeclarationSchema>

export const ParsedDeclarationsSchema = Document({
  declarations: Type.Array(DeclarationSchema),
  capture_keys: Type.Array(Type.String(), {
    description:
      'what a collector must record: the keys of the defaults table and the declared ones, by code point',
  }),
  warnings: Type.Array(Document({ where: Type.String(), message: Type.String() }), {
    description: 'calls that look like gates and declare none; the first hundred',
  }),
})
export type ParsedDeclarationsDocument = Static<typeof ParsedDeclarationsSchema>
