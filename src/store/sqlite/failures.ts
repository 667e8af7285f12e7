/** What a failure of SQLite means to the caller. */
import BetterSqlite3 from 'better-sqlite3'
import { Transient } from '../retry.js'
import { StoreUnavailable } from '../errors.js'

/** The error to throw in its place: worth another try, the store's fault, or the error as it was. */
export function explain(error: unknown): unknown {
  if (!(error instanceof BetterSqlite3.SqliteError)) return error
  // Extended codes (`SQLITE_IOERR_WRITE`) begin with the primary one.
  const [, primary = ''] = error.code.split('_')
  switch (primary) {
    case 'BUSY':
    case 'LOCKED':
    case 'PROTOCOL':
      return new Transient('the database is locked by another process', { cause: error })
    case 'CONSTRAINT':
      // The schema has one trigger that refuses anything: an import holds the run's id.
      if (error.code !== 'SQLITE_CONSTRAINT_TRIGGER') return error
      return new StoreUnavailable('a run with this id is being imported', { cause: error })
    case 'FULL':
      return new StoreUnavailable('the disk is full', { cause: error })
    case 'IOERR':
      return new StoreUnavailable('the disk cannot be read or written', { cause: error })
    case 'READONLY':
    case 'PERM':
    case 'CANTOPEN':
      return new StoreUnavailable('the database file cannot be opened or written', { cause: error })
    case 'CORRUPT':
    case 'NOTADB':
      return new StoreUnavailable('the database file is damaged', { cause: error })
    case 'NOMEM':
      return new StoreUnavailable('out of memory', { cause: error })
    default:
      return error
  }
}
