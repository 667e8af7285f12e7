/** What a failure of PostgreSQL, or of the way to it, means to the caller. */
import pg from 'pg'
import { Transient } from '../retry.js'
import { StoreUnavailable } from '../errors.js'

export interface Explained {
  /** The error to throw: worth another try, the store's fault, or the error as it was. */
  readonly error: unknown
  /** Whether the connection must not be used again. */
  readonly broken: boolean
  /** Whether a statement that was prepared is not what the server has under its name. */
  readonly mixedUp?: boolean
}

/**
 * A failure while a transaction runs.
 * @param named whether the statement is one that the server keeps prepared
 */
export function explain(error: unknown, named: boolean): Explained {
  if (named && error instanceof pg.DatabaseError) {
    const kept = explainPrepared(error)
    if (kept !== null) return kept
  }
  if (!(error instanceof pg.DatabaseError)) {
    // Not an answer of the server: a closed socket, a read timeout. What the server did is not known.
    const reason = 'the connection to the database was lost'
    return { error: new Transient(reason, { cause: error }), broken: true }
  }
  return { error: explainAnswer(error), broken: error.severity === 'FATAL' || isLost(error.code) }
}

/** What only a prepared statement can fail of; null where it failed as any other may. */
function explainPrepared(error: pg.DatabaseError): Explained | null {
  const options = { cause: error }
  if (MIXED_UP.has(error.code ?? '')) {
    const reason = 'a pooler puts prepared statements on connections that do not have them'
    return { error: new Transient(reason, options), broken: true, mixedUp: true }
  }
  // "cached plan must not change result type": a column got another type since. A new connection prepares it anew.
  if (error.code === '0A000') {
    return { error: new Transient('the schema changed under a statement', options), broken: true }
  }
  return null
}

/** A prepared statement does not exist; there is one of this name already. */
const MIXED_UP = new Set(['26000', '42P05'])

/** A failure to get a connection at all. */
export function explainConnecting(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? ''
    if (code.startsWith('28')) return new StoreUnavailable('the database refuses the login', { cause: error })
    if (code === '3D000') return new StoreUnavailable('there is no such database', { cause: error })
  }
  // The pool's own words, for want of a code: all connections are lent.
  if (error instanceof Error && error.message === 'timeout exceeded when trying to connect') {
    return new StoreUnavailable('too many transactions are waiting for the database', { cause: error })
  }
  return new Transient('the database cannot be reached', { cause: error })
}

function explainAnswer(error: pg.DatabaseError): unknown {
  const code = error.code ?? ''
  const options = { cause: error }
  if (isLost(code)) return new Transient('the connection to the database was lost', options)
  if (CONFLICTS.has(code)) return new Transient('transactions were in conflict for too long', options)
  // Waited for its whole bound already.
  if (code === '55P03') return new StoreUnavailable('the database is locked by another transaction', options)
  if (code === '57014') return new StoreUnavailable('the database took too long to answer', options)
  if (code.startsWith('53')) return new StoreUnavailable('the database is out of resources', options)
  if (code.startsWith('58')) return new StoreUnavailable("the database's own system failed", options)
  if (SCHEMA.has(code)) {
    return new StoreUnavailable(
      'the schema or the rights in it are not those that this program needs',
      options,
    )
  }
  return error
}

/** Serialization failure, deadlock. */
const CONFLICTS = new Set(['40001', '40P01'])

/** Undefined table, undefined column, no right. */
const SCHEMA = new Set(['42P01', '42703', '42501'])

/**
 * Connection exceptions; shutdown, crash, starting up, idle timeouts; a primary that became a standby in a failover;
 * too many connections.
 */
function isLost(code: string | undefined): boolean {
  if (code === undefined) return false
  return code.startsWith('08') || LOST.has(code)
}
const LOST = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25006', '53300'])
