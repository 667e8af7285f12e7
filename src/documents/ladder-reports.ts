import { type Static, Type } from 'typebox'
import { Document, Nullable } from './common.js'
import { LiveSchema, RungCheckSchema, RungSchema, TransitionSchema } from './ladder.js'

const SideSchema = Document({ variant: Type.String(), episode_id: Type.String() })

export const BracketSchema = Document({
  comparisons: Type.Array(
    Document({
      comparison_id: Type.String(),
      a: SideSchema,
      b: SideSchema,
      winner: Nullable(Type.Enum(['a', 'b', 'tie', 'error'])),
    }),
  ),
})
export type BracketDocument = Static<typeof BracketSchema>

export const LadderTestSchema = Document(
  {
    variant: Type.String(),
    against: Type.String({ description: 'the version that it is, or was last, compared with' }),
    generation: Type.Integer({ description: 'under which the comparisons were issued' }),
    kind: Type.Enum(['mixture', 'sprt']),
    wins: Type.Integer(),
    losses: Type.Integer(),
    ties: Type.Integer(),
    errors: Type.Integer(),
    statistic: Type.Number(),
    futility_statistic: Nullable(Type.Number({ description: 'null for sprt, which has one statistic' })),
    accept_at: Type.Number(),
    reject_at: Type.Number(),
    decision: Type.Enum(['accept', 'reject', 'continue']),
    decided_at: Nullable(Type.Integer({ description: 'the decisive comparisons by then' })),
    trajectory: Type.Array(
      Type.Unsafe<readonly [number, number]>({
        type: 'array',
        items: { type: 'number' },
        minItems: 2,
        maxItems: 2,
      }),
      { description: 'after each decisive comparison how many there were, and the statistic' },
    ),
  },
  'statistics and boundaries are natural logarithms',
)
export type LadderTestDocument = Static<typeof LadderTestSchema>

export const ResultTakenSchema = Document({
  test: Nullable(LadderTestSchema),
  transitions: Type.Array(TransitionSchema),
  live: LiveSchema,
})
export type ResultTakenDocument = Static<typeof ResultTakenSchema>

export const EvaluationSchema = Document({
  transitions: Type.Array(TransitionSchema),
  checks: Type.Array(RungCheckSchema, { description: 'what keeps each variant from its next rung' }),
  live: LiveSchema,
})
export type EvaluationDocument = Static<typeof EvaluationSchema>

export const OverrideSchema = Document({
  variant: Type.String(),
  rung: RungSchema,
  transitions: Type.Array(TransitionSchema),
  live: LiveSchema,
})
export type OverrideDocument = Static<typeof OverrideSchema>

export const AssignmentSchema = Document({
  version: Type.String(),
  rung: RungSchema,
  generation: Type.Integer(),
})
export type AssignmentDocument = Static<typeof AssignmentSchema>

export const StrengthsSchema = Document({
  connected: Type.Boolean({
    description: 'whether comparisons link all variants, directly or through others',
  }),
  finite: Type.Boolean({ description: 'whether all differences have finite estimates' }),
  components: Type.Array(Type.Array(Type.String())),
  strengths: Type.Array(
    Document({
      variant: Type.String(),
      class: Type.Integer({ description: 'variants of one class can be measured against each other' }),
      value: Nullable(Type.Number({ description: 'a natural logarithm; mean 0 over the class' })),
      standard_error: Nullable(Type.Number()),
      lower: Nullable(Type.Number({ description: 'of the 95 % interval' })),
      upper: Nullable(Type.Number()),
    }),
  ),
})
export type StrengthsDocument = Static<typeof StrengthsSchema>
