import type { EvalRunHead, QuestionDocument } from '../../documents/evals-run.js'
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

/** What was not sent is null. */
export function encodeQuestion(question: Question): QuestionDocument {
  return {
    question_id: question.questionId,
    context_score: question.contextScore ?? null,
    baseline_score: question.baselineScore ?? null,
    errored: question.errored,
    votes:
      question.votes &&
      question.votes.map(({ member, score, error }) => ({
        member,
        score: score ?? null,
        error: error ?? null,
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
