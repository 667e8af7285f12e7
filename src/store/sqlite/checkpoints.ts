/** When the journal is moved into the database file: soon after each commit, in a thread. */
import { Thread } from '../../thread/thread.js'
import type { OpenedFile } from './opened-file.js'

export interface CheckpointRequest {
  readonly path: string
}

export interface CheckpointPass {
  /** Of the journal. */
  readonly pages: number
  /** How many of them the file has by now. */
  readonly moved: number
}

type WhileNobodyWrites = (work: () => Promise<unknown>) => Promise<unknown>

/** So long after a commit, so that those of one moment are moved together. */
const AFTER_MS = 100

/** Some 2 MiB: SQLite begins at the journal's start again only when all of it is moved, and writers go on appending. */
const LONG_JOURNAL_PAGES = 500

export class Checkpoints {
  readonly #file: OpenedFile
  readonly #whileNobodyWrites: WhileNobodyWrites
  readonly #thread = new Thread<CheckpointRequest, CheckpointPass>(
    new URL('./checkpoint-worker.js', import.meta.url),
    'the journal',
  )
  #timer: NodeJS.Timeout | null = null
  #isUnderWay = false
  /** Something was written since the pass under way began, which may not have met it. */
  #isBehind = false
  #isClosed = false

  /** @param whileNobodyWrites runs a work while this process begins no transaction that writes */
  constructor(file: OpenedFile, whileNobodyWrites: WhileNobodyWrites) {
    this.#file = file
    this.#whileNobodyWrites = whileNobodyWrites
  }

  /** Something was committed, or could not be: on a full disk the journal's room is what there is to be had. */
  written(): void {
    this.#isBehind = this.#isUnderWay
    if (this.#isClosed || this.#isUnderWay || this.#timer !== null) return
    this.#timer = setTimeout(() => void this.#run(), AFTER_MS)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#thread.close()
  }

  async #run(): Promise<void> {
    this.#timer = null
    this.#isUnderWay = true
    try {
      const { pages, moved } = await this.#pass()
      if (pages > LONG_JOURNAL_PAGES && moved > 0) await this.#whileNobodyWrites(() => this.#pass())
    } catch {
      // A full disk, say, of which the writers tell. The next commit is followed by the next try.
    } finally {
      this.#isUnderWay = false
      if (this.#isBehind) this.written()
    }
  }

  #pass(): Promise<CheckpointPass> {
    // Another file at the path is none of this program's business.
    this.#file.assertThere()
    return this.#thread.ask({ path: this.#file.path })
  }
}
