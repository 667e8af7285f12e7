/** What both drivers hand over: rows, and the bytes of their values. */
import BetterSqlite3 from 'better-sqlite3'
import pg from 'pg'

export interface Fetched {
  rows: number
  /** Of the values alone: text as UTF-8, eight a number. */
  bytes: number
}

interface Drivers {
  query: (this: unknown, ...parameters: unknown[]) => unknown
  all: (this: unknown, ...parameters: unknown[]) => unknown[]
}

/** Counts, until the end of the test, all that this process fetches from either database; may be set to zero. */
export function countFetched(t: { teardown(work: () => void): void }): Fetched {
  const fetched: Fetched = { rows: 0, bytes: 0 }
  const count = (rows: readonly unknown[]) => {
    fetched.rows += rows.length
    for (const row of rows) {
      for (const value of Object.values(row as object)) fetched.bytes += sizeOf(value)
    }
  }
  const client = pg.Client.prototype as unknown as Pick<Drivers, 'query'>
  const { query } = client
  client.query = function (...parameters) {
    const answer = query.apply(this, parameters)
    if (answer instanceof Promise) {
      const counted = answer.then((result: pg.QueryResult | pg.QueryResult[]) => {
        for (const { rows } of [result].flat()) count(rows)
        return result
      })
      return counted
    }
    return answer
  }
  const database = new BetterSqlite3(':memory:')
  const statement = Object.getPrototypeOf(database.prepare('select 1')) as Pick<Drivers, 'all'>
  database.close()
  const { all } = statement
  statement.all = function (...parameters) {
    const rows = all.apply(this, parameters)
    count(rows)
    return rows
  }
  t.teardown(() => {
    client.query = query
    statement.all = all
  })
  return fetched
}

function sizeOf(value: unknown): number {
  if (value === null || value === undefined) return 0
  if (typeof value === 'string') return Buffer.byteLength(value)
  return Buffer.isBuffer(value) ? value.length : 8
}
