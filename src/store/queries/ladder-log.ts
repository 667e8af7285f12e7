/** What happened on ladders and what decided it, and what of the metric history ladders look at. */
import { sql } from 'kysely'
import type { Series, Timestamp } from '../../gate/run.js'
import type { RungCheck } from '../../promotion/evaluate.js'
import type { Transition } from '../../promotion/transition.js'
import type { CommitRun, LoggedCheck, LoggedTransition, LogPage } from '../ladders.js'
import { assertStorableDocument } from '../ladder-checks.js'
import { all, equals, type Condition } from './conditions.js'
import type { Database, Dialect } from './dialect.js'
import { chunks, readSeries } from './rows.js'
import { statement } from './statement.js'

export async function writeTransitions(
  db: Database,
  ladder: string,
  transitions: readonly Transition[],
): Promise<number> {
  const first = (await newestOf(db, 'ladder_transitions', ladder)) + 1
  const rows = transitions.map((transition, index) => {
    const document = JSON.stringify(transition)
    assertStorableDocument(document)
    return { ladder, sequence: first + index, variant: transition.variant, document }
  })
  for (const some of chunks(rows, 500)) await db.insertInto('ladder_transitions').values(some).execute()
  return first
}

export async function writeChecks(
  db: Database,
  dialect: Dialect,
  ladder: string,
  checks: readonly RungCheck[],
  createdAt: Timestamp,
): Promise<void> {
  if (checks.length === 0) return
  const first = (await newestOf(db, 'ladder_checks', ladder)) + 1
  const rows = checks.map((check, index) => {
    const document = JSON.stringify(check)
    assertStorableDocument(document)
    const created_at = dialect.time(createdAt)
    return { ladder, sequence: first + index, variant: check.variant, created_at, document }
  })
  for (const some of chunks(rows, 500)) await db.insertInto('ladder_checks').values(some).execute()
}

async function newestOf(
  db: Database,
  table: 'ladder_transitions' | 'ladder_checks',
  ladder: string,
): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select(({ fn }) => fn.max('sequence').as('newest'))
    .where('ladder', '=', ladder)
    .executeTakeFirst()
  return row?.newest ?? 0
}

export async function listTransitions(
  db: Database,
  ladder: string,
  page: LogPage,
): Promise<LoggedTransition[]> {
  const rows = await db
    .selectFrom('ladder_transitions as l')
    .select(['l.sequence', 'l.document'])
    .where('l.ladder', '=', ladder)
    .where(all(onPage(page)))
    .orderBy('l.sequence', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(({ sequence, document }) => ({
    sequence,
    transition: JSON.parse(document) as Transition,
  }))
}

export async function listChecks(
  db: Database,
  dialect: Dialect,
  ladder: string,
  page: LogPage,
): Promise<LoggedCheck[]> {
  const rows = await selectChecks(db, dialect)
    .where('l.ladder', '=', ladder)
    .where(all(onPage(page)))
    .orderBy('l.sequence', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(readCheck)
}

export async function latestChecks(db: Database, dialect: Dialect, ladder: string): Promise<LoggedCheck[]> {
  const rows = await selectChecks(db, dialect)
    .innerJoin('ladder_variants as v', (join) =>
      join.onRef('v.ladder', '=', 'l.ladder').onRef('v.version', '=', 'l.variant'),
    )
    .where('v.ladder', '=', ladder)
    .where('l.sequence', '=', (from) =>
      from
        .selectFrom('ladder_checks as m')
        .select(({ fn }) => fn.max('m.sequence').as('newest'))
        .whereRef('m.ladder', '=', 'v.ladder')
        .whereRef('m.variant', '=', 'v.version'),
    )
    .execute()
  return rows.map(readCheck)
}

function selectChecks(db: Database, dialect: Dialect) {
  return db
    .selectFrom('ladder_checks as l')
    .select(['l.sequence', 'l.document', dialect.timeText('l.created_at').as('created_at')])
}

function readCheck(row: { sequence: number; document: string; created_at: Timestamp }): LoggedCheck {
  return {
    sequence: row.sequence,
    createdAt: row.created_at,
    check: JSON.parse(row.document) as RungCheck,
  }
}

function onPage({ before, variant }: LogPage): Condition[] {
  return [...equals('l.variant', variant), ...(before === null ? [] : [sql<boolean>`l.sequence < ${before}`])]
}

export async function runsOfCommits(
  db: Database,
  dialect: Dialect,
  commitShas: readonly string[],
): Promise<CommitRun[]> {
  if (commitShas.length === 0) return []
  const rows = await db
    .selectFrom('runs as r')
    .leftJoin('verdicts as v', 'v.run_id', 'r.run_id')
    .select(['r.run_id', 'r.test_path', 'r.backend', 'r.suite', 'r.commit_sha', 'r.trusted', 'v.outcome'])
    .select(dialect.timeText('r.created_at').as('created_at'))
    .where(dialect.isOneOf('r.commit_sha', commitShas))
    // One of another writer's without a time has no place in an order.
    .where(dialect.hasTime('r.created_at'))
    .execute()
  return rows.map((row) => ({
    runId: row.run_id,
    series: readSeries(row),
    commitSha: row.commit_sha ?? '',
    createdAt: row.created_at,
    trusted: Boolean(row.trusted),
    outcome: row.outcome,
  }))
}

export async function laddersWatching(db: Database, series: readonly Series[] | null): Promise<string[]> {
  if (series === null) return (await watched(db).execute()).map(({ ladder }) => ladder)
  const found = new Set<string>()
  for (const one of series) for (const { ladder } of await watching(db, one)) found.add(ladder)
  return [...found].sort()
}

const watching = statement((db, { testPath, backend, suite }: Series) =>
  watched(db)
    .where('d.test_path', '=', testPath)
    .where('d.backend', '=', backend)
    .where('d.suite', '=', suite),
)

function watched(db: Database) {
  return db.selectFrom('ladder_drift_series as d').select('d.ladder').distinct().orderBy('d.ladder')
}

export async function seriesOfRuns(
  db: Database,
  dialect: Dialect,
  runIds: readonly string[],
): Promise<Series[]> {
  if (runIds.length === 0) return []
  const rows = await db
    .selectFrom('runs as r')
    .select(['r.test_path', 'r.backend', 'r.suite'])
    .distinct()
    .where(dialect.isOneOf('r.run_id', runIds))
    .execute()
  return rows.map(readSeries)
}
