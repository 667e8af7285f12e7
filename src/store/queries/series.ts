/** Which series there are. */
import { sql, type RawBuilder } from 'kysely'
import { compareCodePoints } from '../../gate/literal.js'
import type { Series } from '../../gate/run.js'
import type { SeriesListFilter, SeriesListing } from '../history.js'
import { all, equals, type Condition } from './conditions.js'
import type { Database, Dialect } from './dialect.js'
import { readSeries, type SeriesRow } from './rows.js'

interface ListedRow extends SeriesRow {
  readonly run_id: string
  readonly created_at: string
  readonly trusted: boolean | number
  readonly outcome: SeriesListing['lastOutcome']
  readonly runs: number
  readonly trusted_runs: number
}

/**
 * Leaps from series to series: each step of the recursion looks up the first run of the next series in the index,
 * which is also the series' newest. A `group by` over `runs` reads every run of every series for the first page.
 *
 * Backend and suite are compared after a leap, not within: a filter that few series match costs a leap for each of the
 * others, however many runs they have.
 */
export async function listSeries(
  db: Database,
  dialect: Dialect,
  filter: SeriesListFilter,
  page: { limit: number; after: Series | null },
): Promise<SeriesListing[]> {
  const prefix = filter.testPathPrefix ?? ''
  const { after } = page
  // One lower end at a time: SQLite would walk from the prefix on at each leap.
  const start =
    after === null || compareCodePoints(after.testPath, prefix) < 0
      ? sql<boolean>`${dialect.byCodePoint('s.test_path')} >= ${prefix}`
      : follows(dialect, 's', seriesValues(after))
  const end = beforeEnd(dialect, 's.test_path', prefix)
  const next = firstRun(dialect, [follows(dialect, 's', seriesColumns(dialect, 'f')), ...end])
  const wanted = all([...equals('f.backend', filter.backend), ...equals('f.suite', filter.suite)])
  const { rows } = await sql<ListedRow>`
    with recursive found as (
      select r.run_id, r.test_path, r.backend, r.suite, r.created_at, r.trusted
      from runs r
      where r.run_id = ${firstRun(dialect, [start, ...end])}
      union all
      select r.run_id, r.test_path, r.backend, r.suite, r.created_at, r.trusted
      from found f
      ${dialect.lookUp('runs', 'r', sql<boolean>`r.run_id = ${next}`)}
    ),
    page as (select * from found f where ${wanted} limit ${page.limit})
    select p.run_id, p.test_path, p.backend, p.suite, p.trusted, v.outcome,
      ${dialect.timeText('p.created_at')} as created_at,
      ${countRuns(dialect, [])} as runs,
      ${countRuns(dialect, [sql<boolean>`c.trusted = ${dialect.flag(true)}`])} as trusted_runs
    from page p
    left join verdicts v on v.run_id = p.run_id
    order by ${seriesColumns(dialect, 'p')}`.execute(db)
  return rows.map((row) => ({
    series: readSeries(row),
    runs: row.runs,
    trustedRuns: row.trusted_runs,
    lastRun: { runId: row.run_id, createdAt: row.created_at, trusted: Boolean(row.trusted) },
    lastOutcome: row.outcome,
  }))
}

/** The id of the newest run of the first series that matches. */
function firstRun(dialect: Dialect, conditions: readonly Condition[]): RawBuilder<string> {
  return sql<string>`(
    select s.run_id
    from runs s
    where s.test_path is not null and s.backend is not null and s.suite is not null
      and ${dialect.hasTime('s.created_at')} and ${all(conditions)}
    order by ${seriesColumns(dialect, 's')}, s.created_at desc, ${dialect.byCodePoint('s.run_id')} desc
    limit 1
  )`
}

function countRuns(dialect: Dialect, conditions: readonly Condition[]): RawBuilder<number> {
  const same = ['test_path', 'backend', 'suite'].map(
    (column) => sql<boolean>`${dialect.byCodePoint(`c.${column}`)} = ${dialect.byCodePoint(`p.${column}`)}`,
  )
  return sql<number>`(
    select count(*) from runs c where ${all([...same, dialect.hasTime('c.created_at'), ...conditions])}
  )`
}

function follows(dialect: Dialect, alias: string, series: RawBuilder<unknown>): Condition {
  return sql<boolean>`(${seriesColumns(dialect, alias)}) > (${series})`
}

function seriesColumns(dialect: Dialect, alias: string): RawBuilder<unknown> {
  return sql.join(
    ['test_path', 'backend', 'suite'].map((column) => dialect.byCodePoint(`${alias}.${column}`)),
  )
}

function seriesValues({ testPath, backend, suite }: Series): RawBuilder<unknown> {
  return sql`${testPath}, ${backend}, ${suite}`
}

/**
 * A prefix is a range, which an index can walk, and in which no character has a meaning of its own as it has with LIKE.
 */
function beforeEnd(dialect: Dialect, column: string, prefix: string): Condition[] {
  const end = afterPrefix(prefix)
  return end === null ? [] : [sql<boolean>`${dialect.byCodePoint(column)} < ${end}`]
}

/** The first text by code point that follows every text with this prefix; null where there is none. */
export function afterPrefix(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10ffff) continue
    // Surrogates are no characters: after U+D7FF comes U+E000.
    const next = last === 0xd7ff ? 0xe000 : last + 1
    return String.fromCodePoint(...points, next)
  }
  return null
}
