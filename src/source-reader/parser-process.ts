import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SourceReading } from '../gate/literal.js'
import { refused } from '../gate/outcome.js'
import type { ParserReport } from './messages.js'

/** How the owner hears of a parser process. After `onLost` it is gone for good. */
export interface ProcessEvents {
  /** Loaded, and free for a first task. */
  onReady(): void
  /** The task at hand is done, and the process is free for another. */
  onDone(outcome: SourceReading): void
  /** The process ended; with the outcome of the task at hand, if there was one. `error` if it never got ready. */
  onLost(outcome: SourceReading | null, error: Error | null): void
}

/**
 * One child process with both parsers loaded: reads one file at a time, and dies of a file that takes too long.
 *
 * A process and not a thread: a chain of some thousand operators overflows the real stack of a thread inside the
 * parsers' machine code, and the signal takes the whole process with it.
 */
export class ParserProcess {
  readonly #child: ChildProcess
  readonly #events: ProcessEvents
  readonly #deadlineMs: number
  #deadline: NodeJS.Timeout | null = null
  #state: 'loading' | 'idle' | 'busy' | 'lost' = 'loading'

  constructor(deadlineMs: number, events: ProcessEvents) {
    this.#deadlineMs = deadlineMs
    this.#events = events
    this.#child = fork(fileURLToPath(new URL('./parser-main.js', import.meta.url)), {
      // Not those of this process. The stack that V8 may use stays far below the real one (8 MB by default), so that an
      // overflow is an exception. A tree of 256 KiB needs some tens of megabytes. WebAssembly stays with the code of its
      // first compilation: optimizing Ruff costs four seconds of CPU at each start, and pays off for no file.
      execArgv: ['--stack-size=3000', '--max-old-space-size=256', '--liftoff-only'],
      // Nothing of this process's secrets.
      env: {},
      // Parsers print their panics. What concerns the caller is in the report.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    this.#child.on('message', (report) => this.#hear(report as ParserReport))
    this.#child.on('error', (error) => this.#lose(brokenDown(), error))
    this.#child.on('exit', () => this.#lose(brokenDown(), new Error('the parser process ended by itself')))
    this.hold(false)
  }

  get idle(): boolean {
    return this.#state === 'idle'
  }

  /** Whether the child keeps this process alive. */
  hold(held: boolean): void {
    for (const handle of [this.#child, this.#child.channel]) {
      if (held) handle?.ref()
      else handle?.unref()
    }
  }

  /** Hands the child a file; only while it is idle. */
  read(bytes: Uint8Array): void {
    if (this.#state !== 'idle') throw new Error('the parser process is not idle')
    this.#state = 'busy'
    // A copy of its own: the bytes may be a view into a whole request, which would be sent with it.
    this.#child.send({ bytes: Uint8Array.from(bytes) })
  }

  /** Ends the child without an `onLost`. */
  async end(): Promise<void> {
    this.#state = 'lost'
    this.#clearDeadline()
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined)
      return
    const exited = once(this.#child, 'exit')
    this.#child.ref()
    this.#child.kill('SIGKILL')
    await exited
  }

  #hear(report: ParserReport): void {
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

  /** If this process itself was held up, the answer may be waiting: it is looked for once before the child dies. */
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
    this.#child.kill('SIGKILL')
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
