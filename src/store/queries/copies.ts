/** Making the copies that `vectors.ts` describes. */
import { sql } from 'kysely'
import type { Series, Timestamp } from '../../gate/run.js'
import { encodeVectors, type EncodedVector } from '../vectors.js'
import type { RunValue } from '../store.js'
import type { Database, Dialect } from './dialect.js'
import { readSeries, type SeriesRow } from './rows.js'
import { valuesOfRuns } from './run-contents.js'

/** A run as its copy needs it. */
export interface CopySource {
  readonly runId: string
  readonly series: Series
  readonly createdAt: Timestamp
  readonly values: readonly RunValue[]
}

/** One row of the copy. */
export interface VectorRow extends EncodedVector {
  readonly runId: string
  readonly series: Series
  readonly createdAt: Timestamp
}

export function vectorRows(runs: readonly CopySource[]): VectorRow[] {
  return runs.flatMap(({ runId, series, createdAt, values }) =>
    encodeVectors(values).map((vector) => ({ ...vector, runId, series, createdAt })),
  )
}

/** What both backends know a series by, in their own form; the triggers make the same text. */
export function seriesText({ testPath, backend, suite }: Series): string {
  return [testPath, backend, suite].join(String.fromCharCode(31))
}

/** Runs a batch, unless one alone has more values. Some ten milliseconds each. */
const RUNS = 200
const VALUES = 5_000

/**
 * Copies some of the runs that have no copy; answers how many, so that 0 says that none is left. A run whose time
 * cannot be told has no place in a history that is newest first, and none here.
 */
export async function copySome(db: Database, dialect: Dialect): Promise<number> {
  const { rows } = await sql<SeriesRow & { run_id: string; created_at: Timestamp; n: number }>`
    select r.run_id, r.test_path, r.backend, r.suite, ${dialect.timeText('r.created_at')} as created_at,
      (select count(*) from metric_values m where m.run_id = r.run_id) as n
    from ${dialect.uncopiedRuns(RUNS)} r`.execute(db)
  let room = VALUES
  const some = rows.filter(({ n }, index) => (room -= n) >= 0 || index === 0)
  const values = await valuesOfRuns(
    db,
    dialect,
    some.map(({ run_id: runId }) => runId),
  )
  await dialect.insertVectors(
    db,
    vectorRows(
      some.map((row) => ({
        runId: row.run_id,
        series: readSeries(row),
        createdAt: row.created_at,
        values: values.get(row.run_id) ?? [],
      })),
    ),
  )
  return some.length
}
