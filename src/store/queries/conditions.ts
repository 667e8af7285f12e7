/** Conditions that the lists have in common. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Page, SeriesFilter, TimeRange } from '../lists.js'
import type { Dialect } from './dialect.js'

export type Condition = RawBuilder<SqlBool>

/** `column = value`, or nothing where the filter does not name the value. */
export function equals(column: string, value: string | number | bigint | boolean | undefined): Condition[] {
  return value === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} = ${value}`]
}

/** As `inSeries`, for runs, whose index of the series is by code point. */
export function runsInSeries(dialect: Dialect, filter: SeriesFilter): Condition[] {
  const columns = [
    ['r.test_path', filter.testPath],
    ['r.backend', filter.backend],
    ['r.suite', filter.suite],
  ] as const
  return columns.flatMap(([column, value]) =>
    value === undefined ? [] : [sql<SqlBool>`${dialect.byCodePoint(column)} = ${value}`],
  )
}

export function inSeries(alias: string, filter: SeriesFilter): Condition[] {
  return [
    ...equals(`${alias}.test_path`, filter.testPath),
    ...equals(`${alias}.backend`, filter.backend),
    ...equals(`${alias}.suite`, filter.suite),
  ]
}

export function inTimeRange(dialect: Dialect, column: string, range: TimeRange): Condition[] {
  const time = sql.ref(column)
  return [
    dialect.hasTime(column),
    ...(range.since === undefined ? [] : [sql<SqlBool>`${time} >= ${dialect.time(range.since)}`]),
    ...(range.until === undefined ? [] : [sql<SqlBool>`${time} < ${dialect.time(range.until)}`]),
  ]
}

/**
 * The rows strictly after (older than) the last one of the page before. A row value, which both databases walk by
 * index; an OFFSET would skip or repeat rows when others are inserted, and reads all that it skips.
 */
export function afterRow(
  dialect: Dialect,
  timeColumn: string,
  idColumn: string,
  after: Page['after'],
): Condition[] {
  if (after === null) return []
  const position = sql`(${sql.ref(timeColumn)}, ${dialect.byCodePoint(idColumn)})`
  return [sql<SqlBool>`${position} < (${dialect.time(after.createdAt)}, ${after.id})`]
}

/** All of them; true where there are none. */
export function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

/** A 64-bit integer as decimal text: neither driver hands it over exactly otherwise. */
export function asText(column: string): RawBuilder<string | null> {
  return sql<string | null>`cast(${sql.ref(column)} as text)`
}
