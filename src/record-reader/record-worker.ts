/** A thread that reads large records, so that nothing else waits for them. */
import { planRecord } from '../operations/plan-record.js'
import { answerQuestions } from '../thread/answer-questions.js'
import type { PlanRequest } from './messages.js'

answerQuestions(({ parts, declarations }: PlanRequest) => planRecord({ kind: 'parts', parts }, declarations))
