/** How PostgreSQL runs the statement that a gate waits for, on a history of some size. */
import pg from 'pg'
import t from 'tap'
import { recentTrustedValues } from '../../src/store/postgres/baselines.js'
import { transact } from '../../src/store/postgres/session.js'
import { openPostgres } from '../support/stores.js'
import { SERIES } from './fixtures.js'

const RUNS = 1_000
const COORDINATES = Array.from({ length: 200 }, (_none, index) => ({
  metricKey: `metric/${index % 20}`,
  step: Math.floor(index / 20),
}))

for (const analyzed of [false, true]) {
  t.test(`1,000 runs of 200 values, ${analyzed ? 'with' : 'without'} statistics`, async (t) => {
    const { store, sql, location } = await openPostgres(t)
    await sql(
      `insert into runs (run_id, test_path, backend, suite, commit_sha, created_at, trusted)
       select 'r' || n, case when n % 2 = 0 then $1 else 'other' || n % 9 end, $2, $3, 'c',
         timestamptz '2026-01-01 00:00:00+00' + make_interval(mins => n), true
       from generate_series(1, $4::int) n`,
      [SERIES.testPath, SERIES.backend, SERIES.suite, 2 * RUNS],
    )
    await sql(
      `insert into metric_values (run_id, metric_key, step, value)
       select r.run_id, 'metric/' || n % 20, n / 20, n
       from runs r, generate_series(0, 199) n order by r.created_at`,
    )
    if (analyzed) await sql('analyze')

    const began = performance.now()
    const baselines = await store.read((reader) => reader.recentTrustedValues(SERIES, COORDINATES, 20))
    t.comment(`read in ${Math.round(performance.now() - began)} ms`)
    t.strictSame(
      baselines.map((one) => [one.values.length, one.values[0]?.runId]),
      COORDINATES.map(() => [20, `r${2 * RUNS}`]),
    )

    for (const [what, coordinates] of [
      ['held by every run', COORDINATES],
      ['new', COORDINATES.map((one) => ({ ...one, metricKey: `new/${one.metricKey}` }))],
    ] as const) {
      const plan = (await explain(location, coordinates))
        .split('\n')
        .filter((line) => !line.includes('(never executed)'))
        .join('\n')
      t.notMatch(plan, /Seq Scan/, `${what}: nothing is read from end to end`)
      t.match(plan, /Index (Only )?Scan using gatehouse_runs_baseline on runs/, 'walks the series')
      t.notMatch(plan, /Index (Only )?Scan Backward/, 'newest first')
      t.match(plan, /Index (Only )?Scan using gatehouse_values_\w+ on metric_values/, 'looks values up')
      // Rows of the walk itself: the window and little more for each coordinate, not the history.
      const walked = [...plan.matchAll(/ on metric_values m.*?actual rows=([\d.]+) loops=(\d+)/g)]
      const loops = Math.max(...walked.map((one) => Number(one[2])))
      t.ok(loops <= 2 * 20 * COORDINATES.length, `${what}: ${loops} look-ups`)
    }
  })
}

/** The plan of the very statement, with what it did. */
async function explain(url: string, coordinates: typeof COORDINATES): Promise<string> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  let plan = ''
  try {
    const client = await pool.connect()
    const query = client.query.bind(client) as (text: string, values: unknown[]) => Promise<pg.QueryResult>
    const asked = (text: string, values: unknown[]) =>
      text.includes('unnest') ? query(`explain (analyze, timing off) ${text}`, values) : query(text, values)
    Object.assign(client, { query: asked })
    client.release()
    await transact(
      pool,
      'begin; set local enable_bitmapscan = off',
      performance.now() + 9_000,
      undefined,
      async (db) => {
        const execute = db.getExecutor().executeQuery.bind(db.getExecutor())
        Object.assign(db.getExecutor(), {
          executeQuery: async (...parameters: Parameters<typeof execute>) => {
            const { rows } = await execute(...parameters)
            plan = (rows as Array<Record<string, string>>).map((row) => row['QUERY PLAN']).join('\n')
            return { rows: [] }
          },
        })
        await recentTrustedValues(db, SERIES, coordinates, 20)
      },
    )
  } finally {
    await pool.end()
  }
  return plan
}
