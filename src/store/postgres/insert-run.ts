import { sql } from 'kysely'
import { vectorRows } from '../queries/copies.js'
import type { Database } from '../queries/dialect.js'
import { insertRunRow, runColumnsOf, type RunColumns } from '../queries/runs.js'
import { statement } from '../queries/statement.js'
import type { NewRun } from '../runs.js'
import { postgresCodec } from './codec.js'
import { vectorColumns, vectorsOf, type VectorColumns } from './copies.js'
import { unnested, valueColumns, type ValueColumns } from './values.js'

/** In one statement: each way to the server costs more than what it does there. */
const insertAll = statement(
  (db, run: RunColumns & ValueColumns & VectorColumns) => sql`
    with written as (${insertRunRow(db, postgresCodec, run)}),
    valued as (
      insert into metric_values (run_id, metric_key, steps_key, constraint_key, step, value)
      select w.run_id, v.* from written w cross join ${unnested(run)} as v
    )
    insert into run_vectors (series_key, metric_key, created_at, run_id, steps, vals)
    select v.* from written w cross join ${vectorsOf(run)} as v`,
)

export async function insertRun(db: Database, run: NewRun): Promise<void> {
  await insertAll(db, {
    ...runColumnsOf(postgresCodec, run),
    ...valueColumns(run.values),
    ...vectorColumns(vectorRows([run])),
  })
}
