import t from 'tap'
import type { Series } from '../../src/gate/run.js'
import type { MetricHistoryStore } from '../../src/store/store.js'
import type { SeriesListFilter } from '../../src/store/history.js'
import type { Backend } from './contract.js'
import { at, lossRun, run, SERIES, verdict, writeRuns, writeVerdicts } from './fixtures.js'

/** The list of series: counts, newest run, prefix, pages. */
export function seriesContract({ name, open }: Backend): void {
  t.test(`${name}: a series is told with its runs and its newest one`, async (t) => {
    const { store } = await open(t)
    const other = { ...SERIES, suite: 'other' }
    await writeRuns(
      store,
      lossRun('r1', at(1), 1),
      lossRun('r3', at(3), 3, { trusted: false }),
      lossRun('r2', at(2), 2),
      run('o1', { series: other, createdAt: at(9) }),
    )
    await writeVerdicts(
      store,
      verdict('v2', { runId: 'r2' }),
      verdict('v3', { runId: 'r3', outcome: 'fail' }),
    )
    t.strictSame(await listed(store), [
      {
        series: other,
        runs: 1,
        trustedRuns: 1,
        lastRun: { runId: 'o1', createdAt: at(9), trusted: true },
        lastOutcome: null,
      },
      {
        series: SERIES,
        runs: 3,
        trustedRuns: 2,
        lastRun: { runId: 'r3', createdAt: at(3), trusted: false },
        lastOutcome: 'fail',
      },
    ])
  })

  t.test(`${name}: of runs at one time the greater id is the last one`, async (t) => {
    const { store } = await open(t)
    await writeRuns(store, ...['B', 'a', '𝒳', '\uff5e'].map((id) => lossRun(id, at(1), 1)))
    t.match(await listed(store), [{ runs: 4, lastRun: { runId: '𝒳' } }])
  })

  t.test(`${name}: series sort by code point and are found by backend and suite`, async (t) => {
    const { store } = await open(t)
    const all = series('B', 'a', 'ä', '\uff5e', '𝒳').flatMap((one) => [
      { ...one, backend: 'cuda' },
      { ...one, backend: 'rocm' },
      { ...one, backend: 'rocm', suite: 'Z' },
    ])
    await writeRuns(store, ...[...all].reverse().map((one, index) => run(`r${index}`, { series: one })))
    const sorted = series('B', 'a', 'ä', '\uff5e', '𝒳').flatMap((one) => [
      { ...one, backend: 'cuda' },
      { ...one, backend: 'rocm', suite: 'Z' },
      { ...one, backend: 'rocm' },
    ])
    t.strictSame(await names(store), sorted)
    t.strictSame(
      await names(store, { backend: 'rocm', suite: 'Z' }),
      sorted.filter((one) => one.suite === 'Z'),
    )
    t.strictSame(await names(store, { backend: 'roc' }), [])
    for (const limit of [1, 2, 4, 100]) {
      t.strictSame(await paged(store, {}, limit), sorted, `pages of ${limit}`)
      t.strictSame(
        await paged(store, { backend: 'cuda' }, limit),
        sorted.filter((one) => one.backend === 'cuda'),
      )
    }
  })

  t.test(`${name}: in a prefix every character stands for itself`, async (t) => {
    const { store } = await open(t)
    const paths = [
      'tests/%/a',
      'tests/_/a',
      'tests/\\/a',
      'tests/\\%',
      "tests/'; drop table runs; --",
      'tests/"x"',
      'tests/x',
      'tests/X',
      'tests/é',
      'tests/e\u0301',
      'tests/\ud7ff1',
      'tests/\ue0001',
      'tests/𝒳',
      'tests/\u{10ffff}',
      'tests/\u{10ffff}\u{10ffff}b',
      'tests',
      'Tests/x',
      'tests0',
    ]
    await writeRuns(store, ...series(...paths).map((one, index) => run(`r${index}`, { series: one })))
    const byCodePoint = [...paths].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    const prefixes = new Set([
      ...paths.flatMap((path) =>
        Array.from(path, (_c, index) =>
          Array.from(path)
            .slice(0, index + 1)
            .join(''),
        ),
      ),
      ...['%', '_', '\\', 'tests/%%', 'tests/_%', 'nothing', '\u{10ffff}'],
    ])
    for (const prefix of ['', ...prefixes]) {
      t.strictSame(
        (await names(store, { testPathPrefix: prefix })).map((one) => one.testPath),
        byCodePoint.filter((path) => path.startsWith(prefix)),
        JSON.stringify(prefix),
      )
    }
    t.match(
      await listed(store, { testPathPrefix: 'tests/x' }, 9, { ...SERIES, testPath: 'tests' }),
      [{ series: { testPath: 'tests/x' } }],
      'after a series that stands before the prefix',
    )
    t.strictSame(
      (await paged(store, { testPathPrefix: 'tests/' }, 3)).map((one) => one.testPath),
      byCodePoint.filter((path) => path.startsWith('tests/')),
    )
  })

  t.test(`${name}: pages of series hold each once, whatever is written meanwhile`, async (t) => {
    const { store } = await open(t)
    const old = series(...Array.from({ length: 30 }, (_none, index) => `t${String(index).padStart(2, '0')}`))
    await writeRuns(store, ...old.map((one, index) => run(`r${index}`, { series: one })))
    let inserted = 0
    const rows = await paged(store, {}, 7, async () => {
      const suffix = ++inserted
      await writeRuns(
        store,
        ...old.map((one, index) => run(`more${suffix}-${index}`, { series: one, createdAt: at(suffix) })),
        ...series(`a${suffix}`, `t05 ${suffix}`, `z${suffix}`).map((one) =>
          run(`new${one.testPath}`, { series: one }),
        ),
      )
    })
    t.equal(new Set(rows.map((one) => one.testPath)).size, rows.length, 'none twice')
    t.strictSame(
      rows.filter((one) => old.some(({ testPath }) => testPath === one.testPath)),
      old,
    )
  })
}

function series(...testPaths: string[]): Series[] {
  return testPaths.map((testPath) => ({ ...SERIES, testPath }))
}

function listed(
  store: MetricHistoryStore,
  filter: SeriesListFilter = {},
  limit = 1_000,
  after: Series | null = null,
) {
  return store.read((reader) => reader.listSeries(filter, { limit, after }))
}

async function names(store: MetricHistoryStore, filter: SeriesListFilter = {}): Promise<Series[]> {
  return (await listed(store, filter)).map((one) => one.series)
}

async function paged(
  store: MetricHistoryStore,
  filter: SeriesListFilter,
  limit: number,
  betweenPages: () => Promise<void> = () => Promise.resolve(),
): Promise<Series[]> {
  const rows: Series[] = []
  for (let after: Series | null = null; ;) {
    const page: Series[] = (await listed(store, filter, limit, after)).map((one) => one.series)
    rows.push(...page)
    after = page.at(-1) ?? null
    if (after === null || page.length < limit) return rows
    await betweenPages()
  }
}
