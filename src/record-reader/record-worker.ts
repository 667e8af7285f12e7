/** A thread that reads large records, so that nothing else waits for them. */
import { parentPort } from 'node:worker_threads'
import { planRecord } from '../operations/plan-record.js'
import type { PlanAnswer, PlanRequest } from './messages.js'

parentPort?.on('message', ({ id, parts, declarations }: PlanRequest) => {
  parentPort?.postMessage(answer(id, parts, declarations))
})

function answer(
  id: number,
  parts: PlanRequest['parts'],
  declarations: PlanRequest['declarations'],
): PlanAnswer {
  try {
    return { id, outcome: planRecord({ kind: 'parts', parts }, declarations) }
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) }
  }
}
