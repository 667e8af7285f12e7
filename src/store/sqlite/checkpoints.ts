/** When the journal is moved into the database file: soon after each commit, in a thread. */
import { Thread } from '../../thread/thread.js'
import { StoreUnavailable } from '../errors.js'
import type { TransactionWatcher } from './connection.js'
import type { OpenedFile } from './opened-file.js'

export interface CheckpointRequest {
  readonly path: string
}

export interface CheckpointPass {
  /** Of the journal. */
  readonly pages: number
  /** How many of them the file has by now. */
  readonly moved: number
  /** Why the file cannot take them; null where it can. */
  readonly refused: string | null
}

type WhileNobodyWrites = (work: () => Promise<unknown>) => Promise<unknown>

/** So long after a commit, so that those of one moment are moved together. */
const AFTER_MS = 100

/** Some 2 MiB: SQLite begins at the journal's start again only when all of it is moved, and writers go on appending. */
const LONG_JOURNAL_PAGES = 500
const LONG_JOURNAL_BYTES = LONG_JOURNAL_PAGES * 4_096

export class Checkpoints implements TransactionWatcher {
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
  #isRefused = false
  /** What the journal may grow to before it is moved at once. */
  #mayHold = LONG_JOURNAL_BYTES
  /** What it took when it was last looked at. */
  #bytes = 0
  #isClosed = false

  /** @param whileNobodyWrites runs a work while this process begins no transaction that writes */
  constructor(file: OpenedFile, whileNobodyWrites: WhileNobodyWrites) {
    this.#file = file
    this.#whileNobodyWrites = whileNobodyWrites
  }

  /**
   * What cannot be moved is not added to, nor what has just grown: on a full disk the journal would take all that
   * somebody frees before the next pass, and could never be moved again.
   * @throws StoreUnavailable
   */
  readonly begins = async (): Promise<void> => {
    const bytes = this.#file.journalBytes()
    // It was cut, which SQLite does when it begins anew.
    if (bytes < this.#bytes) this.#mayHold = Math.max(LONG_JOURNAL_BYTES, bytes)
    this.#bytes = bytes
    if (!this.#isRefused && bytes <= this.#mayHold) return
    const pass = await this.#pass().catch(unlessRefused)
    // Where all of it was moved it keeps its room, and is written from its beginning again.
    if (pass !== undefined && pass.moved === pass.pages) {
      this.#mayHold = Math.max(LONG_JOURNAL_BYTES, bytes)
      return
    }
    // What a long read still needs stays, and is not tried for with every write. Each page of it may be a new one of the
    // file's, and the journal grows on until it is looked at again.
    if (this.#file.roomBytes() < bytes + 2 * LONG_JOURNAL_BYTES) {
      throw new StoreUnavailable(
        'the disk is nearly full, and a long read keeps the journal from being moved',
      )
    }
    this.#mayHold = bytes + LONG_JOURNAL_BYTES
  }

  /** Something was committed, or could not be: on a full disk the journal's room is what there is to be had. */
  readonly ended = (): void => {
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
      if (this.#isBehind) this.ended()
    }
  }

  /** @throws StoreUnavailable where the file cannot take what is in the journal */
  async #pass(): Promise<CheckpointPass> {
    // Another file at the path is none of this program's business.
    this.#file.assertThere()
    const pass = await this.#thread.ask({ path: this.#file.path })
    this.#isRefused = pass.refused !== null
    if (pass.refused !== null) throw new StoreUnavailable(pass.refused)
    return pass
  }
}

/** A thread that broke down, say, is no reason not to write. */
function unlessRefused(error: unknown): undefined {
  if (error instanceof StoreUnavailable) throw error
  return undefined
}
