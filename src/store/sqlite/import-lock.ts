/**
 * That one import at a time stages rows, whatever process it is in. A lock of the operating system on a file beside the
 * database, which ends with its process at the latest: whatever is staged while nobody has it was left behind. A row
 * with a time that its owner keeps renewing was rejected: a process that was only suspended would come back to rows
 * that another one took for abandoned.
 */
import { realpathSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import { explain } from './failures.js'
import type { OpenedFile } from './opened-file.js'
import { Transient } from '../retry.js'

export interface ImportLock {
  release(): void
}

/**
 * Takes the lock, or answers null when another has it.
 * @throws StoreUnavailable where the database is not at its path any more
 */
export function tryImportLock(database: OpenedFile): ImportLock | null {
  database.assertThere()
  const handle = new BetterSqlite3(`${realpathSync(database.path)}-import`, { timeout: 0 })
  try {
    // The file stays empty: nothing is ever committed to it.
    handle.pragma('journal_mode = off')
    handle.exec('begin exclusive')
    return { release: () => void handle.close() }
  } catch (error) {
    handle.close()
    const explained = explain(error)
    if (explained instanceof Transient) return null
    throw explained
  }
}
