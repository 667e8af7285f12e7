/** Opening the file: whose it is, its journal, its schema. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { connect, type Connection } from './connection.js'
import { migrate, refusal } from './schema.js'

/**
 * The connection that writes, with the schema in place.
 * @throws Error when the file is another program's or newer than this one; it stays as it is, to the byte
 */
export function openFile(path: string, onQuery: ((sql: string) => void) | undefined): Connection {
  mkdirSync(dirname(path), { recursive: true })
  inspect(path)
  const connection = connect(path, 'begin immediate', onQuery)
  try {
    connection.handle.pragma('journal_mode = wal')
    migrate(connection.handle)
    return connection
  } catch (error) {
    connection.handle.close()
    throw error
  }
}

/** Looks at an existing file through a connection that cannot write, before any setting could change it. */
function inspect(path: string): void {
  const file = statSync(path, { throwIfNoEntry: false })
  if (file === undefined || file.size === 0) return
  let handle: BetterSqlite3.Database | undefined
  let reason: string | null
  try {
    handle = new BetterSqlite3(path, { readonly: true, timeout: 0 })
    reason = refusal(handle)
  } catch (error) {
    if (!(error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_NOTADB')) throw error
    reason = 'it is no SQLite database'
  } finally {
    handle?.close()
  }
  if (reason !== null) throw new Error(`the database file ${path} cannot be used: ${reason}`)
}
