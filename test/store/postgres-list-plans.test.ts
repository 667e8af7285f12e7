/** How PostgreSQL runs the reads of dashboards and tools on a million values: by indexes alone. */
import t from 'tap'
import type { Series } from '../../src/gate/run.js'
import type { HistoryReader } from '../../src/store/store.js'
import { applyMigrations } from '../support/embedded-postgres.js'
import { openPostgres, type OpenedStore } from '../support/stores.js'
import { explain } from './explain.js'

// Seeds a million values; slow on a busy machine.
t.setTimeout(240_000)

/** Of 10,000 runs with 100 values each, a tenth are of one series, another tenth of one that has long been at rest. */
const BUSY: Series = { testPath: 'tests/busy.py', backend: 'cuda', suite: 's' }
const RESTING: Series = { testPath: 'tests/resting.py', backend: 'cuda', suite: 's' }

async function seed({ sql, ownerUrl }: OpenedStore): Promise<void> {
  await sql(
    `insert into runs (run_id, test_path, backend, suite, commit_sha, github_run_id, pr_number, created_at, trusted)
     select 'r' || n,
       case when n <= 1000 then 'tests/resting.py' when n % 9 = 0 then 'tests/busy.py' else 'tests/' || n % 100 || '.py' end,
       'cuda', 's', 'c' || n / 10, n / 3, n % 700, timestamptz '2026-01-01 00:00:00+00' + make_interval(mins => n), n % 5 > 0
     from generate_series(1, 10000) n`,
  )
  await sql(
    `insert into verdicts (verdict_id, created_at, test_path, backend, suite, commit_sha, cadence, run_id, trusted,
       outcome, failing_ci, actor, document, declarations)
     select 'v' || run_id, created_at, test_path, backend, suite, commit_sha, 'nightly', run_id, trusted, 'pass', 0,
       'a', '{}', '[]'
     from runs where run_id like '%5'`,
  )
  await sql(
    `insert into verdict_checks (verdict_id, position, metric_key, checks)
     select verdict_id, n, 'metric/' || n, '[{"step":0}]' from verdicts, generate_series(0, 9) n`,
  )
  // Indexes are built afterwards, and each value's run looked up never: in a tenth of the time.
  await sql('alter table metric_values drop constraint metric_values_run_id_fkey')
  for (const index of ['coordinate', 'holders', 'non_finite'])
    await sql(`drop index gatehouse_values_${index}`)
  await sql(
    `insert into metric_values (run_id, metric_key, step, value)
     select r.run_id, 'metric/' || n % 10, n / 10, n from runs r, generate_series(0, 99) n order by r.created_at`,
  )
  await applyMigrations(ownerUrl ?? '', ['002_gatehouse.sql'])
}

const page = { limit: 100, after: null }
const after = { createdAt: '2026-01-03T00:00:00.000000Z', id: 'r5' }
const point = { createdAt: after.createdAt, runId: after.id, step: 3, value: 1 }

const READS: Array<[string, (reader: HistoryReader) => Promise<unknown>]> = [
  ['series', (reader) => reader.listSeries({}, page)],
  ['series, next page', (reader) => reader.listSeries({}, { limit: 20, after: RESTING })],
  ['series of a prefix', (reader) => reader.listSeries({ testPathPrefix: 'tests/1', backend: 'cuda' }, page)],
  ['runs', (reader) => reader.listRuns({}, page)],
  ['runs, next page', (reader) => reader.listRuns({}, { limit: 100, after })],
  [
    'runs in time',
    (reader) => reader.listRuns({ since: after.createdAt, until: '2026-01-04T00:00:00.000000Z' }, page),
  ],
  ['runs of a test', (reader) => reader.listRuns({ testPath: BUSY.testPath }, page)],
  ['runs of a series', (reader) => reader.listRuns(BUSY, page)],
  ['runs of a series at rest', (reader) => reader.listRuns(RESTING, page)],
  ['runs of a series, next page', (reader) => reader.listRuns(BUSY, { limit: 100, after })],
  ['trusted runs of a series', (reader) => reader.listRuns({ ...BUSY, trusted: true }, page)],
  ['runs of a commit', (reader) => reader.listRuns({ commitSha: 'c7' }, page)],
  ['runs of a workflow run', (reader) => reader.listRuns({ githubRunId: 7n }, page)],
  ['runs of a pull request', (reader) => reader.listRuns({ prNumber: 7 }, page)],
  ['a run', (reader) => reader.listRuns({ runId: 'r7' }, page)],
  ['values of a run', (reader) => reader.valuesOf('r7')],
  ['revoked ones of some runs', (reader) => reader.revokedAmong(['r7', 'r10', 'r15'])],
  ['coordinates', (reader) => reader.listCoordinates(BUSY, page)],
  ['coordinates of a series at rest', (reader) => reader.listCoordinates(RESTING, page)],
  ['declarations', (reader) => reader.newestDeclarations(RESTING)],
  [
    'history of a step',
    (reader) => reader.listHistory({ series: BUSY, metricKey: 'metric/3', step: 4 }, page),
  ],
  ['history', (reader) => reader.listHistory({ series: RESTING, metricKey: 'metric/3' }, page)],
  [
    'history, next page',
    (reader) => reader.listHistory({ series: BUSY, metricKey: 'metric/3' }, { limit: 100, after: point }),
  ],
  [
    'history of none',
    (reader) => reader.listHistory({ series: BUSY, metricKey: 'none', trusted: true }, page),
  ],
  ['baselines', (reader) => reader.recentTrustedValues(RESTING, [{ metricKey: 'metric/3', step: 4 }], 20)],
  ['export', (reader) => some(reader.exportRuns({}), 250)],
  ['export of a series', (reader) => some(reader.exportRuns(RESTING), 250)],
  ['export of a commit', (reader) => some(reader.exportRuns({ commitSha: 'c7' }), 250)],
]

/** Pulls some of many; answers nothing of them. */
async function some(items: AsyncIterable<unknown>, count: number): Promise<void> {
  let left = count
  for await (const _item of items) if (--left === 0) return
}

t.test('a million values', async (t) => {
  const opened = await openPostgres(t)
  await seed(opened)
  for (const statistics of ['without', 'with']) {
    if (statistics === 'with') await opened.sql('vacuum analyze')
    for (const [what, read] of READS) {
      const plans = await explain(opened.location, read)
      t.ok(plans.length > 0)
      for (const plan of plans) {
        t.notMatch(
          plan,
          /Seq Scan on (runs|metric_values|verdict_checks)/,
          `${what}, ${statistics} statistics`,
        )
        const rows = [...plan.matchAll(/ on runs.*?rows=([\d.]+) loops=(\d+)/g)].map(
          ([, n, loops]) => Number(n) * Number(loops),
        )
        if (!ALL_RUNS.test(what))
          t.ok(Math.max(0, ...rows) <= 1_200, `${what}: ${Math.max(0, ...rows)} runs are read`)
      }
      const times = plans.map((plan) => Number(/Execution Time: ([\d.]+)/.exec(plan)?.[1]))
      t.comment(
        `${what}, ${statistics} statistics: ${Math.round(times.reduce((sum, one) => sum + one, 0))} ms`,
      )
    }
  }
})

/** Reads that count or look through the runs of many series. */
const ALL_RUNS = /^series/
