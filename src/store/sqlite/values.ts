/** Many values in few statements. */
import { CompiledQuery } from 'kysely'
import type { Database } from '../queries/dialect.js'
import { nextTurn } from '../../next-turn.js'
import { withoutNegativeZero } from '../write-checks.js'
import type { ValueOfRun } from '../import-batches.js'
import type { RunValue } from '../runs.js'

/** 200 rows of six variables: far below the limit of 32,766, and past it a longer statement gains nothing. */
const ROWS = 200

/** Some milliseconds of inserting, then whatever else waits for the event loop. */
const PAUSE_AFTER = 5 * ROWS

export async function insertValues(db: Database, runId: string, values: readonly RunValue[]): Promise<void> {
  await insertValuesOfRuns(
    db,
    values.map((value) => ({ runId, value })),
  )
}

/**
 * Inserts values of any runs. The values are bound, never written as text or JSON, which would round them. The text
 * of a full statement is always the same, so that it stays prepared; the rest go row by row.
 */
export async function insertValuesOfRuns(db: Database, values: readonly ValueOfRun[]): Promise<void> {
  const full = values.length - (values.length % ROWS)
  for (let start = 0; start < full; start += ROWS) {
    const parameters = values.slice(start, start + ROWS).flatMap(columns)
    await db.executeQuery(CompiledQuery.raw(INSERT_MANY, parameters))
    if (start % PAUSE_AFTER === PAUSE_AFTER - ROWS) await nextTurn()
  }
  for (const value of values.slice(full)) {
    await db.executeQuery(CompiledQuery.raw(INSERT_ONE, columns(value)))
  }
}

const INTO = 'insert into metric_values (run_id, metric_key, steps_key, constraint_key, step, value) values'
const ROW = '(?, ?, ?, ?, ?, ?)'
const INSERT_ONE = `${INTO} ${ROW}`
const INSERT_MANY = `${INTO} ${Array<string>(ROWS).fill(ROW).join(', ')}`

function columns({ runId, value }: ValueOfRun): unknown[] {
  return [
    runId,
    value.metricKey,
    value.stepsKey,
    value.constraintKey,
    value.step,
    withoutNegativeZero(value.value),
  ]
}
