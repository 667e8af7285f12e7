/** The write-ahead journal beside the database file, and its way to the disk. */
import { open, type FileHandle } from 'node:fs/promises'
import { StoreUnavailable } from '../errors.js'

/** Resolves when what was written to the file is on the disk. */
export type Flush = (file: FileHandle) => Promise<void>

/**
 * SQLite can wait for the disk itself (`synchronous = full`), but only where it is called, and that is the event loop:
 * a run of 5,000 values held it up for 50 to 110 ms. So its commits do not wait, which leaves the file whole whatever
 * happens and might lose the last of them with the machine's power; and nobody is told of a commit before the journal
 * was flushed. Others may read it a moment earlier.
 */
export class Journal {
  readonly #path: string
  readonly #moveAll: () => boolean
  readonly #flush: Flush
  #file: FileHandle | null = null
  #failed = false

  /**
   * @param realPath of the database file, with no link in it: SQLite keeps the journal beside what a link leads to
   * @param moveAll writes all of the journal into the database file and waits for the disk; whether it was all
   */
  constructor(realPath: string, moveAll: () => boolean, flush: Flush = (file) => file.datasync()) {
    this.#path = `${realPath}-wal`
    this.#moveAll = moveAll
    this.#flush = flush
  }

  /**
   * Has the journal at hand, so that nothing is committed that cannot be flushed.
   * @throws StoreUnavailable where it cannot be opened
   */
  async open(): Promise<void> {
    // SQLite keeps its lock elsewhere, so that to open and close this file takes none from it.
    this.#file ??= await telling(() => open(this.#path, 'r+'))
  }

  /**
   * Resolves when everything that was committed before is on the disk.
   * @throws StoreUnavailable where the disk fails; whether it is there after the next start is in doubt then
   */
  async flush(): Promise<void> {
    await telling(async () => {
      try {
        // The system tells of a failed write once, and takes it for written from then on: to flush again proves nothing
        // of it. What was committed is still to be read, so it is written once more, to another place.
        if (this.#failed && !this.#moveAll()) throw new Error('the journal could not be moved')
        await this.open()
        await this.#flush(this.#file!)
        this.#failed = false
      } catch (error) {
        this.#failed = true
        await this.close()
        throw error
      }
    })
  }

  async close(): Promise<void> {
    const file = this.#file
    this.#file = null
    await file?.close().catch(() => undefined)
  }
}

async function telling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof StoreUnavailable
      ? error
      : new StoreUnavailable('the disk cannot be written', { cause: error })
  }
}
