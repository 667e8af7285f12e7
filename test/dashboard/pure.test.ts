/** What the page computes before anything is drawn. */
import t from 'tap'
import type { SeriesItem } from '../../src/documents/history.js'
import type { HistoryPointDocument } from '../../src/documents/history.js'
import type { CheckDocument, VerdictHead } from '../../src/documents/verdict.js'
import { moduleLoader } from './load-module.js'

interface Row {
  readonly series: SeriesItem
  readonly failures: number
  readonly lastFailure: { readonly verdict_id: string } | null
}
interface Filters {
  readonly text: string
  readonly backend: string
  readonly suite: string
  readonly state: 'all' | 'failing' | 'untrusted'
}
interface Sort {
  readonly by: string
  readonly descending: boolean
}
interface Rows {
  overviewRows(series: readonly SeriesItem[], failing: readonly VerdictHead[]): Row[]
  filterRows(rows: readonly Row[], filters: Filters): Row[]
  sortRows(rows: readonly Row[], sort: Sort): Row[]
}

const ALL: Filters = { text: '', backend: '', suite: '', state: 'all' }
const PRESSING: Sort = { by: 'pressing', descending: false }

function item(
  name: string,
  more: Partial<SeriesItem> & { trusted?: boolean; day?: number } = {},
): SeriesItem {
  const { trusted = true, day = 1, ...fields } = more
  const last_run = { run_id: `run of ${name}`, created_at: `2026-11-0${day}T00:00:00.000000Z`, trusted }
  return {
    test_path: name,
    backend: 'cpu',
    suite: 's',
    runs: 4,
    trusted_runs: 3,
    last_run,
    last_outcome: 'pass',
    ...fields,
  }
}

function failure(name: string, id: string): VerdictHead {
  return { verdict_id: id, series: { test_path: name, backend: 'cpu', suite: 's' } } as unknown as VerdictHead
}

const names = (rows: readonly Row[]) => rows.map(({ series }) => series.test_path)

t.test('the overview', async (t) => {
  const load = await moduleLoader(t)
  const { overviewRows, filterRows, sortRows } = await load<Rows>('/views/overview/rows.ts')
  const series = [
    item('quiet', { day: 5 }),
    item('failed-before', { day: 2 }),
    item('__proto__', { day: 1 }),
    item('untrusted', { trusted: false, day: 4 }),
    item('failing', { last_outcome: 'fail', trusted: false, day: 3 }),
    item('failing-longer', { last_outcome: 'fail', trusted: false, day: 2, backend: 'cuda' }),
  ]
  const rows = overviewRows(series, [failure('failed-before', 'newest'), failure('failed-before', 'older')])
  const before = rows.find(({ series: one }) => one.test_path === 'failed-before')
  t.match(before, { failures: 2, lastFailure: { verdict_id: 'newest' } })
  t.strictSame(
    names(sortRows(rows, PRESSING)),
    ['failing', 'failing-longer', 'failed-before', 'untrusted', 'quiet', '__proto__'],
    'what presses most, and of that the newest, stands first',
  )
  t.strictSame(
    names(sortRows(rows, { by: 'constructor', descending: false })),
    names(sortRows(rows, PRESSING)),
  )
  t.equal(names(sortRows(rows, { by: 'last', descending: true }))[0], 'quiet')
  t.strictSame(names(filterRows(rows, { ...ALL, state: 'failing' })), ['failing', 'failing-longer'])
  t.strictSame(names(filterRows(rows, { ...ALL, state: 'untrusted', backend: 'cuda' })), ['failing-longer'])
  t.strictSame(names(filterRows(rows, { ...ALL, text: ' FAIL  cpu ' })), ['failed-before', 'failing'])
})

interface Checks {
  checkRows(checks: readonly CheckDocument[]): { check: CheckDocument; off: number | null }[]
  sortChecks<R>(rows: readonly R[], sort: Sort): R[]
  filterChecks<R>(rows: readonly R[], text: string, filter: string): R[]
}

function check(metric: string, more: Partial<CheckDocument> = {}): CheckDocument {
  return {
    metric_key: metric,
    step: 0,
    at_step: 0,
    status: 'pass',
    value: 1,
    baseline: { n: 4, mean: 1, std: 0, lower: 0.5, upper: 2, runs: null },
    limit: null,
    enforce: true,
    insufficient_history: false,
    fails_ci: false,
    steps_key: '',
    constraint_key: '',
    reason: '',
    ...more,
  }
}

t.test('the checks of a run', async (t) => {
  const load = await moduleLoader(t)
  const { checkRows, sortChecks, filterChecks } = await load<Checks>('/views/run/checks.ts')
  const rows = checkRows([
    check('passed'),
    check('inactive', { status: 'inactive', baseline: null }),
    check('not enforced', { status: 'fail', value: 2.5 }),
    check('error', { status: 'error', value: null, baseline: null, fails_ci: true }),
    check('fails', { status: 'fail', value: 0.25, fails_ci: true }),
    check('too young', { insufficient_history: true }),
  ])
  const metrics = (of: readonly { check: CheckDocument }[]) => of.map((row) => row.check.metric_key)
  t.strictSame(metrics(sortChecks(rows, { by: 'status', descending: false })), [
    'fails',
    'error',
    'not enforced',
    'inactive',
    'too young',
    'passed',
  ])
  t.equal(metrics(sortChecks(rows, { by: 'off', descending: false }))[0], 'not enforced')
  t.strictSame(
    rows.map(({ off }) => off),
    [0, null, 1.5, null, -1.5, 0],
    'the edge of the corridor is 1 on either side',
  )
  t.strictSame(metrics(filterChecks(rows, '', 'failing_ci')), ['error', 'fails'])
  t.strictSame(metrics(filterChecks(rows, '', 'insufficient')), ['too young'])
  t.strictSame(metrics(filterChecks(rows, 'FAIL 0', 'all')), ['fails'])
})

interface Heat {
  heatMap(
    items: readonly HistoryPointDocument[],
    revoked: ReadonlySet<string>,
    bounds: { mostRuns: number; mostRows: number },
  ): {
    runs: { runId: string }[]
    bands: { from: number; to: number }[]
    cells: ({ off: number | null; point: { item: HistoryPointDocument } } | null)[][]
  }
}

t.test('a map of many steps', async (t) => {
  const load = await moduleLoader(t)
  const { heatMap } = await load<Heat>('/views/series/heat-cells.ts')
  const point = (run: number, step: number, value: number, status: 'pass' | 'fail' = 'pass') =>
    ({
      run_id: `run ${run}`,
      created_at: `2026-11-0${run}T00:00:00.000000Z`,
      trusted: true,
      step,
      value,
      status,
      mean: 1,
      lower: 0,
      upper: 2,
    }) as unknown as HistoryPointDocument
  const items = [point(3, 0, 1), point(3, 1, 1.5), point(3, 2, 1.2), point(3, 3, 9, 'fail')]
  items.push(point(2, 0, 0.5), point(2, 2, 1), point(1, 0, 1))
  const whole = heatMap(items, new Set(), { mostRuns: 9, mostRows: 9 })
  t.strictSame(
    whole.runs.map(({ runId }) => runId),
    ['run 1', 'run 2', 'run 3'],
    'oldest first',
  )
  t.strictSame(
    whole.cells.map((row) => row.map((cell) => cell?.off ?? null)),
    [
      [0, -0.5, 0],
      [null, null, 0.5],
      [null, 0, 0.2].map((off) => (off === 0.2 ? 1.2 - 1 : off)),
      [null, null, 8],
    ],
  )
  const narrow = heatMap(items, new Set(), { mostRuns: 2, mostRows: 2 })
  t.strictSame(narrow.bands, [
    { from: 0, to: 1 },
    { from: 2, to: 3 },
  ])
  t.strictSame(
    narrow.cells.map((row) => row.map((cell) => cell?.point.item.step ?? null)),
    [
      [0, 1],
      [2, 3],
    ],
    'of several steps the worst is shown',
  )
})

t.test('since when a metric fails', async (t) => {
  const load = await moduleLoader(t)
  const { failingSince } = await load<{
    failingSince(points: { kind: string; at: number }[]): { first: { at: number }; values: number } | null
  }>('/views/series/failing-since.tsx')
  const since = (kinds: string) => {
    const words: Record<string, string> = { f: 'failed', t: 'trusted', r: 'revoked' }
    const failing = failingSince([...kinds].map((kind, at) => ({ kind: words[kind]!, at })))
    return failing && [failing.first.at, failing.values]
  }
  t.strictSame(since('tftff'), [3, 2], 'the first of those in a row')
  t.strictSame(since('ff'), [0, 2])
  t.strictSame(since('tr'), null)
  t.strictSame(since('ft'), null)
  t.strictSame(since(''), null)
})

t.test('addresses, times and numbers', async (t) => {
  const load = await moduleLoader(t)
  const { relativeTime } = await load<{ relativeTime(from: number, now: number): string }>('/parts/time.tsx')
  const now = Date.UTC(2026, 11, 1)
  t.equal(relativeTime(now - 30_000, now), 'just now')
  t.equal(relativeTime(now - 90_000, now), '1 min ago')
  t.equal(relativeTime(now - 26 * 3_600_000, now), '1 d ago')
  t.equal(relativeTime(now + 7_300_000, now), 'in 2 h')
  const { share, short } = await load<{
    share(part: number, whole: number): string
    short(value: unknown): string
  }>('/parts/number.tsx')
  t.strictSame(
    [share(0, 0), share(1, 1_000), share(999, 1_000), share(3, 4)],
    ['–', '< 1 %', '> 99 %', '75 %'],
  )
  t.strictSame([short(null), short(-1.5), short('-Infinity'), short('NaN')], ['—', '−1.5', '−∞', 'NaN'])
  const { forgeHrefs } = await load<{
    forgeHrefs(repository: string | null, provenance: object): Record<string, string | null>
  }>('/hrefs.ts')
  const provenance = { commit_sha: 'a'.repeat(40), pr_number: 7, github_run_id: 9n, github_run_attempt: 2 }
  t.strictSame(forgeHrefs('acme/rl', provenance), {
    repository: 'https://github.com/acme/rl',
    commit: `https://github.com/acme/rl/commit/${'a'.repeat(40)}`,
    pullRequest: 'https://github.com/acme/rl/pull/7',
    workflowRun: 'https://github.com/acme/rl/actions/runs/9/attempts/2',
  })
  for (const repository of [null, 'acme', '../../evil', 'a/b/c', 'a/b?x', 'javascript:alert(1)']) {
    t.strictSame(
      Object.values(forgeHrefs(repository, provenance)),
      [null, null, null, null],
      String(repository),
    )
  }
})
