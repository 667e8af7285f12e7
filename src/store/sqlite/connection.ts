/** One connection: better-sqlite3 under Kysely. */
import BetterSqlite3 from 'better-sqlite3'
import {
  CompiledQuery,
  Kysely,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver as KyselyDriver,
  type QueryResult,
  type SqliteStatement,
} from 'kysely'
import { driverOn } from '../one-connection.js'
import type { Tables } from '../tables.js'
import { Journal, type Flush } from './journal.js'
import { OpenedFile } from './opened-file.js'

export interface ConnectionOptions {
  /** Told the SQL of every statement but begin, commit and rollback. */
  readonly onQuery?: (sql: string) => void
  /** How what is committed gets to the disk; fdatasync. */
  readonly flush?: Flush
}

export interface Connection {
  readonly handle: BetterSqlite3.Database
  readonly db: Kysely<Tables>
  /** The same for single statements outside of a transaction: without what guards and begins one. */
  readonly asking: Kysely<Tables>
  readonly file: OpenedFile
  /** Has each transaction wait for `begins`, and tell `ended`. */
  readonly watch: (watcher: TransactionWatcher) => void
  readonly close: () => Promise<void>
}

export interface TransactionWatcher {
  /** What it throws is thrown in the place of a beginning. */
  readonly begins: () => Promise<void>
  /** Committed or not. */
  readonly ended: () => void
}

/** Statements kept prepared per connection; the store has fewer texts than that but for lists with many filters. */
const PREPARED = 200

/**
 * In pages of four KiB; as SQLite comes it is a 32nd of this. Then a writer moves the journal into the file itself, and the
 * event loop waits for the disk meanwhile. It is left to `Checkpoints`, and this is what there is where that fails.
 */
const JOURNAL_PAGES = 32_768

/**
 * @param begin how transactions begin. `begin immediate` for writing: a deferred transaction that reads and then
 *   writes fails with SQLITE_BUSY whenever another process wrote in between, however long it waits.
 * @param opened the file that the store's first connection opened, which alone may be at the path
 * @throws StoreUnavailable where it is not any more; SQLite would make an empty one
 */
export function connect(
  path: string,
  begin: 'begin' | 'begin immediate',
  { onQuery, flush }: ConnectionOptions,
  opened?: OpenedFile,
): Connection {
  opened?.assertThere()
  // No busy timeout: it would wait inside SQLite and stop the event loop with it. Those who meet a lock try again later.
  const handle = new BetterSqlite3(path, { timeout: 0 })
  const file = opened ?? new OpenedFile(path)
  // The journal is flushed after each commit, elsewhere than on the event loop.
  handle.pragma('synchronous = normal')
  handle.pragma('foreign_keys = on')
  handle.pragma('temp_store = memory')
  handle.pragma('journal_size_limit = 67108864')
  handle.pragma(`wal_autocheckpoint = ${JOURNAL_PAGES}`)
  if (begin === 'begin') handle.pragma('query_only = on')

  const prepared = new Map<string, SqliteStatement>()
  const database = {
    close: () => void handle.close(),
    /** Preparing costs more than running most statements: measured 60 µs against 10 µs. */
    prepare(sql: string): SqliteStatement {
      if (!TRANSACTION_CONTROL.test(sql)) onQuery?.(sql)
      const known = prepared.get(sql)
      if (known !== undefined) return known
      const statement = handle.prepare(sql) as unknown as SqliteStatement
      if (prepared.size >= PREPARED) prepared.delete(prepared.keys().next().value ?? '')
      prepared.set(sql, statement)
      return statement
    },
  }

  const journal = new Journal(
    file.realPath,
    () => {
      const [pass] = handle.pragma('wal_checkpoint(full)') as [
        { busy: number; log: number; checkpointed: number },
      ]
      return pass.busy === 0 && pass.log === pass.checkpointed
    },
    flush,
  )
  let watcher: TransactionWatcher | null = null
  class Driver extends SqliteDriver {
    override async beginTransaction(connection: DatabaseConnection): Promise<void> {
      if (begin === 'begin immediate') {
        file.assertThere()
        await watcher?.begins()
      }
      await connection.executeQuery(CompiledQuery.raw(begin))
      if (begin === 'begin') return
      try {
        await journal.open()
      } catch (error) {
        await this.rollbackTransaction(connection)
        throw error
      }
    }
    override async commitTransaction(connection: DatabaseConnection): Promise<void> {
      await super.commitTransaction(connection)
      if (begin === 'begin') return
      watcher?.ended()
      await journal.flush()
    }
    override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
      // SQLite itself rolls back after some failures (a full disk); a second one would hide the first error.
      if (handle.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
      watcher?.ended()
    }
  }
  class Dialect extends SqliteDialect {
    override createDriver(): SqliteDriver {
      return new Driver({ database })
    }
  }
  class AskingDialect extends SqliteDialect {
    override createDriver(): KyselyDriver {
      return driverOn(ask)
    }
  }
  const db = new Kysely<Tables>({ dialect: new Dialect({ database }) })
  const ask = <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> =>
    Promise.resolve({ rows: database.prepare(sql).all(parameters) as R[] })
  return {
    handle,
    file,
    watch: (wanted) => {
      watcher = wanted
    },
    asking: new Kysely<Tables>({ dialect: new AskingDialect({ database }) }),
    db,
    close: async () => {
      await db.destroy()
      // Kysely closes only what it has used.
      handle.close()
      await journal.close()
    },
  }
}

const TRANSACTION_CONTROL = /^(begin|commit|rollback)/
