/** All runs with all their values, a few at a time. */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Cadence, Timestamp } from '../../gate/run.js'
import type { ExportedRun } from '../exchange.js'
import type { RunFilter } from '../runs.js'
import { all, type Condition } from './conditions.js'
import type { Database, Dialect } from './dialect.js'
import { valuesOfRuns } from './run-contents.js'
import { matchesRun, readRun, runColumns } from './runs.js'

/** Runs read at once; each may bring declarations of a quarter of a megabyte. */
const RUNS = 100

/** Values in memory at once, unless one run alone has more. */
const VALUES = 5_000

type Head = Omit<ExportedRun, 'values'>

export async function* exportRuns(
  db: Database,
  dialect: Dialect,
  filter: RunFilter,
): AsyncGenerator<ExportedRun, void, undefined> {
  for (let after: Head | undefined; ;) {
    const heads = await runsAfter(db, dialect, filter, after)
    const counts = await countValues(
      db,
      heads.map(({ runId }) => runId),
      dialect,
    )
    for (const some of batches(heads, counts, VALUES)) {
      const values = await valuesOfRuns(
        db,
        dialect,
        some.map(({ runId }) => runId),
      )
      // SQLite answers without ever leaving the event loop: others get their turn here.
      await setImmediate()
      for (const head of some) yield { ...head, values: values.get(head.runId) ?? [] }
    }
    after = heads.at(-1)
    if (heads.length < RUNS) return
  }
}

async function runsAfter(
  db: Database,
  dialect: Dialect,
  filter: RunFilter,
  after: Head | undefined,
): Promise<Head[]> {
  const rows = await db
    // The page first, then what belongs to its runs: without statistics the planner joins all runs before it sorts.
    .selectFrom((from) =>
      from
        .selectFrom('runs as r')
        .selectAll()
        .where(all([...matchesRun(dialect, filter, false), ...newerThan(dialect, after)]))
        .orderBy('r.created_at')
        .orderBy(dialect.byCodePoint('r.run_id'))
        .limit(RUNS)
        .as('r'),
    )
    .leftJoin('verdicts as v', 'v.run_id', 'r.run_id')
    .leftJoin('imported_runs as i', 'i.run_id', 'r.run_id')
    .select(runColumns(dialect))
    .select([
      sql<string | null>`coalesce(v.cadence, i.cadence)`.as('cadence'),
      sql<string | null>`coalesce(v.declarations, i.declarations)`.as('declarations'),
    ])
    .orderBy('r.created_at')
    .orderBy(dialect.byCodePoint('r.run_id'))
    .execute()
  return rows.map((row) => ({
    ...readRun(row),
    cadence: row.cadence as Cadence | null,
    declarations: row.declarations,
  }))
}

/** Behind that run, in the order of `created_at ASC, run_id ASC`. */
export function newerThan(
  dialect: Dialect,
  after: { runId: string; createdAt: Timestamp } | undefined,
): Condition[] {
  if (after === undefined) return []
  const position = sql`(r.created_at, ${dialect.byCodePoint('r.run_id')})`
  return [sql<boolean>`${position} > (${dialect.time(after.createdAt)}, ${after.runId})`]
}

export async function countValues(
  db: Database,
  runIds: readonly string[],
  dialect: Dialect,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ run_id: string; n: number }>`
    select r.run_id, (select count(*) from metric_values m where m.run_id = r.run_id) as n
    from ${dialect.ids('run_id', runIds)} r`.execute(db)
  return new Map(rows.map(({ run_id, n }) => [run_id, n]))
}

/** Runs in their order, as many together as have no more values than that, unless one alone has more. */
export function batches<Run extends { readonly runId: string }>(
  heads: readonly Run[],
  counts: ReadonlyMap<string, number>,
  values: number,
): Run[][] {
  const all: Run[][] = []
  let room = 0
  for (const head of heads) {
    const count = counts.get(head.runId) ?? 0
    if (count > room || all.length === 0) {
      all.push([])
      room = values
    }
    all.at(-1)?.push(head)
    room -= count
  }
  return all
}
