/** Opening the file: whose it is, its journal, its schema. */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { connect, type Connection, type ConnectionOptions } from './connection.js'
import { StoreRefused } from '../errors.js'
import { makeFolder } from './folder.js'
import { APPLICATION_ID, migrate, refusal } from './schema.js'

/**
 * The connection that writes, with the schema in place.
 * @throws StoreRefused when the file is another program's or newer than this one (it stays as it is, to the byte), and
 *   when there can be none at this path
 */
export function openFile(path: string, options: ConnectionOptions): Connection {
  try {
    makeFolder(dirname(path))
    inspect(path)
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    throw error instanceof Error && syscall !== undefined ? refused(path, message) : error
  }
  const connection = connect(path, 'begin immediate', options)
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
  let reason = file.isFile() ? headerRefusal(path, file.size) : null
  if (reason !== null) throw refused(path, reason)
  try {
    handle = new BetterSqlite3(path, { readonly: true, timeout: 0 })
    reason = refusal(handle)
  } catch (error) {
    if (!(error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_NOTADB')) throw error
    reason = 'it is no SQLite database'
  } finally {
    handle?.close()
  }
  if (reason !== null) throw refused(path, reason)
}

function refused(path: string, reason: string): StoreRefused {
  return new StoreRefused(`the database file ${path} cannot be used: ${reason}`)
}

/** Places in the header of a SQLite file; numbers are big-endian. */
const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100
const PAGE_SIZE_AT = 16
const PAGE_COUNT_AT = 28
const APPLICATION_ID_AT = 68

/**
 * What the first bytes tell, read as of any file: even a connection that cannot write leaves a journal and its index
 * beside a database in WAL mode. This program's file has its mark as soon as it has a second page; what is in its first
 * page only by way of the journal is found by a connection.
 */
function headerRefusal(path: string, size: number): string | null {
  const header = Buffer.alloc(HEADER_BYTES)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, header, 0, HEADER_BYTES, 0)
  } finally {
    closeSync(descriptor)
  }
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) return 'it is no SQLite database'
  const applicationId = header.readUInt32BE(APPLICATION_ID_AT)
  const pages = header.readUInt32BE(PAGE_COUNT_AT)
  if (applicationId === 0) return pages > 1 ? 'it holds the tables of another program' : null
  if (applicationId !== APPLICATION_ID) return 'it belongs to another program'
  // 65,536 bytes do not fit the field.
  const stated = header.readUInt16BE(PAGE_SIZE_AT)
  const whole = pages * (stated === 1 ? 65_536 : stated)
  // With a journal, a process that was killed may have been about to write the rest.
  const journal = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  return size < whole && journal === 0 ? `it is damaged: ${size} of its ${whole} bytes are there` : null
}
