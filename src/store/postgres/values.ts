/** Many values in one statement. */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../queries/dialect.js'
import type { ValueOfRun } from '../import-batches.js'
import type { RunValue } from '../runs.js'
import { withoutNegativeZero } from '../write-checks.js'

/** One array a column; a statement with a parameter for each field would end at 65,535 parameters. */
export interface ValueColumns {
  readonly valueMetrics: readonly string[]
  readonly stepsKeys: readonly string[]
  readonly constraintKeys: readonly string[]
  readonly steps: readonly number[]
  readonly values: readonly number[]
}

export function valueColumns(values: readonly RunValue[]): ValueColumns {
  return {
    valueMetrics: values.map((value) => value.metricKey),
    stepsKeys: values.map((value) => value.stepsKey),
    constraintKeys: values.map((value) => value.constraintKey),
    steps: values.map((value) => value.step),
    values: values.map((value) => withoutNegativeZero(value.value)),
  }
}

/** A table of the columns of values but for the run. */
export function unnested(columns: ValueColumns, more: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  return sql`unnest(
    ${columns.valueMetrics}::text[],
    ${columns.stepsKeys}::text[],
    ${columns.constraintKeys}::text[],
    ${columns.steps}::bigint[],
    ${columns.values}::double precision[]
    ${more}
  )`
}

/** Inserts values of several runs. */
export async function insertValuesOfRuns(db: Database, values: readonly ValueOfRun[]): Promise<void> {
  const runIds = sql`${values.map(({ runId }) => runId)}::text[]`
  await sql`
    insert into metric_values (metric_key, steps_key, constraint_key, step, value, run_id)
    select * from ${unnested(valueColumns(values.map(({ value }) => value)), sql`, ${runIds}`)}`.execute(db)
}
