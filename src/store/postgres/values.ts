/** Many values in one statement. */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../queries/dialect.js'
import type { ValueOfRun } from '../import-batches.js'
import type { RunValue } from '../store.js'
import { withoutNegativeZero } from '../write-checks.js'

/** One array a column; a statement with a parameter for each field would end at 65,535 parameters. */
export async function insertValues(db: Database, runId: string, values: readonly RunValue[]): Promise<void> {
  await sql`
    insert into metric_values (run_id, metric_key, steps_key, constraint_key, step, value)
    select ${runId}, v.* from ${unnested(values)} as v (metric_key, steps_key, constraint_key, step, value)`.execute(
    db,
  )
}

/** As `insertValues`, for values of several runs. */
export async function insertValuesOfRuns(db: Database, values: readonly ValueOfRun[]): Promise<void> {
  const runIds = sql`${values.map(({ runId }) => runId)}::text[]`
  await sql`
    insert into metric_values (metric_key, steps_key, constraint_key, step, value, run_id)
    select * from ${unnested(
      values.map(({ value }) => value),
      sql`, ${runIds}`,
    )}`.execute(db)
}

function unnested(values: readonly RunValue[], more: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  return sql`unnest(
    ${values.map((value) => value.metricKey)}::text[],
    ${values.map((value) => value.stepsKey)}::text[],
    ${values.map((value) => value.constraintKey)}::text[],
    ${values.map((value) => value.step)}::bigint[],
    ${values.map((value) => withoutNegativeZero(value.value))}::double precision[]
    ${more}
  )`
}
