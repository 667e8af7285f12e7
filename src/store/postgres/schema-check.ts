/** Whether the database has the schema that this program needs. Only reads: the schema is applied by its owner. */
import { sql } from 'kysely'
import type { Database } from '../queries/dialect.js'
import type { Readiness } from '../store.js'

/** The numbered files of `migrations-external`; the place in the list is the version that a file records. */
export const MIGRATIONS = [
  '001_history.sql',
  '002_gatehouse.sql',
  '003_roles.sql',
  '004_credentials.sql',
  '005_vectors.sql',
  '006_evals.sql',
] as const

export async function checkSchema(db: Database): Promise<Readiness> {
  const { rows } = await sql<{ exists: boolean; readable: boolean | null }>`
    select t.oid is not null as exists, has_table_privilege(t.oid, 'select') as readable
    from (select to_regclass('gatehouse_migrations') as oid) t`.execute(db)
  if (rows[0]?.exists !== true) return missing(MIGRATIONS)
  if (rows[0].readable !== true) {
    return notReady(
      'the login role has no right to gatehouse_migrations: apply migrations-external/003_roles.sql' +
        ' and make the role a member of gatehouse_app',
    )
  }
  const applied = await sql<{ version: number }>`
    select version from gatehouse_migrations order by version`.execute(db)
  const versions = new Set(applied.rows.map((row) => row.version))
  const absent = MIGRATIONS.filter((_file, index) => !versions.has(index + 1))
  if (absent.length > 0) return missing(absent)
  const newest = Math.max(...versions)
  if (newest > MIGRATIONS.length) {
    return notReady(
      `this program is older than the database: its schema has version ${newest},` +
        ` and this program knows up to ${MIGRATIONS.length}; run the newer release`,
    )
  }
  return { ready: true }
}

function missing(files: readonly string[]): Readiness {
  const paths = files.map((file) => `migrations-external/${file}`)
  return notReady(`the schema is incomplete: apply ${paths.join(', then ')}`)
}

function notReady(reason: string): Readiness {
  return { ready: false, reason }
}
