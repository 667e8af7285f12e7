/** One transaction on one client of a pool. */
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import type { Database } from '../queries/dialect.js'
import { driverOn } from '../one-connection.js'
import { Transient } from '../retry.js'
import type { Tables } from '../tables.js'
import { explain, explainConnecting } from './failures.js'

/**
 * Runs `work` between `begin` and a commit.
 * @param begin statements without parameters, sent as one
 * @param deadline (of `performance.now()`) after which it no longer waits for a connection
 * @throws Transient, StoreUnavailable, or whatever `work` threw
 */
export async function transact<T>(
  pool: pg.Pool,
  begin: string,
  deadline: number,
  onQuery: ((sql: string) => void) | undefined,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const session = new Session(await acquire(pool, deadline), onQuery)
  try {
    await session.control(begin)
    const result = await work(session.db)
    await session.commit()
    return result
  } catch (error) {
    await session.rollback()
    throw error
  } finally {
    session.release()
  }
}

/**
 * A database whose statements run each by itself, on whichever client is free: one way to the server and back instead of
 * the three of a transaction. The settings of `beginReading` do not hold; what a client waits for a connection, and then
 * for an answer, is bounded by the pool. Its failures are as those of `transact`.
 */
export function asking(pool: pg.Pool, onQuery: ((sql: string) => void) | undefined): Database {
  const execute = async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw explainConnecting(error)
    })
    let broken = false
    try {
      onQuery?.(query.sql)
      return { rows: (await client.query(query.sql, [...query.parameters])).rows as R[] }
    } catch (error) {
      const explained = explain(error)
      broken = explained.broken
      throw explained.error
    } finally {
      client.release(broken)
    }
  }
  return new Kysely<Tables>({ dialect: dialectOn(execute) })
}

async function acquire(pool: pg.Pool, deadline: number): Promise<pg.PoolClient> {
  const connecting = pool.connect()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const expire = () => reject(new Transient('the database cannot be reached'))
    timer = setTimeout(expire, Math.max(0, deadline - performance.now()))
  })
  try {
    return await Promise.race([connecting, late])
  } catch (error) {
    // Nobody waits for it any more when it comes after all.
    connecting.then((client) => client.release()).catch(() => undefined)
    throw error instanceof Transient ? error : explainConnecting(error)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Kysely's own driver was not taken: it keeps using a client that timed out (its rollback waits behind the dead
 * query), lets a failed rollback hide the error, and sends settings of a transaction one by one.
 */
class Session {
  readonly db: Database
  readonly #client: pg.PoolClient
  readonly #onQuery: ((sql: string) => void) | undefined
  #broken = false
  #over = false
  /** The statement before: a client takes one at a time, whatever `work` runs at once. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(client: pg.PoolClient, onQuery: ((sql: string) => void) | undefined) {
    this.#client = client
    this.#onQuery = onQuery
    this.db = new Kysely<Tables>({ dialect: dialectOn(this.#execute) })
  }

  /** A statement that steers the transaction; not told to the observer. */
  async control(text: string): Promise<pg.QueryResult> {
    return this.#send(text, [])
  }

  async commit(): Promise<void> {
    this.#over = true
    const { command } = await this.control('commit')
    // How the server answers when a statement had failed and `work` went on nevertheless.
    if (command === 'ROLLBACK') throw new Error('the transaction had failed before its commit')
  }

  /** Never throws: the error that led here is the one to tell. */
  async rollback(): Promise<void> {
    this.#over = true
    if (this.#broken) return
    await this.control('rollback').catch(() => {
      this.#broken = true
    })
  }

  /** Back to the pool, or closed when it is not known to be sound. */
  release(): void {
    this.#client.release(this.#broken)
  }

  readonly #execute = async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
    if (this.#over) throw new Error('the transaction is over')
    this.#onQuery?.(query.sql)
    const { command, rowCount, rows } = await this.#send(query.sql, [...query.parameters])
    return CHANGES.has(command)
      ? { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
      : { rows: rows as R[] }
  }

  #send(text: string, parameters: unknown[]): Promise<pg.QueryResult> {
    const sent = this.#last.then(async () => {
      try {
        return await this.#client.query(text, parameters)
      } catch (error) {
        const explained = explain(error)
        this.#broken ||= explained.broken
        throw explained.error
      }
    })
    this.#last = sent.catch(() => undefined)
    return sent
  }
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE'])

/** A dialect for statements that are sent by hand. */
function dialectOn(executeQuery: DatabaseConnection['executeQuery']): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driverOn(executeQuery),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}
