/** How PostgreSQL runs the statement that a gate waits for, on a history of some size. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
} from 'kysely'
import pg from 'pg'
import t from 'tap'
import type { Coordinate } from '../../src/gate/run.js'
import { recentTrustedValues } from '../../src/store/postgres/baselines.js'
import type { Tables } from '../../src/store/tables.js'
import { openPostgres } from '../support/stores.js'
import { SERIES } from './fixtures.js'

// Seeds a history; slow on a busy machine.
t.setTimeout(120_000)

const RUNS = 1_000
const KNOWN = Array.from({ length: 200 }, (_none, index) => ({
  metricKey: `metric/${index % 20}`,
  step: Math.floor(index / 20),
}))
const NEW = KNOWN.map((one) => ({ ...one, metricKey: `new/${one.metricKey}` }))

t.test('1,000 runs of 200 values, among as many of other series', async (t) => {
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
     from runs r, generate_series(0, 199) n where r.test_path = $1 order by r.created_at`,
    [SERIES.testPath],
  )

  for (const statistics of ['without', 'with']) {
    if (statistics === 'with') await sql('analyze')
    const began = performance.now()
    const baselines = await store.read((reader) => reader.recentTrustedValues(SERIES, KNOWN, 20))
    t.comment(`${statistics} statistics: read in ${Math.round(performance.now() - began)} ms`)
    t.strictSame(
      baselines.map((one) => [one.values.length, one.values[0]?.runId]),
      KNOWN.map(() => [20, `r${2 * RUNS}`]),
    )
    for (const [what, coordinates] of [
      [`${statistics} statistics, values that every run holds`, KNOWN],
      [`${statistics} statistics, values that none holds`, NEW],
    ] as const) {
      const plan = await explain(location, coordinates)
      t.notMatch(plan, /Seq Scan/, `${what}: nothing is read from end to end`)
      t.match(plan, /Index (Only )?Scan using gatehouse_runs_baseline on runs/, 'the series is walked')
      t.notMatch(plan, /Scan Backward|Bitmap/, 'newest first')
      t.match(plan, /Index (Only )?Scan using gatehouse_values_\w+ on metric_values/, 'values are looked up')
      const scans = [...plan.matchAll(/ on metric_values m.*? loops=(\d+)/g)].map((scan) => Number(scan[1]))
      const most = Math.max(...scans)
      t.ok(most <= 2 * 20 * KNOWN.length, `in twice the window of runs at most: ${most} times`)
    }
  }
})

/** The nodes that ran of the plan of the very statement that the store sends. */
async function explain(url: string, coordinates: readonly Coordinate[]): Promise<string> {
  const { sql: text, parameters } = await compile(coordinates)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set enable_bitmapscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, timing off) ${text}`, [
      ...parameters,
    ])
    const lines = rows.map((row) => row['QUERY PLAN'])
    return lines.filter((line) => !line.includes('(never executed)')).join('\n')
  } finally {
    await client.end()
  }
}

async function compile(coordinates: readonly Coordinate[]): Promise<CompiledQuery> {
  const compiled: CompiledQuery[] = []
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (one) => new PostgresIntrospector(one),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: (event) => void compiled.push(event.query),
  })
  await recentTrustedValues(db, SERIES, coordinates, 20)
  const [query] = compiled
  if (query === undefined || compiled.length !== 1) throw new Error('a baseline read is one statement')
  return query
}
