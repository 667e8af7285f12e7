/** Reads records: small ones where it is asked, large ones in a thread. */
import { Worker } from 'node:worker_threads'
import { GatehouseError } from '../errors.js'
import type { Declaration } from '../gate/declarations.js'
import type { Outcome } from '../gate/outcome.js'
import { planRecord, type PlannedRecord } from '../operations/plan-record.js'
import type { RecordSource } from '../operations/submission.js'
import type { PlanAnswer, PlanRequest } from './messages.js'

/** Reading this much takes some milliseconds; handing it over to a thread takes about one. */
const INLINE_BYTES = 512 * 1_024

interface Waiting {
  readonly resolve: (outcome: Outcome<PlannedRecord>) => void
  readonly reject: (error: Error) => void
}

/**
 * One thread, started with the first large record: two would share the machine with the requests that must not wait.
 * How many records wait is bounded by the memory that requests may take.
 */
export class RecordReader {
  #worker: Worker | null = null
  #closed = false
  #lastId = 0
  readonly #waiting = new Map<number, Waiting>()

  /**
   * As `planRecord`. The memory of large parts is given away: the caller must not look at them again.
   * @throws GatehouseError unavailable when the reader is closed, or its thread broke down
   */
  async plan(
    source: RecordSource | null,
    declarations: readonly Declaration[],
  ): Promise<Outcome<PlannedRecord>> {
    if (source?.kind !== 'parts' || bytesOf(source.parts) <= INLINE_BYTES)
      return planRecord(source, declarations)
    if (this.#closed) throw unavailable('shutting down')
    const parts = source.parts.map(ownMemory)
    const request: PlanRequest = { id: ++this.#lastId, parts, declarations }
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject })
      this.#running().postMessage(
        request,
        parts.map(({ buffer }) => buffer),
      )
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#abandon(unavailable('shutting down'))
    await this.#worker?.terminate()
  }

  #running(): Worker {
    if (this.#worker !== null) return this.#worker
    const worker = new Worker(new URL('./record-worker.js', import.meta.url))
    // Alone it keeps no process alive: whoever waits for an answer holds a connection.
    worker.unref()
    worker.on('message', (answer: PlanAnswer) => this.#settle(answer))
    worker.on('error', () => this.#lose(worker))
    worker.on('exit', () => this.#lose(worker))
    this.#worker = worker
    return worker
  }

  #settle(answer: PlanAnswer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if ('outcome' in answer) waiting?.resolve(answer.outcome)
    else waiting?.reject(new Error(`a record could not be read: ${answer.error}`))
  }

  /** What it was at is refused; the next large record starts another one. */
  #lose(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = null
    this.#abandon(unavailable('the thread that reads large records broke down'))
  }

  #abandon(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

function bytesOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}

/** Memory that can be handed over: a part of a larger buffer is copied, which takes a millisecond for some megabytes. */
function ownMemory(part: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = part
  const isWhole = buffer instanceof ArrayBuffer && part.length === buffer.byteLength
  return isWhole ? new Uint8Array(buffer) : Uint8Array.from(part)
}

function unavailable(reason: string): GatehouseError {
  return new GatehouseError('unavailable', `the record cannot be read now (${reason}); send it again`)
}
