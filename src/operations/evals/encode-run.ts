import type { EvalRunHead, QuestionDocument } from '../../documents/evals-run.js'
import { wireDouble } from '../../documents/json.js'
import type { EvalRun, Judge, Model, Question } from '../../evals/eval-run.js'

/** All of a run but its questions, as a request says it. */
export function encodeMakers({ answerModel, judge }: Pick<EvalRun, 'answerModel' | 'judge'>) {
  return { answer_model: encodeModel(answerModel), judge: encodeJudge(judge) }
}

function encodeModel({ provider, model }: Model): EvalRunHead['answer_model'] {
  return { provider, model }
}

function encodeJudge(judge: Judge): EvalRunHead['judge'] {
  return judge.kind === 'single'
    ? { kind: 'single', ...encodeModel(judge) }
    : { kind: 'panel', members: [...judge.members] }
}

/**
 * A value as it was sent, or null where none was. JSON can say a number that no double holds (`1e999`), and could not say
 * it again: it would be kept as null, and taken for the same content. Its marker stands for it, however deep.
 */
export function asSent(value: unknown): unknown {
  if (typeof value === 'number') return wireDouble(value)
  if (typeof value !== 'object' || value === null) return value ?? null
  if (Array.isArray(value)) return value.map(asSent)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asSent(member)]))
}

/** What was not sent is null. */
export function encodeQuestion(question: Question): QuestionDocument {
  return {
    question_id: question.questionId,
    context_score: asSent(question.contextScore),
    baseline_score: asSent(question.baselineScore),
    errored: question.errored,
    votes:
      question.votes &&
      question.votes.map(({ member, score, error }) => ({
        member,
        score: asSent(score),
        error: asSent(error),
      })),
  }
}

export function decodeQuestion(question: QuestionDocument): Question {
  return {
    questionId: question.question_id,
    contextScore: question.context_score,
    baselineScore: question.baseline_score,
    errored: question.errored,
    votes: question.votes,
  }
}
