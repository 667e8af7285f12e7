/** Statements that are asked with every request. */
import type { CompiledQuery } from 'kysely'
import type { Database, Dialect } from './dialect.js'

/** The place of a parameter in a statement that was built once. */
class Slot {
  constructor(readonly index: number) {}
}

/**
 * A statement that is built and compiled once for a backend; from then on only its parameters change. Building it anew
 * costs several times what SQLite needs to run it. Nothing of the moment may go into the building, the clock least of all.
 */
export class Prepared<Parameters extends readonly string[], Row> {
  readonly #build: (db: Database, dialect: Dialect, ...parameters: Parameters) => CompiledQuery<Row>
  readonly #compiled = new WeakMap<Dialect, CompiledQuery<Row>>()

  constructor(build: (db: Database, dialect: Dialect, ...parameters: Parameters) => CompiledQuery<Row>) {
    this.#build = build
  }

  async run(db: Database, dialect: Dialect, ...parameters: Parameters): Promise<Row[]> {
    let compiled = this.#compiled.get(dialect)
    if (compiled === undefined) {
      const slots = parameters.map((_value, index) => new Slot(index)) as unknown as Parameters
      compiled = this.#build(db, dialect, ...slots)
      this.#compiled.set(dialect, compiled)
    }
    const bound = compiled.parameters.map((one) => (one instanceof Slot ? parameters[one.index] : one))
    return (await db.executeQuery<Row>({ ...compiled, parameters: bound })).rows
  }
}
