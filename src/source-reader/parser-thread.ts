import { Worker } from 'node:worker_threads'
import type { SourceReading } from '../gate/literal.js'
import { refused } from '../gate/outcome.js'
import type { WorkerReport } from './messages.js'

/** How the owner hears of a thread. After `onLost` the thread is gone for good. */
export interface ThreadEvents {
  /** Loaded, and free for a first task. */
  onReady(): void
  /** The task at hand is done, and the thread is free for another. */
  onDone(outcome: SourceReading): void
  /** The thread ended; with the outcome of the task at hand, if there was one. `error` if it never got ready. */
  onLost(outcome: SourceReading | null, error: Error | null): void
}

/** One worker thread with both parsers loaded: reads one file at a time, and dies of a file that takes too long. */
export class ParserThread {
  readonly #worker: Worker
  readonly #events: ThreadEvents
  readonly #deadlineMs: number
  #deadline: NodeJS.Timeout | null = null
  #state: 'loading' | 'idle' | 'busy' | 'lost' = 'loading'

  constructor(deadlineMs: number, events: ThreadEvents) {
    this.#deadlineMs = deadlineMs
    this.#events = events
    this.#worker = new Worker(new URL('./worker.js', import.meta.url), {
      // Not those of this process, some of which no thread takes (--input-type, for one).
      execArgv: [],
      // Parsers print their panics. What concerns the caller is in the report, so nothing reads these streams (doing
      // so would keep the process alive).
      stdout: true,
      stderr: true,
      // A tree of 256 KiB needs some tens of megabytes. The memory of WebAssembly is not counted in.
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    })
    this.#worker.on('message', (report: WorkerReport) => this.#hear(report))
    this.#worker.on('error', (error) => this.#lose(brokenDown(), error))
    this.#worker.on('exit', () => this.#lose(brokenDown(), new Error('the parser thread ended by itself')))
    this.#worker.unref()
  }

  get idle(): boolean {
    return this.#state === 'idle'
  }

  /** Whether the thread keeps the process alive. */
  hold(held: boolean): void {
    if (held) this.#worker.ref()
    else this.#worker.unref()
  }

  /** Hands the thread a file; only while it is idle. */
  read(bytes: Uint8Array): void {
    if (this.#state !== 'idle') throw new Error('the parser thread is not idle')
    this.#state = 'busy'
    // A copy of its own: the bytes may be a view into a whole request, which would be copied with it.
    const copy = Uint8Array.from(bytes)
    this.#worker.postMessage({ bytes: copy }, [copy.buffer])
  }

  /** Ends the thread without an `onLost`. */
  async end(): Promise<void> {
    this.#state = 'lost'
    this.#clearDeadline()
    await this.#worker.terminate()
  }

  #hear(report: WorkerReport): void {
    if (this.#state === 'lost') return
    switch (report.kind) {
      case 'ready':
        this.#state = 'idle'
        return this.#events.onReady()
      case 'started':
        // Counted from here on, so that neither the queue nor the loading of the parsers is held against a file.
        this.#deadline = setTimeout(() => this.#overdue(), this.#deadlineMs)
        return
      case 'read':
        this.#clearDeadline()
        this.#state = 'idle'
        return this.#events.onDone(report.outcome)
      case 'broken':
        return this.#lose(brokenDown(), null)
    }
  }

  /** If this thread itself was held up, the answer may be waiting: it is looked for once before the worker dies. */
  #overdue(): void {
    const deadline = this.#deadline
    setImmediate(() => {
      if (this.#deadline !== deadline) return
      const message =
        `the file takes longer than ${inSeconds(this.#deadlineMs)} to parse; ` +
        'make it smaller: long runs of adjacent strings or of lines joined by backslashes are slow'
      this.#lose(refused({ where: 'test_file', message }), null)
    })
  }

  #lose(outcome: SourceReading, error: Error | null): void {
    if (this.#state === 'lost') return
    const was = this.#state
    this.#state = 'lost'
    this.#clearDeadline()
    void this.#worker.terminate()
    this.#events.onLost(was === 'busy' ? outcome : null, was === 'loading' ? error : null)
  }

  #clearDeadline(): void {
    if (this.#deadline) clearTimeout(this.#deadline)
    this.#deadline = null
  }
}

function inSeconds(milliseconds: number): string {
  return milliseconds === 1000 ? 'a second' : `${milliseconds / 1000} seconds`
}

function brokenDown(): SourceReading {
  const message =
    'the parser breaks down on the file; simplify it: the usual reason is deep nesting, and a chain of thousands of ' +
    'operators counts as nesting'
  return refused({ where: 'test_file', message })
}
