/** How SQLite holds what the store hands over: booleans as 1 and 0, times as text of one fixed width. */
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

export const sqliteCodec: Codec = {
  flag: (value) => (value ? 1 : 0),
  // Text in one fixed width sorts as the times do. The file belongs to this program: whoever else inserts runs leaves
  // `created_at` to the column's default or writes the same form, so nothing is parsed on the way out.
  time: (value) => sql<string>`${value}`,
  timeText: (column) => sql<string>`${sql.ref(column)}`,
  hasTime: () => sql<boolean>`1 = 1`,
  // The default collation compares UTF-8 bytes, whose order is that of the code points.
  byCodePoint: (column) => sql<string>`${sql.ref(column)}`,
  // One parameter, however many values: the number of variables in a statement is limited.
  isOneOf: (column, values) =>
    sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`,
  // Its planner prefers the index that the most columns fit.
  inRestingSeries: (alias, { testPath, backend, suite }) =>
    sql<boolean>`${sql.ref(`${alias}.test_path`)} = ${testPath} and ${sql.ref(`${alias}.backend`)} = ${backend}
      and ${sql.ref(`${alias}.suite`)} = ${suite}`,
  ids: (column, values) =>
    sql`(select value as ${sql.ref(column)} from json_each(${JSON.stringify(values)}))`,
  // A cross join keeps the order of the loops.
  lookUp: (table, alias, matching) => sql`cross join ${sql.table(table)} ${sql.ref(alias)} on ${matching}`,
  joinValues: (matching) => sql`
    cross join metric_values m indexed by metric_values_coordinate on m.run_id = r.run_id and ${matching}`,
}
