/** Making the copies that `vectors.ts` describes. */
import { sql, type SqlBool } from 'kysely'
import type { Series, Timestamp } from '../../gate/run.js'
import { encodeVectors, type EncodedVector } from '../vectors.js'
import type { RunValue } from '../runs.js'
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
  const { rows } = await sql<UncopiedRow>`
    select r.run_id, r.test_path, r.backend, r.suite, ${dialect.timeText('r.created_at')} as created_at
    from ${dialect.uncopiedRuns(RUNS)} r`.execute(db)
  const some = await batchOf(db, dialect, rows)
  const values = await valuesOfRuns(
    db,
    dialect,
    some.map(({ run_id: runId }) => runId),
  )
  await dialect.replaceVectors(
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

type UncopiedRow = SeriesRow & { run_id: string; created_at: Timestamp }

/**
 * The first of the runs that can be copied, as many as have room in a batch. Counted in groups that double: counting all of them would
 * read the values of long runs forty times, each time for a batch that takes five.
 */
async function batchOf(
  db: Database,
  dialect: Dialect,
  runs: readonly UncopiedRow[],
): Promise<readonly UncopiedRow[]> {
  const taken: UncopiedRow[] = []
  let room = VALUES
  for (let from = 0, size = 1; from < runs.length; from += size, size *= 2) {
    const group = runs.slice(from, from + size)
    const { rows } = await sql<{ run_id: string; n: number; uncopiable: SqlBool }>`
      select i.run_id, (select count(*) from metric_values m where m.run_id = i.run_id) as n,
        ${dialect.hasUncopiable('i.run_id')} as uncopiable
      from ${dialect.ids(
        'run_id',
        group.map((run) => run.run_id),
      )} i`.execute(db)
    const counts = new Map(
      rows.filter(({ uncopiable }) => !uncopiable).map(({ run_id: runId, n }) => [runId, Number(n)]),
    )
    for (const run of group) {
      const count = counts.get(run.run_id)
      if (count === undefined) continue
      room -= count
      if (room < 0 && taken.length > 0) return taken
      taken.push(run)
    }
  }
  return taken
}
