/** All values of a run in one statement. */
import { sql } from 'kysely'
import type { Database } from '../queries/dialect.js'
import type { RunValue } from '../store.js'
import { withoutNegativeZero } from '../write-checks.js'

/** One array a column; a statement with a parameter for each field would end at 65,535 parameters. */
export async function insertValues(db: Database, runId: string, values: readonly RunValue[]): Promise<void> {
  await sql`
    insert into metric_values (run_id, metric_key, steps_key, constraint_key, step, value)
    select ${runId}, v.metric_key, v.steps_key, v.constraint_key, v.step, v.value
    from unnest(
      ${values.map((value) => value.metricKey)}::text[],
      ${values.map((value) => value.stepsKey)}::text[],
      ${values.map((value) => value.constraintKey)}::text[],
      ${values.map((value) => value.step)}::bigint[],
      ${values.map((value) => withoutNegativeZero(value.value))}::double precision[]
    ) as v (metric_key, steps_key, constraint_key, step, value)`.execute(db)
}
