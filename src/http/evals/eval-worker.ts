/** A thread that reads and judges large evals, so that nothing else waits for them. */
import { runToEnd } from '../../gate/slices.js'
import { answerQuestions } from '../../thread/answer-questions.js'
import { readBoundedJson } from '../json-body.js'
import { compileAlone } from '../schemas/ajv.js'
import type { EvalQuestion } from './eval-desk.js'
import { WORK, type JobName, type Jobs } from './jobs.js'

const compile = await compileAlone()

function work<Name extends JobName>({ name, body, terms }: EvalQuestion<Name>): Jobs[Name]['answer'] {
  const value = 'bytes' in body ? readBoundedJson(body.bytes).value : body.value
  return runToEnd(WORK[name](value, terms, compile))
}

answerQuestions<EvalQuestion, unknown>((question) => work(question))
