import { vectorRows } from '../queries/copies.js'
import type { Database } from '../queries/dialect.js'
import { insertRunRow, runColumnsOf, type RunColumns } from '../queries/runs.js'
import { statement } from '../queries/statement.js'
import type { NewRun } from '../runs.js'
import { sqliteCodec } from './codec.js'
import { insertVectors } from './copies.js'
import { insertValues } from './values.js'

const insertRow = statement((db, run: RunColumns) => insertRunRow(db, sqliteCodec, run))

export async function insertRun(db: Database, run: NewRun): Promise<void> {
  const inserted = await insertRow(db, runColumnsOf(sqliteCodec, run))
  if (inserted.length === 0) return
  if (run.values.length > 0) await insertValues(db, run.runId, run.values)
  // After the values, whose coming takes a copy away.
  await insertVectors(db, vectorRows([run]))
}
