/** Kysely on a connection that somebody else lends and takes back: it only builds statements and hands them over. */
import type { DatabaseConnection, Driver } from 'kysely'

/** @param executeQuery runs one statement; transactions are the lender's */
export function driverOn(executeQuery: DatabaseConnection['executeQuery']): Driver {
  const nothing = () => Promise.resolve()
  const connection: DatabaseConnection = { executeQuery, streamQuery }
  return {
    init: nothing,
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
  }
}

/** Long results are read in pages; a cursor would be one more thing for a pooler to get wrong. */
function streamQuery(): never {
  throw new Error('the store does not stream')
}
