/** The schema, which this backend creates itself. */
import type BetterSqlite3 from 'better-sqlite3'
import { CREDENTIALS } from './migrations/credentials.js'
import { EVALS } from './migrations/evals.js'
import { HISTORY } from './migrations/history.js'
import { OTHER_WRITERS } from './migrations/other-writers.js'
import { VECTORS } from './migrations/vectors.js'

/** `GATE`, in the file's header: tells this program's databases from any other's. */
export const APPLICATION_ID = 0x47415445

/** One entry a version, applied in order in one transaction. Entries never change once released; new ones follow. */
const MIGRATIONS: readonly string[] = [HISTORY, OTHER_WRITERS, CREDENTIALS, VECTORS, EVALS]

export const SCHEMA_VERSION = MIGRATIONS.length

/** Why a file cannot be used, or null. Only reads. */
export function refusal(database: BetterSqlite3.Database): string | null {
  const applicationId = database.pragma('application_id', { simple: true }) as number
  const version = database.pragma('user_version', { simple: true }) as number
  if (applicationId === 0 && version === 0) {
    const { tables } = database
      .prepare<[], { tables: number }>('select count(*) as tables from sqlite_master')
      .get() ?? { tables: 0 }
    return tables === 0 ? null : 'it holds the tables of another program'
  }
  if (applicationId !== APPLICATION_ID) return 'it belongs to another program'
  if (version > SCHEMA_VERSION) {
    return `its schema has version ${version}, and this program knows up to ${SCHEMA_VERSION}: run the newer program`
  }
  return null
}

/** Creates the schema, or what is missing of it. Others may be doing the same: the version is read under the lock. */
export function migrate(database: BetterSqlite3.Database): void {
  database
    .transaction(() => {
      const version = database.pragma('user_version', { simple: true }) as number
      if (version >= SCHEMA_VERSION) return
      for (const migration of MIGRATIONS.slice(version)) database.exec(migration)
      database.pragma(`application_id = ${APPLICATION_ID}`)
      database.pragma(`user_version = ${SCHEMA_VERSION}`)
    })
    .immediate()
}
