/** A pool of connections, and what a transaction on one begins with. */
import pg from 'pg'
import { Connections } from './connections.js'
import { typeParsers } from './codec.js'
import type { Begin } from './session.js'

export interface PoolLimits {
  readonly poolSize: number
  /** For a new connection, and for a free one when all are lent. */
  readonly connectTimeoutMs: number
  /** For the server's work on one statement. */
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  /** How long the server keeps a transaction of a client that says nothing more, and its locks. */
  readonly idleInTransactionMs: number
}

/**
 * The server is asked to stop a statement in time; this much later the client gives it up as dead (a network that
 * swallows everything answers nothing at all).
 */
const ANSWER_GRACE_MS = 3_000

/** How long to wait for the answer to one statement. */
export function answerWithin({ statementTimeoutMs }: PoolLimits): number {
  return statementTimeoutMs + ANSWER_GRACE_MS
}

/**
 * For transactions that last as long as a client reads or sends: exports and imports. On a pool of its own, so that
 * they leave the others their connections.
 */
export function longLimits(limits: PoolLimits): PoolLimits {
  return {
    ...limits,
    poolSize: Math.min(limits.poolSize, LONG_POOL_SIZE),
    statementTimeoutMs: Math.max(limits.statementTimeoutMs, 60_000),
    idleInTransactionMs: 600_000,
  }
}
const LONG_POOL_SIZE = 4

/** @param onError told of failures of idle connections, which the pool replaces */
export function createPool(url: string, limits: PoolLimits, onError: (error: Error) => void): Connections {
  // No setting goes into the startup message (`options`, `statement_timeout`): poolers refuse them.
  const pool = new pg.Pool({
    connectionString: url,
    max: limits.poolSize,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // A statement goes out before the one ahead of it is answered.
    pipeline: true,
    fallback_application_name: 'gatehouse',
    types: typeParsers,
  })
  // Without these, an error event that nobody hears ends the process: of an idle client, and of a lent one between
  // two statements (whose next statement fails and tells).
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new Connections(pool)
}

/** How the transactions of a pool begin. */
export interface Beginnings {
  /** One snapshot for all its statements. */
  readonly reading: Begin
  /** One that asks a single question. */
  readonly asking: Begin
  /**
   * READ COMMITTED, so that what it reads after having waited for a lock is what the lock's last holder wrote.
   */
  readonly writing: Begin
}

export function beginnings(limits: PoolLimits): Beginnings {
  const settings = settingsOf(limits)
  const begin = (mode: string, more: string, readsOnly: boolean, single = false): Begin => {
    const bare = `begin ${mode}${more}`
    const set = (how: string) => settings.map((setting) => `${how} ${setting}`)
    return {
      // Everything in one message: one way to the server and back.
      text: [bare, ...set('set local')].join('; '),
      bare,
      // A question without a transaction is held to the same.
      settle: [...set('set'), ...QUESTIONS.map((setting) => `set ${setting}`)].join('; '),
      readsOnly,
      single,
    }
  }
  const reading = 'isolation level repeatable read read only'
  return {
    reading: begin(reading, '', true),
    asking: begin(reading, '', true, true),
    // Runs, values and their copy are written by one hand: the triggers of 005_vectors.sql need not look after them.
    writing: begin(
      'isolation level read committed read write',
      "; set local gatehouse.copying = 'on'",
      false,
    ),
  }
}

const QUESTIONS = ["default_transaction_isolation = 'repeatable read'", 'default_transaction_read_only = on']

function settingsOf({
  statementTimeoutMs,
  lockTimeoutMs,
  idleInTransactionMs,
}: PoolLimits): readonly string[] {
  return [
    `statement_timeout = ${statementTimeoutMs}`,
    `lock_timeout = ${lockTimeoutMs}`,
    `idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
    // Doubles as text that reads back to the bit, whatever the database's or role's default is.
    'extra_float_digits = 1',
    // A bitmap has no order: the planner takes one for the walk through a series, then sorts the series each time.
    'enable_bitmapscan = off',
    // Every query has its index. Without statistics (a fresh or restored table) the planner reads whole tables instead.
    'enable_seqscan = off',
    // Compiling a baseline query takes longer than running it.
    'jit = off',
  ]
}
