import { type Static, Type } from 'typebox'
import { Document, Nullable, TimestampSchema } from './common.js'
import { PageSchema } from './page.js'

const model = { provider: Nullable(Type.String()), model: Nullable(Type.String()) }
export const ModelSchema = Document(model)
export const JudgeSchema = Type.Union([
  Document({ kind: Type.Enum(['single']), ...model }),
  Document({ kind: Type.Enum(['panel']), members: Type.Array(Type.String()) }),
])

const headProperties = {
  name: Type.String(),
  created_at: TimestampSchema,
  created_by: Type.String(),
  answer_model: ModelSchema,
  judge: JudgeSchema,
  question_count: Type.Integer(),
  scored: Type.Integer({ description: 'questions that count in a comparison' }),
}

/** An eval run in a list, and as an answer to who stored it: all but its questions. */
export const EvalRunHeadSchema = Document(headProperties)
export type EvalRunHead = Static<typeof EvalRunHeadSchema>

const ScoreSchema = Type.Unknown({ description: 'as it was sent; null where there was none' })

export const QuestionSchema = Document({
  question_id: Type.String(),
  context_score: ScoreSchema,
  baseline_score: ScoreSchema,
  errored: Type.Boolean(),
  votes: Nullable(Type.Array(Document({ member: Type.String(), score: ScoreSchema, error: ScoreSchema }))),
})
export type QuestionDocument = Static<typeof QuestionSchema>

export const EvalRunSchema = Document({ ...headProperties, questions: Type.Array(QuestionSchema) })
export type EvalRunDocument = Static<typeof EvalRunSchema>

export const EvalRunPageSchema = PageSchema(EvalRunHeadSchema)
export type EvalRunPage = Static<typeof EvalRunPageSchema>
