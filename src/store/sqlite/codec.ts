/** How SQLite holds what the store hands over: booleans as 1 and 0, times as text of one fixed width. */
import { sql } from 'kysely'
import type { Dialect } from '../queries/dialect.js'

type Codec = Pick<Dialect, 'flag' | 'time' | 'timeText' | 'hasTime' | 'byCodePoint' | 'isOneOf'>

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
}
