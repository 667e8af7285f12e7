import { GatehouseError } from '../errors.js'
import type { SourceReading } from '../gate/literal.js'
import { sourceSizeFault } from '../gate/python/decode.js'
import { refused } from '../gate/outcome.js'
import { keepParsersCompiled } from './keep-compiled.js'
import { ParserThread } from './parser-thread.js'

export interface PythonSourceReaderOptions {
  /** Threads at most; each is started when it is first wanted. */
  readonly threads?: number
  /** How long the parsing of one file may take. */
  readonly deadlineMs?: number
  /** How many files may wait for a thread. */
  readonly maxWaiting?: number
}

interface Task {
  readonly bytes: Uint8Array
  readonly resolve: (outcome: SourceReading) => void
  readonly reject: (error: Error) => void
}

/**
 * Reads gate declarations out of Python test files in worker threads, each file within a deadline.
 *
 * Whatever a file does to the parsers, it costs that file a fault and the thread a replacement. Threads do not keep
 * the process alive while nothing is to be read.
 */
export class PythonSourceReader {
  readonly #threadCount: number
  readonly #deadlineMs: number
  readonly #maxWaiting: number
  readonly #threads = new Map<ParserThread, Task | null>()
  readonly #waiting: Task[] = []
  #expectingReady: { resolve: () => void; reject: (error: Error) => void }[] = []
  #compiled: Promise<readonly object[]> | null = null
  #closed = false

  constructor({ threads = 2, deadlineMs = 1000, maxWaiting = 100 }: PythonSourceReaderOptions = {}) {
    this.#threadCount = threads
    this.#deadlineMs = deadlineMs
    this.#maxWaiting = maxWaiting
  }

  /** Resolves once a thread has its parsers loaded; starts one if none runs. Rejects if they cannot be loaded. */
  async ready(): Promise<void> {
    if (this.#closed) throw closedError()
    for (const thread of this.#threads.keys()) if (thread.idle || this.#threads.get(thread)) return
    await new Promise<void>((resolve, reject) => {
      this.#expectingReady.push({ resolve, reject })
      if (this.#threads.size === 0) this.#start()
      this.#holdWhatWorks()
    })
  }

  /**
   * Reads one file.
   *
   * @throws GatehouseError `unavailable` when too many files wait already, or the reader is closed
   */
  async read(bytes: Uint8Array): Promise<SourceReading> {
    if (this.#closed) throw closedError()
    const tooLarge = sourceSizeFault(bytes)
    if (tooLarge) return refused(tooLarge)
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new GatehouseError(
        'unavailable',
        'overloaded: too many test files wait to be parsed; try again in a few seconds',
      )
    }
    return new Promise<SourceReading>((resolve, reject) => {
      this.#waiting.push({ bytes, resolve, reject })
      this.#dispatch()
    })
  }

  /** Refuses what waits or runs, and ends the threads. */
  async close(): Promise<void> {
    this.#closed = true
    const running = [...this.#threads.values()].filter((task) => task !== null)
    const ended = Promise.all([...this.#threads.keys()].map((thread) => thread.end()))
    this.#threads.clear()
    this.#compiled = null
    for (const task of [...running, ...this.#waiting.splice(0)]) task.reject(closedError())
    for (const waiter of this.#expectingReady.splice(0)) waiter.reject(closedError())
    await ended
  }

  /** Gives waiting files to idle threads, and starts another thread while files wait for one. */
  #dispatch(): void {
    for (const [thread, current] of this.#threads) {
      if (!thread.idle || current) continue
      const task = this.#waiting.shift()
      if (!task) break
      this.#threads.set(thread, task)
      thread.read(task.bytes)
    }
    const loading = [...this.#threads].filter(([thread, task]) => !thread.idle && !task).length
    if (this.#waiting.length > loading && this.#threads.size < this.#threadCount) this.#start()
    this.#holdWhatWorks()
  }

  #start(): void {
    this.#compiled ??= keepParsersCompiled()
    const thread = new ParserThread(this.#deadlineMs, {
      onReady: () => {
        for (const waiter of this.#expectingReady.splice(0)) waiter.resolve()
        this.#dispatch()
      },
      onDone: (outcome) => {
        const task = this.#threads.get(thread)
        this.#threads.set(thread, null)
        this.#dispatch()
        task?.resolve(outcome)
      },
      onLost: (outcome, error) => this.#replace(thread, outcome, error),
    })
    this.#threads.set(thread, null)
  }

  #replace(thread: ParserThread, outcome: SourceReading | null, error: Error | null): void {
    const task = this.#threads.get(thread)
    this.#threads.delete(thread)
    if (outcome) task?.resolve(outcome)
    if (error) {
      // Loading fails the same way again; a later read may try anew.
      const failure = new Error('the Python parsers cannot be loaded', { cause: error })
      for (const waiter of this.#expectingReady.splice(0)) waiter.reject(failure)
      if (this.#threads.size === 0) for (const waiting of this.#waiting.splice(0)) waiting.reject(failure)
      return
    }
    // At once, so that the next file does not wait for the parsers to load.
    if (!this.#closed) this.#start()
    this.#dispatch()
  }

  /** Only threads that someone waits for keep the process alive. */
  #holdWhatWorks(): void {
    const wanted = this.#waiting.length > 0 || this.#expectingReady.length > 0
    for (const [thread, task] of this.#threads) thread.hold(task !== null || (wanted && !thread.idle))
  }
}

function closedError(): GatehouseError {
  return new GatehouseError('unavailable', 'the reader of test files is closed; the service is stopping')
}
