/**
 * Statements whose text never changes. To make the text costs more than to run it (measured with Kysely on SQLite:
 * 150 µs against 10), so that those on the way of every verdict are made once.
 */
import { createHash } from 'node:crypto'
import { CompiledQuery, type Compilable, type RawBuilder } from 'kysely'
import type { Database, Dialect } from './dialect.js'

class Placeholder {
  constructor(readonly name: string) {}
}

/** A query that is one of a few: a database may keep what it made of it, under this name. */
export interface NamedQuery extends CompiledQuery {
  /** Follows from the text, so that one name never stands for two. */
  readonly name: string
}

interface Made {
  readonly sql: string
  readonly name: string
  /** Which of the values each parameter of the statement is. */
  readonly order: readonly string[]
}

/**
 * @param build makes the statement with its values as parameters. It is called once for each kind of database, with
 *   something that stands for the values: it may put them into the statement, and do nothing else with them
 * @returns runs the statement on a transaction, and answers its rows
 * @throws Error at first use where the statement holds a parameter that is none of the values: it would never change
 */
export function statement<Values extends object, Row>(
  build: (db: Database, values: Values) => RawBuilder<Row> | Compilable<Row>,
): (db: Database, values: Values) => Promise<Row[]> {
  const made = new Map<unknown, Made>()
  return async (db, values) => {
    // One of SQLite's and one of PostgreSQL's: connections and transactions come and go.
    const kind = db.getExecutor().adapter.constructor
    let known = made.get(kind)
    if (known === undefined) made.set(kind, (known = make(build(db, standIns<Values>()), db)))
    const parameters = known.order.map((name) => (values as Record<string, unknown>)[name])
    const { sql, name } = known
    const query: NamedQuery = { ...CompiledQuery.raw(sql, parameters), name }
    const { rows } = await db.executeQuery(query)
    return rows as Row[]
  }
}

function standIns<Values extends object>(): Values {
  return new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) }) as Values
}

function make<Row>(built: RawBuilder<Row> | Compilable<Row>, db: Database): Made {
  const { sql, parameters } = 'isRawBuilder' in built ? built.compile(db) : built.compile()
  const order = parameters.map((parameter) => {
    if (parameter instanceof Placeholder) return parameter.name
    throw new Error(`a statement that is made once holds the parameter ${String(parameter)}: ${sql}`)
  })
  const name = `gatehouse_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`
  return { sql, name, order }
}

/** As `make` makes it, once for each dialect: for statements that are written in the dialect's words. */
export function forDialect<T>(make: (dialect: Dialect) => T): (dialect: Dialect) => T {
  const made = new WeakMap<Dialect, T>()
  return (dialect) => {
    const known = made.get(dialect) ?? make(dialect)
    made.set(dialect, known)
    return known
  }
}
