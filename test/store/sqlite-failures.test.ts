/** What a failure of SQLite means to the caller. */
import BetterSqlite3 from 'better-sqlite3'
import t from 'tap'
import { Transient } from '../../src/store/retry.js'
import { explain } from '../../src/store/sqlite/failures.js'
import { StoreUnavailable } from '../../src/store/errors.js'

const meanings: Array<[string, typeof Transient | typeof StoreUnavailable]> = [
  ['SQLITE_BUSY', Transient],
  ['SQLITE_BUSY_SNAPSHOT', Transient],
  ['SQLITE_FULL', StoreUnavailable],
  ['SQLITE_IOERR_WRITE', StoreUnavailable],
  ['SQLITE_CANTOPEN', StoreUnavailable],
  ['SQLITE_READONLY_DIRECTORY', StoreUnavailable],
  ['SQLITE_CORRUPT_INDEX', StoreUnavailable],
  ['SQLITE_NOMEM', StoreUnavailable],
]
for (const [code, meaning] of meanings) {
  t.test(code, async (t) => {
    const error = new BetterSqlite3.SqliteError('message', code)
    const explained = explain(error) as Error
    t.type(explained, meaning)
    t.equal(explained.cause, error)
    t.notMatch(explained.message, /message/, 'an operator is told in other words')
  })
}

t.test('a mistake of the program stays what it is', async (t) => {
  const constraint = new BetterSqlite3.SqliteError('m', 'SQLITE_CONSTRAINT_UNIQUE')
  const other = new TypeError('x')
  t.equal(explain(constraint), constraint)
  t.equal(explain(other), other)
})
