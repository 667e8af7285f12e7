/** Heavy work of one kind, done where nothing else waits for it. */
import { Worker } from 'node:worker_threads'
import { GatehouseError } from '../errors.js'
import type { Asked, Told } from './messages.js'

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

/**
 * One thread, started with the first question: two would share the machine with the requests that must not wait. How
 * many questions wait is bounded by the memory that requests may take.
 */
export class Thread<Question, Answer> {
  #worker: Worker | null = null
  #closed = false
  #lastId = 0
  readonly #waiting = new Map<number, Waiting<Answer>>()
  readonly #script: URL
  readonly #subject: string

  /**
   * @param script a module that calls `answerQuestions`
   * @param subject what cannot be worked on while there is no thread, as `the record`
   */
  constructor(script: URL, subject: string) {
    this.#script = script
    this.#subject = subject
  }

  /**
   * @param transfer memory that is given away with the question: the caller must not look at it again
   * @throws GatehouseError what the work refused; unavailable when this is closed, or its thread broke down
   */
  ask(question: Question, transfer: readonly ArrayBuffer[] = []): Promise<Answer> {
    if (this.#closed) return Promise.reject(this.#unavailable('shutting down'))
    const asked: Asked<Question> = { id: ++this.#lastId, question }
    return new Promise((resolve, reject) => {
      this.#waiting.set(asked.id, { resolve, reject })
      this.#running().postMessage(asked, transfer)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#abandon(this.#unavailable('shutting down'))
    await this.#worker?.terminate()
  }

  #running(): Worker {
    if (this.#worker !== null) return this.#worker
    const worker = new Worker(this.#script)
    // Alone it keeps no process alive: whoever waits for an answer holds a connection.
    worker.unref()
    worker.on('message', (told: Told<Answer>) => this.#settle(told))
    worker.on('error', () => this.#lose(worker))
    worker.on('exit', () => this.#lose(worker))
    this.#worker = worker
    return worker
  }

  #settle(told: Told<Answer>): void {
    const waiting = this.#waiting.get(told.id)
    this.#waiting.delete(told.id)
    if ('answer' in told) waiting?.resolve(told.answer)
    else waiting?.reject(errorOf(told, this.#subject))
  }

  /** What it was at is refused; the next question starts another one. */
  #lose(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = null
    this.#abandon(this.#unavailable('the thread for large ones broke down'))
  }

  #abandon(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  #unavailable(reason: string): GatehouseError {
    return new GatehouseError(
      'unavailable',
      `${this.#subject} cannot be worked on now (${reason}); send it again`,
    )
  }
}

function errorOf(told: Exclude<Told<never>, { readonly answer: never }>, subject: string): Error {
  if ('error' in told) return new Error(`${subject} could not be worked on: ${told.error}`)
  const { code, detail, faults } = told.refusal
  return new GatehouseError(code, detail, faults)
}
