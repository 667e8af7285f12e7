import { createHash } from 'node:crypto'
import { serialize } from 'node:v8'
import { LRUCache } from 'lru-cache'
import { GatehouseError } from '../errors.js'
import type { SourceReading } from '../gate/literal.js'
import { sourceSizeFault } from '../gate/python/decode.js'
import { refused } from '../gate/outcome.js'
import { ParserProcess } from './parser-process.js'

export interface PythonSourceReaderOptions {
  /** Parser processes at most; each is started when it is first wanted. */
  readonly processes?: number
  /** How long the parsing of one file may take. */
  readonly deadlineMs?: number
  /** How many files may wait for a parser. */
  readonly maxWaiting?: number
}

/**
 * What is read depends on the bytes alone, and a test sends the same file until somebody edits it: parsing takes
 * milliseconds for some kilobytes, to know it again takes microseconds. Measured as serialized; in memory it is several
 * times that.
 */
const REMEMBERED_BYTES = 4 * 1_024 * 1_024

interface Task {
  readonly bytes: Uint8Array
  readonly key: string
  readonly resolve: (outcome: SourceReading) => void
  readonly reject: (error: Error) => void
}

/**
 * Reads gate declarations out of Python test files in child processes, each file within a deadline.
 *
 * Whatever a file does to the parsers, it costs that file a fault and its process a replacement. They do not keep this
 * process alive while nothing is to be read. Files that were read are known again by their bytes.
 */
export class PythonSourceReader {
  readonly #processCount: number
  readonly #deadlineMs: number
  readonly #maxWaiting: number
  readonly #remembered = new LRUCache<string, SourceReading>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: (reading, key) => key.length + serialize(reading).length,
  })
  readonly #processes = new Map<ParserProcess, Task | null>()
  readonly #waiting: Task[] = []
  #expectingReady: { resolve: () => void; reject: (error: Error) => void }[] = []
  #closed = false

  constructor({ processes = 2, deadlineMs = 1000, maxWaiting = 100 }: PythonSourceReaderOptions = {}) {
    this.#processCount = processes
    this.#deadlineMs = deadlineMs
    this.#maxWaiting = maxWaiting
  }

  /** Resolves once a process has its parsers loaded; starts one if none runs. Rejects if they cannot be loaded. */
  async ready(): Promise<void> {
    if (this.#closed) throw closedError()
    for (const parser of this.#processes.keys()) if (parser.idle || this.#processes.get(parser)) return
    await new Promise<void>((resolve, reject) => {
      this.#expectingReady.push({ resolve, reject })
      if (this.#processes.size === 0) this.#start()
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
    const key = createHash('sha256').update(bytes).digest('base64')
    const known = this.#remembered.get(key)
    if (known !== undefined) return known
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new GatehouseError(
        'unavailable',
        'overloaded: too many test files wait to be parsed; try again in a few seconds',
      )
    }
    return new Promise<SourceReading>((resolve, reject) => {
      this.#waiting.push({ bytes, key, resolve, reject })
      this.#dispatch()
    })
  }

  /** Refuses what waits or runs, and ends the parser processes. */
  async close(): Promise<void> {
    this.#closed = true
    const running = [...this.#processes.values()].filter((task) => task !== null)
    const ended = Promise.all([...this.#processes.keys()].map((parser) => parser.end()))
    this.#processes.clear()
    for (const task of [...running, ...this.#waiting.splice(0)]) task.reject(closedError())
    for (const waiter of this.#expectingReady.splice(0)) waiter.reject(closedError())
    await ended
  }

  /** Gives waiting files to idle parser processes, and starts another while files wait for one. */
  #dispatch(): void {
    for (const [parser, current] of this.#processes) {
      if (!parser.idle || current) continue
      const task = this.#waiting.shift()
      if (!task) break
      this.#processes.set(parser, task)
      parser.read(task.bytes)
    }
    const loading = [...this.#processes].filter(([parser, task]) => !parser.idle && !task).length
    if (this.#waiting.length > loading && this.#processes.size < this.#processCount) this.#start()
    this.#holdWhatWorks()
  }

  #start(): void {
    const parser = new ParserProcess(this.#deadlineMs, {
      onReady: () => {
        for (const waiter of this.#expectingReady.splice(0)) waiter.resolve()
        this.#dispatch()
      },
      onDone: (outcome) => {
        const task = this.#processes.get(parser)
        this.#processes.set(parser, null)
        this.#dispatch()
        if (!task) return
        // Only what was read to the end: a file that took too long may have met a busy machine.
        this.#remembered.set(task.key, outcome)
        task.resolve(outcome)
      },
      onLost: (outcome, error) => this.#replace(parser, outcome, error),
    })
    this.#processes.set(parser, null)
  }

  #replace(parser: ParserProcess, outcome: SourceReading | null, error: Error | null): void {
    const task = this.#processes.get(parser)
    this.#processes.delete(parser)
    if (outcome) task?.resolve(outcome)
    if (error) {
      // Loading fails the same way again; a later read may try anew.
      const failure = new Error('the Python parsers cannot be loaded', { cause: error })
      for (const waiter of this.#expectingReady.splice(0)) waiter.reject(failure)
      if (this.#processes.size === 0) for (const waiting of this.#waiting.splice(0)) waiting.reject(failure)
      return
    }
    // At once, so that the next file does not wait for the parsers to load.
    if (!this.#closed) this.#start()
    this.#dispatch()
  }

  /** Only those that someone waits for keep this process alive. */
  #holdWhatWorks(): void {
    const wanted = this.#waiting.length > 0 || this.#expectingReady.length > 0
    for (const [parser, task] of this.#processes) parser.hold(task !== null || (wanted && !parser.idle))
  }
}

function closedError(): GatehouseError {
  return new GatehouseError('unavailable', 'the reader of test files is closed; the service is stopping')
}
