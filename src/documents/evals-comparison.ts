import { type Static, Type } from 'typebox'
import { Document, DoubleSchema, Nullable, TimestampSchema } from './common.js'
import { PageSchema } from './page.js'

const IdentitySchema = Type.Enum(['same', 'different', 'not_recorded'])

const MeansSchema = Document({
  context: Nullable(DoubleSchema),
  lift: Nullable(DoubleSchema),
})

const GateSchema = Document({
  gate: Type.Enum(['max_context_drop', 'max_lift_drop']),
  limit: Type.Number({ description: 'score points' }),
  mean_drop: Nullable(DoubleSchema),
  ci95: Nullable(Type.Array(DoubleSchema, { minItems: 2, maxItems: 2, description: '[low, high]' })),
  method: Nullable(Type.Enum(['bootstrap', 'normal', 'mean'], { description: 'how ci95 was found' })),
  small_sample: Type.Boolean({
    description: 'fewer than 15 questions match: a bootstrap interval is known to be too short',
  }),
  status: Nullable(
    Type.Enum(['pass', 'regression', 'undecided'], {
      description: 'null where the runs are not comparable: a gate that was not judged has not passed',
    }),
  ),
})
export type GateDocument = Static<typeof GateSchema>

const RunRefSchema = Document(
  {
    name: Nullable(Type.String({ description: 'null where the run came with the request' })),
    questions: Type.Integer(),
  },
  'which run it was',
)

const headProperties = {
  result: Type.Enum(['pass', 'regression', 'inconclusive', 'incomparable', 'report'], {
    description: 'report: no gate was asked for, and nothing is claimed',
  }),
  outcome: Nullable(Type.Enum(['pass', 'fail'], { description: 'null for a report' })),
  comparison_id: Type.String(),
  created_at: TimestampSchema,
  baseline: RunRefSchema,
  current: RunRefSchema,
  strict: Type.Boolean(),
  on_inconclusive: Type.Enum(['pass', 'fail']),
  min_matched: Nullable(Type.Integer({ description: 'questions that must match; null without a gate' })),
  identity: Document({ answer: IdentitySchema, judge: IdentitySchema }),
  means: Document({ baseline: MeansSchema, current: MeansSchema }, 'over the matched questions'),
  gates: Type.Array(GateSchema),
  small_sample: Type.Boolean({ description: 'fewer than 15 questions match' }),
  reasons: Type.Array(Type.String(), {
    description: 'why the result is what it is; what decides comes first',
  }),
}

/** A comparison in a list: all but its questions. */
export const ComparisonHeadSchema = Document(headProperties)
export type ComparisonHead = Static<typeof ComparisonHeadSchema>

function ids(what: string) {
  return Type.Array(Type.String(), { description: `${what}; by code point, the first list_limit` })
}

const detailProperties = {
  questions: Document({
    baseline: Type.Integer({ description: 'all questions of the baseline' }),
    current: Type.Integer({ description: 'all questions of the current run' }),
    matched: Type.Integer({ description: 'scored on both sides' }),
    only_baseline: ids('scored in the baseline, and absent or not scored in the current run'),
    only_baseline_total: Type.Integer(),
    only_current: ids('scored in the current run, and absent or not scored in the baseline'),
    only_current_total: Type.Integer(),
    unscored_baseline: ids('not scored in the baseline'),
    unscored_baseline_total: Type.Integer(),
    unscored_current: ids('not scored in the current run'),
    unscored_current_total: Type.Integer(),
  }),
  list_limit: Type.Integer({ description: 'entries that each list of questions holds at most' }),
}
export const ComparisonDetailSchema = Document(detailProperties)
export type ComparisonDetail = Static<typeof ComparisonDetailSchema>

export const ComparisonSchema = Document({ ...headProperties, ...detailProperties })
export type ComparisonDocument = Static<typeof ComparisonSchema>

export const ComparisonPageSchema = PageSchema(ComparisonHeadSchema)
export type ComparisonPage = Static<typeof ComparisonPageSchema>
