/**
 * What the gate replaces, made as good as it gets: a named statement per coordinate over a pool of ten with
 * `Promise.all`, on the same tables and indexes. On SQLite one prepared statement, in a loop.
 */
import BetterSqlite3 from 'better-sqlite3'
import pg from 'pg'
import type { Database } from '../targets.js'
import { METRICS, metricName, testPath } from '../workload.js'

const TEXT = `
  select m.value
  from runs r join metric_values m on m.run_id = r.run_id
  where r.test_path = $1 and r.backend = 'cuda' and r.suite = 'bench' and r.trusted = $2
    and m.metric_key = $3 and m.step = $4
  order by r.created_at desc, r.run_id desc
  limit 20`

/** Opens the rival; `read` gives the number of values that it read. */
export async function openLoop(
  database: Database,
): Promise<{ read(name: string, coordinates: number): Promise<number>; close(): Promise<void> }> {
  const wanted = (coordinates: number) =>
    Array.from(
      { length: coordinates },
      (_none, index) => [metricName(index % METRICS), Math.floor(index / METRICS)] as const,
    )
  if (database.backend === 'sqlite') {
    const handle = new BetterSqlite3(database.url.slice('sqlite:'.length), { readonly: true })
    const statement = handle.prepare(TEXT.replace(/\$\d/g, '?'))
    return {
      read: (name, coordinates) =>
        Promise.resolve(
          wanted(coordinates).reduce(
            (sum, [metric, step]) => sum + statement.all(testPath(name), 1, metric, step).length,
            0,
          ),
        ),
      close: () => Promise.resolve(handle.close()).then(() => undefined),
    }
  }
  const pool = new pg.Pool({ connectionString: database.url, max: 10 })
  await pool.query('select 1')
  return {
    read: async (name, coordinates) => {
      const results = await Promise.all(
        wanted(coordinates).map(([metric, step]) =>
          pool.query({ name: 'loop', text: TEXT, values: [testPath(name), true, metric, step] }),
        ),
      )
      return results.reduce((sum, { rows }) => sum + rows.length, 0)
    },
    close: () => pool.end(),
  }
}
