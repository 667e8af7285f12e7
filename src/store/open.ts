/** The one place where a configuration becomes an open store: the server and every command come through here. */
import type { DatabaseLocation } from '../config.js'
import { openPostgresStore } from './postgres/open.js'
import { openSqliteStore } from './sqlite/open.js'
import type { MetricHistoryStore } from './store.js'

export interface StoreSettings {
  readonly database: DatabaseLocation
  /** A replica for lists and history; null reads from the primary. */
  readonly readReplicaUrl: string | null
  readonly databasePoolSize: number
}

export interface OpenOptions {
  /** Told of failures of idle connections. */
  readonly onPoolError?: (error: Error) => void
  /** The clock of the embedded store; PostgreSQL's is its own. */
  readonly clock?: () => Date
}

/**
 * Opens the store that the configuration names. SQLite's file is made when it is missing; PostgreSQL is connected
 * to when first used.
 * @throws StoreRefused when a SQLite file is another program's or newer than this one
 * @throws StoreUnavailable when it cannot be opened
 */
export async function openStore(
  settings: StoreSettings,
  options: OpenOptions = {},
): Promise<MetricHistoryStore> {
  const { database, readReplicaUrl, databasePoolSize } = settings
  const { clock, onPoolError } = options
  if (database.kind === 'sqlite') return openSqliteStore({ path: database.path, ...(clock && { clock }) })
  return openPostgresStore({
    url: database.url,
    ...(readReplicaUrl !== null && { readUrl: readReplicaUrl }),
    poolSize: databasePoolSize,
    ...(onPoolError && { onPoolError }),
  })
}
