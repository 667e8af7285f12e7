import { parentPort } from 'node:worker_threads'
import { GatehouseError } from '../errors.js'
import type { Asked, Told } from './messages.js'

/** The thread's own side: answers one question after the other. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer): void {
  parentPort?.on('message', ({ id, question }: Asked<Question>) => {
    parentPort?.postMessage(told(id, () => answer(question)))
  })
}

function told<Answer>(id: number, work: () => Answer): Told<Answer> {
  try {
    return { id, answer: work() }
  } catch (error) {
    if (!(error instanceof GatehouseError))
      return { id, error: error instanceof Error ? error.message : String(error) }
    const { code, detail, faults } = error
    return { id, refusal: { code, detail, faults } }
  }
}
