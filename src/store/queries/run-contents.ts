/** Several runs at once, with their values. */
import { sql } from 'kysely'
import type { RunContent } from '../import-content.js'
import type { RunValue } from '../runs.js'
import type { Database, Dialect } from './dialect.js'
import { readValue, type ValueRow } from './rows.js'
import { readRun, selectRuns } from './runs.js'

/** Those of the runs that are stored, by id. */
export async function contentsOf(
  db: Database,
  dialect: Dialect,
  runIds: readonly string[],
): Promise<Map<string, RunContent>> {
  if (runIds.length === 0) return new Map()
  const rows = await selectRuns(db, dialect).where(dialect.isOneOf('r.run_id', runIds)).execute()
  const values = await valuesOfRuns(
    db,
    dialect,
    rows.map((row) => row.run_id),
  )
  return new Map(rows.map((row) => [row.run_id, { ...readRun(row), values: values.get(row.run_id) ?? [] }]))
}

/** By run, its values by metric key, then step. The runs are stored ones. */
export async function valuesOfRuns(
  db: Database,
  dialect: Dialect,
  runIds: readonly string[],
): Promise<Map<string, RunValue[]>> {
  if (runIds.length === 0) return new Map()
  const { rows } = await sql<ValueRow & { run_id: string }>`
    select r.run_id, m.metric_key, m.step, m.value, m.steps_key, m.constraint_key
    from ${dialect.ids('run_id', runIds)} r
    ${dialect.joinValues(sql<boolean>`1 = 1`)}
    order by ${dialect.byCodePoint('m.metric_key')}, m.step, m.value desc`.execute(db)
  const values = new Map<string, RunValue[]>()
  for (const row of rows) {
    const value = readValue(row)
    const known = values.get(row.run_id)
    if (known === undefined) values.set(row.run_id, [value])
    else known.push(value)
  }
  return values
}
