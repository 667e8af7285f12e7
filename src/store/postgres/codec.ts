/**
 * How PostgreSQL holds what the store hands over. Times travel as text in UTC, made and read by the server: a JS Date
 * has milliseconds, and the text form of a session depends on its TimeZone and DateStyle, which a pooler may share.
 */
import pg from 'pg'
import { sql } from 'kysely'
import type { Dialect } from '../queries/dialect.js'

type Codec = Pick<
  Dialect,
  | 'flag'
  | 'time'
  | 'timeText'
  | 'hasTime'
  | 'byCodePoint'
  | 'isOneOf'
  | 'inRestingSeries'
  | 'ids'
  | 'lookUp'
  | 'joinValues'
>

export const postgresCodec: Codec = {
  flag: (value) => value,
  time: (value) => sql<string>`${value}::timestamptz`,
  timeText: (column) => sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', ${TIMESTAMP_FORM})`,
  // A row of another writer may have no time or an infinite one: it has no place in a history that is newest first.
  hasTime: (column) =>
    sql<boolean>`(${sql.ref(column)} >= ${FIRST_TIME}::timestamptz and ${sql.ref(column)} < ${END_OF_TIME}::timestamptz)`,
  byCodePoint: (column) => sql<string>`${sql.ref(column)} collate "C"`,
  isOneOf: (column, values) => sql<boolean>`${sql.ref(column)} = any(${[...values]}::text[])`,
  // A range of one suite instead of an equality, which would leave the order to the time alone.
  inRestingSeries(alias, { testPath, backend, suite }) {
    const column = (name: string) => postgresCodec.byCodePoint(`${alias}.${name}`)
    return sql<boolean>`${column('test_path')} = ${testPath} and ${column('backend')} = ${backend}
      and ${column('suite')} >= ${suite} and ${column('suite')} <= ${suite}`
  },
  ids: (column, values) => sql`(select unnest(${[...values]}::text[]) as ${sql.ref(column)})`,
  // The offset keeps the planner from making a join of it, which may read the whole table.
  lookUp: (table, alias, matching) => sql`cross join lateral (
    select * from ${sql.table(table)} ${sql.ref(alias)} where ${matching} offset 0
  ) ${sql.ref(alias)}`,
  joinValues: (matching) =>
    postgresCodec.lookUp('metric_values', 'm', sql<boolean>`m.run_id = r.run_id and ${matching}`),
}

const TIMESTAMP_FORM = sql.lit('YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
const FIRST_TIME = sql.lit('0001-01-01 00:00:00+00')
const END_OF_TIME = sql.lit('10000-01-01 00:00:00+00')

const INT8 = 20

/** Counts and steps as numbers. Ids of GitHub, which may exceed a double, are asked for as text. */
export const typeParsers = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
    return oid === INT8 ? Number : (pg.types.getTypeParser(oid, format) as (text: string) => unknown)
  },
}
