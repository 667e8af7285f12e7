import { type Static, type TSchema, Type } from 'typebox'
import { MAX_TEXT } from '../../gate/identity.js'
import { MAX_METRIC_KEY } from '../../gate/text.js'
import { Absent, Body } from './fields.js'

/**
 * Bodies of the eval routes. Their lists may be long: what is around a list is held to one schema, and each item to
 * another, so that the work can pause, and so that a list of a million faults costs no more than one of a hundred.
 */

/** Rows of a grid, questions of a run. */
export const MAX_ITEMS = 200_000
/** Tasks or harnesses of a plan. */
export const MAX_NAMES = 50_000
/** Items of a judge's check. */
export const MAX_LABELLED = 100_000
export const MAX_MEMBERS = 100

function name(description: string) {
  return Type.String({ format: 'name', maxLength: MAX_METRIC_KEY, description })
}

/** Text that may be blank: who answered or judged is data, and a blank one is not recorded. */
function words(description: string) {
  return Type.String({ format: 'storable', maxLength: MAX_TEXT, description })
}

/** A list in the OpenAPI document, whose items are validated by themselves. */
function list<S extends TSchema>(items: S, maxItems: number, description: string) {
  return Type.Array(items, { maxItems, description })
}

/** The same as the body is validated: whatever the items are. */
function anyList(maxItems: number) {
  return Type.Array(Type.Unknown(), { maxItems })
}

export const NameField = name('a name: 1 to 512 characters')

const OnInconclusiveField = Absent(
  Type.Enum(['pass', 'fail'], { description: 'what an inconclusive result counts as; pass by default' }),
)
// ---- grids ----

const plan = {
  repeats: Absent(Type.Integer({ minimum: 1, description: 'how often each pair is run; 1 by default' })),
  dry_run: Absent(Type.Boolean({ description: 'nothing was to be scored' })),
}
const gridFields = {
  name: Absent(name('what the grid is called')),
  reward_range: Absent(
    Body({ min: Type.Number(), max: Type.Number() }, 'rewards outside are unscored; both ends are inside'),
  ),
  pass_threshold: Absent(Type.Number({ description: 'the reward that counts as passed; 1 by default' })),
}

export const GridRowField = Body({
  task: name('a task of the plan'),
  harness: name('a harness of the plan'),
  repeat: Absent(Type.Integer({ description: 'from 1, which is the default' })),
  reward: Type.Optional(Type.Unknown({ description: 'a number; anything else is kept and unscored' })),
  error: Type.Optional(Type.Unknown({ description: 'what went wrong; null where nothing did' })),
  dry_run: Absent(Type.Boolean()),
  metrics: Absent(Type.Unsafe<object>({ type: 'object', description: 'kept with the row' })),
})
export type GridRowFields = Static<typeof GridRowField>

export const GridBodySchema = Body({
  ...gridFields,
  plan: Body({
    tasks: list(NameField, MAX_NAMES, 'each once'),
    harnesses: list(NameField, MAX_NAMES, 'each once'),
    ...plan,
  }),
  results: list(GridRowField, MAX_ITEMS, 'a row for each cell that was run'),
})
export const GridFieldsSchema = Body({
  ...gridFields,
  plan: Body({ tasks: anyList(MAX_NAMES), harnesses: anyList(MAX_NAMES), ...plan }, 'what was to be run'),
  results: anyList(MAX_ITEMS),
})

// ---- eval runs ----

const model = { provider: Absent(words('who serves the model')), model: Absent(words('which model')) }
const kind = Absent(Type.Enum(['single', 'panel'], { description: 'single by default' }))
const answerModel = Absent(Body(model, 'what answered; blank or unknown is not recorded'))

export const VoteField = Body({
  member: words('a member of the panel'),
  score: Type.Optional(Type.Unknown({ description: 'a number; anything else is no vote' })),
  error: Type.Optional(Type.Unknown({ description: 'why there is no score' })),
})
export type VoteFields = Static<typeof VoteField>

const question = {
  question_id: name('an id that is the same in every run'),
  context_score: Type.Optional(Type.Unknown({ description: 'with the context under test' })),
  baseline_score: Type.Optional(Type.Unknown({ description: 'without it' })),
  errored: Absent(Type.Boolean()),
}
export const QuestionField = Body({ ...question, votes: Absent(Type.Array(Type.Unknown())) })
export type QuestionFields = Static<typeof QuestionField>

export const MemberField = words('a member of the panel, as provider/model')

export const EvalRunBodySchema = Body({
  answer_model: answerModel,
  judge: Absent(
    Body({ kind, ...model, members: Absent(list(MemberField, MAX_MEMBERS, 'of a panel')) }, 'what judged'),
  ),
  questions: list(
    Body({ ...question, votes: Absent(Type.Array(VoteField)) }),
    MAX_ITEMS,
    'at least one, each id once',
  ),
})
export const EvalRunFieldsSchema = Body({
  answer_model: answerModel,
  judge: Absent(Body({ kind, ...model, members: Absent(anyList(MAX_MEMBERS)) })),
  questions: anyList(MAX_ITEMS),
})
export type EvalRunFields = Static<typeof EvalRunFieldsSchema>

// ---- comparisons ----

const comparisonFields = {
  gates: Absent(
    Body({
      max_context_drop: Absent(Type.Number({ description: 'score points, from 0' })),
      max_lift_drop: Absent(Type.Number({ description: 'score points, from 0' })),
      min_matched: Absent(Type.Integer({ description: 'needs one of the others; 1 by default' })),
    }),
  ),
  strict: Absent(Type.Boolean({ description: 'fail unless both runs had the same answer model and judge' })),
  on_inconclusive: OnInconclusiveField,
}
export const RunNameSchema = Body({ name: name('the name of a stored run') })
const SideSchema = Type.Union([RunNameSchema, EvalRunBodySchema], {
  description: 'a stored run by its name, or a run',
})

export const ComparisonBodySchema = Body({ baseline: SideSchema, current: SideSchema, ...comparisonFields })
export const ComparisonFieldsSchema = Body({
  baseline: Type.Unknown({ description: 'the run to compare with: {"name"} of a stored one, or a run' }),
  current: Type.Unknown({ description: 'the run to judge: {"name"} of a stored one, or a run' }),
  ...comparisonFields,
})

// ---- judge validity ----

const label = Type.Unsafe<string | number | boolean>({
  type: ['string', 'number', 'boolean'],
  format: 'storable',
  maxLength: MAX_TEXT,
})
export const LabelledField = Body({ id: name('an id, each once'), label, judged: label })
export type LabelledFields = Static<typeof LabelledField>

const validityFields = {
  min_agreement: Absent(Type.Number({ description: 'from 0 to 1; 0.8 by default' })),
  confidence: Absent(Type.Number({ description: 'of the interval; 0.95 by default' })),
  on_inconclusive: OnInconclusiveField,
}
export const ValidityBodySchema = Body({
  items: list(LabelledField, MAX_LABELLED, 'what a person said, and what the judge said'),
  ...validityFields,
})
export const ValidityFieldsSchema = Body({ items: anyList(MAX_LABELLED), ...validityFields })
