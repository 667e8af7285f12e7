import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { GatehouseError } from '../errors.js'
import type { Asked, Told } from './messages.js'

/** Where all cores are busy, the event loop has three times as much of them. */
const NICENESS = 5

/** The thread's own side: answers one question after the other, and steps back behind the event loop. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer): void {
  stepBack()
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

/** On Linux each thread has a priority of its own; elsewhere this would slow the whole process. */
function stepBack(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(NICENESS)
  } catch {
    // A sandbox may forbid it, and everything works without.
  }
}
