import { GatehouseError, invalidInput } from '../../src/errors.js'
import { answerQuestions } from '../../src/thread/answer-questions.js'

/** A thread that does to a test what it is asked. */
answerQuestions((question: string | Uint8Array) => {
  if (typeof question !== 'string') return question.length
  if (question === 'refuse') throw invalidInput([{ where: 'here', message: 'is wrong' }])
  if (question === 'conflict') throw new GatehouseError('idempotency_conflict', 'was used')
  if (question === 'break') throw new TypeError('a bug')
  if (question === 'end') process.exit(3)
  return question.toUpperCase()
})
