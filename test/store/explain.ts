/** The plans of the very statements that the store sends. */
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
} from 'kysely'
import pg from 'pg'
import { driverOn } from '../../src/store/one-connection.js'
import { postgresDialect } from '../../src/store/postgres/dialect.js'
import { beginnings } from '../../src/store/postgres/pool.js'
import { createReader } from '../../src/store/queries/reader.js'
import type { HistoryReader } from '../../src/store/store.js'
import type { Tables } from '../../src/store/tables.js'

const LIMITS = {
  poolSize: 1,
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 1_000,
  idleInTransactionMs: 60_000,
}

/** Runs `work` in a reading transaction; of each statement, the nodes of its plan that ran. */
export async function explain(
  url: string,
  work: (reader: HistoryReader) => Promise<unknown>,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  const plans: string[] = []
  const executeQuery = async <R>({ sql, parameters }: CompiledQuery) => {
    const plan = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, timing off) ${sql}`, [
      ...parameters,
    ])
    const lines = plan.rows.map((row) => row['QUERY PLAN'])
    plans.push(lines.filter((line) => !line.includes('(never executed)')).join('\n'))
    return { rows: (await client.query(sql, [...parameters])).rows as R[] }
  }
  await client.connect()
  try {
    await client.query(beginnings(LIMITS).reading.text)
    await work(createReader(databaseOn(executeQuery), postgresDialect))
    return plans
  } finally {
    await client.end()
  }
}

function databaseOn(executeQuery: DatabaseConnection['executeQuery']): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driverOn(executeQuery),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}
