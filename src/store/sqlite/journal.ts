/** The write-ahead journal beside the database file, and its way to the disk. */
import { open, type FileHandle } from 'node:fs/promises'
import { StoreUnavailable } from '../store.js'

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
  readonly #flush: Flush
  #file: Promise<FileHandle> | null = null

  /** @param path of the database file */
  constructor(path: string, flush: Flush = (file) => file.datasync()) {
    this.#path = `${path}-wal`
    this.#flush = flush
  }

  /**
   * Resolves when everything that was committed before is on the disk.
   * @throws StoreUnavailable where the disk fails; whether it is there after the next start is in doubt then
   */
  async flush(): Promise<void> {
    try {
      // SQLite keeps its lock elsewhere, so that to open and close this file takes none from it.
      this.#file ??= open(this.#path, 'r+')
      await this.#flush(await this.#file)
    } catch (error) {
      this.#file = null
      throw new StoreUnavailable('the disk cannot be written', { cause: error })
    }
  }

  async close(): Promise<void> {
    const file = await this.#file?.catch(() => null)
    await file?.close()
  }
}
