import type { EvalRun, Judge, Model, Question, Vote } from '../../evals/eval-run.js'
import { SLICE, type Sliced } from '../../gate/slices.js'
import type { Compile } from '../schemas/ajv.js'
import {
  EvalRunFieldsSchema,
  MemberField,
  QuestionField,
  VoteField,
  type EvalRunFields,
  type QuestionFields,
  type VoteFields,
} from '../schemas/evals.js'
import { BodyFaults, readFields, readItems } from './read-items.js'

/** Votes of one question. */
const MAX_VOTES = 1_000

/** Reads the body of a run that is to be stored. @throws GatehouseError 422 that names the faults */
export function* readEvalRunBody(body: unknown, compile: Compile): Sliced<EvalRun> {
  const faults = new BodyFaults()
  const run = yield* readRun(compile, body, '', faults)
  faults.refuse()
  return run!
}

/**
 * Reads a run wherever it stands in a body. Scores are data, whatever their type.
 * @returns null where there are faults
 */
export function* readRun(
  compile: Compile,
  value: unknown,
  where: string,
  faults: BodyFaults,
): Sliced<EvalRun | null> {
  const fields = readFields(compile, EvalRunFieldsSchema, value, where, faults)
  if (fields === null) return null
  const at = where === '' ? '' : `${where}/`
  const judge = yield* readJudge(compile, fields.judge ?? {}, `${at}judge`, faults)
  const list = fields.questions
  const questions = yield* readItems(compile, QuestionField, list, `${at}questions`, faults, (one) => one)
  const read: Question[] = []
  let steps = 0
  for (const [index, one] of questions.entries()) {
    steps += 1 + (one.votes?.length ?? 0)
    if (steps > SLICE) {
      steps = 0
      yield
    }
    const votes = yield* readVotes(compile, one, `${at}questions/${index}/votes`, faults)
    read.push(questionOf(one, votes))
  }
  return faults.any ? null : { answerModel: modelOf(fields.answer_model ?? {}), judge, questions: read }
}

function questionOf(one: QuestionFields, votes: readonly Vote[] | null): Question {
  return {
    questionId: one.question_id,
    contextScore: one.context_score,
    baselineScore: one.baseline_score,
    errored: one.errored ?? false,
    votes,
  }
}

function* readVotes(
  compile: Compile,
  { votes }: QuestionFields,
  where: string,
  faults: BodyFaults,
): Sliced<readonly Vote[] | null> {
  if (votes === undefined || votes === null) return null
  if (votes.length > MAX_VOTES) {
    faults.add({ where, message: `holds more than ${MAX_VOTES} items` })
    return null
  }
  return yield* readItems(
    compile,
    VoteField,
    votes,
    where,
    faults,
    ({ member, score, error }: VoteFields) => ({
      member,
      score,
      error,
    }),
  )
}

function* readJudge(
  compile: Compile,
  judge: NonNullable<EvalRunFields['judge']>,
  where: string,
  faults: BodyFaults,
): Sliced<Judge> {
  const { kind, members, provider, model } = judge
  if (kind === 'panel') {
    if (typeof provider === 'string' || typeof model === 'string')
      faults.add({ where, message: 'is a panel, which has members, and no provider and model of its own' })
    if (!Array.isArray(members))
      faults.add({ where: `${where}/members`, message: 'is missing; a panel has at least one member' })
    const list = yield* readItems(
      compile,
      MemberField,
      members ?? [],
      `${where}/members`,
      faults,
      (one) => one,
    )
    return { kind, members: list }
  }
  if (Array.isArray(members))
    faults.add({ where: `${where}/members`, message: 'belongs to a judge of the kind panel' })
  return { kind: 'single', ...modelOf(judge) }
}

function modelOf(model: { readonly provider?: string | null; readonly model?: string | null }): Model {
  return { provider: model.provider ?? null, model: model.model ?? null }
}
