/** How PostgreSQL runs the statement that a gate waits for, on a history of some size. */
import t from 'tap'
import { openPostgres } from '../support/stores.js'
import { explain } from './explain.js'
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
    t.comment(`${statistics} statistics: read by rows in ${Math.round(performance.now() - began)} ms`)
    t.strictSame(
      baselines.map((one) => [one.values.length, one.runs[0]?.runId]),
      KNOWN.map(() => [20, `r${2 * RUNS}`]),
    )
    for (const [what, coordinates] of [
      [`${statistics} statistics, values that every run holds`, KNOWN],
      [`${statistics} statistics, values that none holds`, NEW],
    ] as const) {
      const [, plan = ''] = await explain(location, (reader) =>
        reader.recentTrustedValues(SERIES, coordinates, 20),
      )
      t.notMatch(plan, /Seq Scan/, `${what}: nothing is read from end to end`)
      t.match(plan, /Index (Only )?Scan using gatehouse_runs_baseline on runs/, 'the series is walked')
      t.notMatch(plan, /Scan Backward|Bitmap/, 'newest first')
      t.match(plan, /Index (Only )?Scan using gatehouse_values_\w+ on metric_values/, 'values are looked up')
      const scans = [...plan.matchAll(/ on metric_values m.*? loops=(\d+)/g)].map((scan) => Number(scan[1]))
      const most = Math.max(...scans)
      t.ok(most <= 2 * 20 * KNOWN.length, `in twice the window of runs at most: ${most} times`)
    }
  }

  while ((await store.copySome()) > 0);
  for (const statistics of ['old', 'new']) {
    if (statistics === 'new') await sql('analyze')
    for (const [what, coordinates] of [
      [`copies under ${statistics} statistics`, KNOWN],
      [`metrics that none holds under ${statistics} statistics`, NEW],
    ] as const) {
      const began = performance.now()
      const [plan = '', more] = await explain(location, (reader) =>
        reader.recentTrustedValues(SERIES, coordinates, 20),
      )
      t.comment(`${what}: read in ${Math.round(performance.now() - began)} ms, with explaining it`)
      t.equal(more, undefined, `${what}: nothing else is read`)
      t.notMatch(plan, /Seq Scan|Bitmap| on metric_values/)
      t.match(plan, /Index Scan using run_vectors_newest on run_vectors/, 'newest first')
      const [, looked = ''] = / on runs r .*?loops=(\d+)/.exec(plan) ?? []
      t.ok(Number(looked) <= 20 * 20, `no more runs are looked at than the windows hold: ${looked}`)
    }
  }
})
