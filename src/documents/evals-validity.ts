import { type Static, Type } from 'typebox'
import { Document, Nullable } from './common.js'

export const JudgeValiditySchema = Document({
  result: Type.Enum(['valid', 'invalid', 'inconclusive']),
  outcome: Type.Enum(['pass', 'fail']),
  n: Type.Integer(),
  agreement: Type.Number({ description: 'the part of the items with equal labels' }),
  interval: Type.Array(Type.Number(), {
    minItems: 2,
    maxItems: 2,
    description: '[low, high] of the agreement, by Wilson',
  }),
  kappa: Nullable(
    Type.Number({ description: "Cohen's kappa; null where both gave one and the same label only" }),
  ),
  min_agreement: Type.Number(),
  confidence: Type.Number(),
  on_inconclusive: Type.Enum(['pass', 'fail']),
})
export type JudgeValidityDocument = Static<typeof JudgeValiditySchema>
