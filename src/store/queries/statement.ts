/**
 * Statements whose text never changes. To make the text costs more than to run it (measured with Kysely on SQLite:
 * 150 µs against 10), so that those on the way of every verdict are made once.
 */
import { CompiledQuery, type Compilable, type RawBuilder } from 'kysely'
import type { Database } from './dialect.js'

class Placeholder {
  constructor(readonly index: number) {}
}

interface Made {
  readonly sql: string
  /** Which of the arguments each parameter of the statement is. */
  readonly order: readonly number[]
}

/**
 * @param build makes the statement with its arguments as parameters. It is called once for each kind of database, with
 *   something that stands for the arguments: it may put them into the statement, and do nothing else with them
 * @returns runs the statement on a transaction, and answers its rows
 * @throws Error at first use where the statement holds a parameter that is no argument, which would never change again
 */
export function statement<Arguments extends readonly unknown[], Row>(
  build: (db: Database, ...values: Arguments) => RawBuilder<Row> | Compilable<Row>,
): (db: Database, ...values: Arguments) => Promise<Row[]> {
  const made = new Map<unknown, Made>()
  return async (db, ...values) => {
    // One of SQLite's and one of PostgreSQL's: connections and transactions come and go.
    const kind = db.getExecutor().adapter.constructor
    let known = made.get(kind)
    if (known === undefined) {
      const stand = values.map((_value, index) => new Placeholder(index)) as unknown as Arguments
      made.set(kind, (known = make(build(db, ...stand), db)))
    }
    const parameters = known.order.map((index) => values[index])
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(known.sql, parameters))
    return rows
  }
}

function make<Row>(built: RawBuilder<Row> | Compilable<Row>, db: Database): Made {
  const { sql, parameters } = 'isRawBuilder' in built ? built.compile(db) : built.compile()
  const order = parameters.map((parameter) => {
    if (parameter instanceof Placeholder) return parameter.index
    throw new Error(`a statement that is made once holds the parameter ${String(parameter)}: ${sql}`)
  })
  return { sql, order }
}
