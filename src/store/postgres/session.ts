/** One transaction on one client of a pool. */
import type { Socket } from 'node:net'
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
import { driverOn } from '../one-connection.js'
import type { Database } from '../queries/dialect.js'
import type { NamedQuery } from '../queries/statement.js'
import { StoreUnavailable } from '../errors.js'
import type { Tables } from '../tables.js'
import { processOf, streamOf, type Connections, type Standing } from './connections.js'
import { explain } from './failures.js'

/** What a transaction is held to; times are of `performance.now()`. */
export interface Bounds {
  /** After this it no longer waits for a connection. */
  readonly connectBy: number
  /** After this it waits for no answer: many slow statements take no longer than a few. */
  readonly answerBy: number
  /** How long it waits for the answer to one statement. */
  readonly answerMs: number
}

/** A connection that has rested is given up this soon, while there is time for another try. */
const FIRST_ANSWER_MS = 3_000

/** How a transaction begins: statements without parameters, sent as one. */
export interface Begin {
  /** With what it is held to, which ends with it. */
  readonly text: string
  /** Where the connection is held to that for good. */
  readonly bare: string
  /** Makes it so. */
  readonly settle: string
  /**
   * Nothing is lost with it: the first statement goes out right behind the beginning, and nobody waits for the answer to
   * the commit. Two of three ways to the server and back are saved.
   */
  readonly readsOnly: boolean
  /** The end goes out right behind the one statement, too; on a settled connection in use there is neither. */
  readonly single: boolean
}

/** A work that was to ask a single question asked another. */
export class AskedMore extends Error {
  override readonly name = 'AskedMore'
}

/** Answers in the transaction that asks; in another one of a pooler's it would be another process. */
const ASK_PROCESS = '; select pg_backend_pid() as process'

/**
 * Runs `work` between `begin` and a commit.
 * @throws Transient, StoreUnavailable, or whatever `work` threw
 */
export async function transact<T>(
  connections: Connections,
  begin: Begin,
  bounds: Bounds,
  onQuery: ((sql: string) => void) | undefined,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const { client, rested, standing } = await connections.lend(bounds.connectBy)
  const session = new Session(client, standing, bounds, onQuery, begin.single)
  connections.whenTaken(client, (error) => session.takeAway(error))
  let ended: Promise<void> = Promise.resolve()
  try {
    const begun = session.begin(begin, rested ? FIRST_ANSWER_MS : Infinity)
    // Where the beginning failed, what stands behind it would be a transaction by itself. A settled connection refuses
    // to write in one.
    if (!begin.readsOnly && standing !== 'settled') await begun
    const result = await work(session.db)
    // Answers come in order: after that to a statement nothing is waited for here.
    await begun
    if (begin.readsOnly) ended = session.end()
    else await session.commit()
    return result
  } catch (error) {
    await session.rollback()
    throw error
  } finally {
    void ended.then(() => {
      if (session.mixedUp) connections.trustNone()
      connections.learn(client, session.standing)
      connections.giveBack(client, session.broken)
    })
  }
}

/**
 * Kysely's own driver was not taken: it keeps using a client that timed out (its rollback waits behind the dead
 * query), lets a failed rollback hide the error, and sends settings of a transaction one by one.
 */
class Session {
  readonly db: Database
  readonly #client: pg.PoolClient
  #standing: Standing
  /** Whether the server keeps statements of this connection by their names. */
  readonly #names: boolean
  #mixedUp = false
  /** For the answer that comes first. */
  #firstMs = Infinity
  /** Ends the waiting for an answer: of the statements under way. */
  readonly #giveUp = new Set<(error: Error) => void>()
  #takenAway: Error | null = null
  readonly #bounds: Bounds
  readonly #onQuery: ((sql: string) => void) | undefined
  /** How it ends, for one of a single statement. */
  #ended: Promise<void> | null = null
  readonly #single: boolean
  #broken = false
  #over = false
  /** How many statements wait for their answers: they are sent as they come, and the server takes them in turn. */
  #underWay = 0

  constructor(
    client: pg.PoolClient,
    standing: Standing,
    bounds: Bounds,
    onQuery: ((sql: string) => void) | undefined,
    single: boolean,
  ) {
    this.#client = client
    this.#standing = standing
    this.#names = standing === 'own' || standing === 'settled'
    this.#single = single
    this.#bounds = bounds
    this.#onQuery = onQuery
    this.db = new Kysely<Tables>({ dialect: dialectOn(this.#execute) })
  }

  /** Whether the connection must not be used again. */
  get broken(): boolean {
    return this.#broken
  }

  /** The connection is gone: whoever waits for an answer is told, and whoever asks from now on. */
  takeAway(error: Error): void {
    this.#takenAway = error
    for (const giveUp of this.#giveUp) giveUp(error)
  }

  /** What is known of the connection by now. */
  get standing(): Standing {
    return this.#standing
  }

  /** Whether it has shown itself to be a pooler's, though it did not seem one. */
  get mixedUp(): boolean {
    return this.#mixedUp
  }

  /** Not told to the observer, as all that steers the transaction. The next statement does not wait for its answer. */
  begin(begin: Begin, firstMs: number): Promise<void> {
    this.#firstMs = firstMs
    const ways: Readonly<Record<Standing, () => Promise<void>>> = {
      shared: () => this.#send({ text: begin.text }).then(() => undefined),
      unknown: async () => this.#learn(await this.#send({ text: begin.text + ASK_PROCESS })),
      own: async () => {
        await Promise.all([this.#send({ text: begin.settle }), this.#beginBare(begin)])
        this.#standing = 'settled'
      },
      settled: () => this.#beginBare(begin),
    }
    const begun = ways[this.#standing]()
    begun.catch(() => undefined)
    return begun
  }

  async #beginBare(begin: Begin): Promise<void> {
    // Where the first answer must come soon, it is that to the beginning: the question itself may take its time.
    const answersSoon = this.#firstMs !== Infinity
    if (this.#single && !answersSoon) this.#ended = Promise.resolve()
    else await this.#send({ text: begin.bare })
  }

  /** Several statements in one answer have a result each, of which the types do not tell. */
  #learn(answer: pg.QueryResult): void {
    const process = ([answer].flat().at(-1)?.rows[0] as { process: number } | undefined)?.process
    this.#standing = process === processOf(this.#client) ? 'own' : 'shared'
  }

  async commit(): Promise<void> {
    this.#over = true
    const { command } = await this.#send({ text: 'commit' })
    // How the server answers when a statement had failed and `work` went on nevertheless.
    if (command === 'ROLLBACK') throw new Error('the transaction had failed before its commit')
  }

  /** Ends a transaction that only read; never throws. */
  end(): Promise<void> {
    this.#over = true
    this.#ended ??= this.#send({ text: 'commit' }).then(
      () => undefined,
      () => {
        this.#broken = true
      },
    )
    return this.#ended
  }

  /** Never throws: the error that led here is the one to tell. */
  async rollback(): Promise<void> {
    this.#over = true
    // The server makes a rollback of a commit behind a statement that failed.
    if (this.#ended !== null) return this.#ended
    if (this.#broken) return
    await this.#send({ text: 'rollback' }).catch(() => {
      this.#broken = true
    })
  }

  readonly #execute = async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
    if (this.#over) throw this.#single ? new AskedMore() : new Error('the transaction is over')
    this.#onQuery?.(query.sql)
    const answer = this.#send({ text: query.sql, values: [...query.parameters], ...this.#named(query) })
    if (this.#single) void this.end()
    const { command, rowCount, rows } = await answer
    return CHANGES.has(command)
      ? { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
      : { rows: rows as R[] }
  }

  #named(query: CompiledQuery | NamedQuery): { name: string } | undefined {
    return this.#names && 'name' in query ? { name: query.name } : undefined
  }

  async #send(query: pg.QueryConfig<unknown[]>): Promise<pg.QueryResult> {
    const { answerBy, answerMs } = this.#bounds
    // One that is sent behind others has their time as well.
    const patience = Math.min(this.#firstMs, answerMs * ++this.#underWay, answerBy - performance.now())
    this.#firstMs = Infinity
    try {
      if (patience <= 0) throw new StoreUnavailable('the database took too long to answer')
      const timed: TimedQuery = { ...query, query_timeout: Math.ceil(patience) }
      sendTogether(this.#client)
      return await this.#unlessTaken(this.#client.query(timed))
    } catch (error) {
      throw this.#failed(error, query.name !== undefined)
    } finally {
      this.#underWay--
    }
  }

  #failed(error: unknown, named: boolean): unknown {
    if (error instanceof StoreUnavailable) {
      this.#broken = true
      return error
    }
    const explained = explain(error, named)
    this.#broken ||= explained.broken
    this.#mixedUp ||= explained.mixedUp === true
    return explained.error
  }

  /** Not a race against one promise for the whole transaction, which would hold every answer until its end. */
  #unlessTaken<T>(answer: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#takenAway !== null) reject(this.#takenAway)
      this.#giveUp.add(reject)
      answer.then(resolve, reject).finally(() => this.#giveUp.delete(reject))
    })
  }
}

const gathering = new WeakSet<Socket>()

/**
 * What is sent in one turn goes out at its end in one piece: writing to the socket took two fifths of what a small
 * transaction costs this process.
 */
function sendTogether(client: pg.PoolClient): void {
  const stream = streamOf(client)
  if (gathering.has(stream)) return
  gathering.add(stream)
  stream.cork()
  setImmediate(() => {
    gathering.delete(stream)
    stream.uncork()
  })
}

/** The types know this bound for all statements of a connection only. */
interface TimedQuery extends pg.QueryConfig<unknown[]> {
  readonly query_timeout: number
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE'])

/** A dialect for one connection that is in a transaction already. */
function dialectOn(executeQuery: DatabaseConnection['executeQuery']): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driverOn(executeQuery),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}
