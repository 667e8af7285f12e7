import t from 'tap'
import type { HistoryFilter, HistoryPage, HistoryPoint } from '../../src/store/history.js'
import type { MetricHistoryStore } from '../../src/store/store.js'
import type { Backend } from './contract.js'
import {
  at,
  importRuns,
  imported,
  PROVENANCE,
  revoke,
  run,
  SERIES,
  value,
  verdict,
  writeRuns,
  writeVerdicts,
} from './fixtures.js'

/** What a series measured over time, and by which rules. */
export function historyContract({ name, open }: Backend): void {
  t.test(`${name}: the metrics of a series with their steps`, async (t) => {
    const { store } = await open(t)
    await writeRuns(
      store,
      run('r1', {
        createdAt: at(1),
        values: [
          value('b', 10, 1),
          value('b', 9, 1),
          value('b', -2, 1),
          value('\uff5e', 0, 1),
          value('𝒳', 0, 1),
        ],
      }),
      run('r2', { createdAt: at(2), trusted: false, values: [value('b', 9, 1), value('B', -1, 1)] }),
      run('other', { series: { ...SERIES, suite: 'other' }, values: [value('c', 0, 1)] }),
    )
    const expected = [
      { metricKey: 'B', steps: [-1], values: 1 },
      { metricKey: 'b', steps: [-2, 9, 10], values: 4 },
      { metricKey: '\uff5e', steps: [0], values: 1 },
      { metricKey: '𝒳', steps: [0], values: 1 },
    ]
    const list = (limit: number, after: string | null = null, series = SERIES) =>
      store.read((reader) => reader.listCoordinates(series, { limit, after }))
    t.strictSame(await list(100), expected)
    t.strictSame(await list(2), expected.slice(0, 2))
    t.strictSame(await list(1, 'B'), expected.slice(1, 2))
    t.strictSame(await list(100, 'b'), expected.slice(2))
    t.strictSame(await list(100, 'a'), expected.slice(1), 'after a metric that is not there')
    t.strictSame(await list(100, '𝒳'), [])
    t.strictSame(await list(100, null, { ...SERIES, backend: 'x' }), [])
  })

  t.test(`${name}: the declarations of the newest run that brought any`, async (t) => {
    const { store } = await open(t)
    const newest = () => store.read((reader) => reader.newestDeclarations(SERIES))
    t.equal(await newest(), null)
    await writeRuns(store, run('r1', { createdAt: at(1) }))
    t.equal(await newest(), null)
    await importRuns(store, imported('i2', { createdAt: at(2), declarations: '["imported"]' }))
    t.equal(await newest(), '["imported"]')
    await writeRuns(store, run('r3', { createdAt: at(3), trusted: false }), run('r4', { createdAt: at(4) }))
    await writeVerdicts(
      store,
      verdict('v3', { runId: 'r3', createdAt: at(3), declarations: '["r3"]' }),
      verdict('judged', { createdAt: at(9), declarations: '["judged only"]' }),
    )
    t.equal(await newest(), '["r3"]', 'of a run, whatever its trust')
    await importRuns(store, imported('i1', { createdAt: at(1), declarations: '["older"]' }))
    t.equal(await newest(), '["r3"]')
  })

  t.test(`${name}: the history of a metric, newest run first, then by step`, async (t) => {
    const { store, sql } = await open(t)
    await writeRuns(
      store,
      run('r1', {
        createdAt: at(1),
        provenance: { ...PROVENANCE, commitSha: 'c1', githubRunId: 9_007_199_254_740_993n },
        values: [value('m', 2, 1.2), value('m', -1, 1.9), value('n', 0, 7)],
      }),
      run('r2', { createdAt: at(2), trusted: false, values: [value('m', 2, 2.2), value('m', 10, 2.1)] }),
      run('r3', { createdAt: at(2), values: [value('n', 0, 7)] }),
      run('r4', { createdAt: at(2), values: [value('m', 2, 4.2)] }),
    )
    await sql(
      `insert into metric_values (run_id, metric_key, step, value) values ('r1', 'm', 2, 5), ('r1', 'm', 2, -5)`,
    )
    const points = await history(store, {})
    t.strictSame(brief(points), [
      'r4 2 4.2',
      'r2 2 2.2',
      'r2 10 2.1',
      'r1 -1 1.9',
      'r1 2 5',
      'r1 2 1.2',
      'r1 2 -5',
    ])
    t.strictSame(points.at(-1), {
      runId: 'r1',
      createdAt: at(1),
      commitSha: 'c1',
      githubRunId: 9_007_199_254_740_993n,
      trusted: true,
      step: 2,
      value: -5,
      check: null,
    })
    t.strictSame(brief(await history(store, { step: 2, trusted: true })), [
      'r4 2 4.2',
      'r1 2 5',
      'r1 2 1.2',
      'r1 2 -5',
    ])
    t.strictSame(brief(await history(store, { trusted: false })), ['r2 2 2.2', 'r2 10 2.1'])
    t.strictSame(brief(await history(store, { step: 2, since: at(2) })), ['r4 2 4.2', 'r2 2 2.2'])
    t.strictSame(brief(await history(store, { step: -1, until: at(2) })), ['r1 -1 1.9'])
    t.strictSame(await history(store, { metricKey: 'none' }), [])
    t.strictSame(await history(store, { series: { ...SERIES, testPath: 'x' } }), [])
    for (const limit of [1, 2, 3, 7, 8]) {
      t.strictSame(await paged(store, {}, limit), points, `pages of ${limit}`)
      t.strictSame(brief(await paged(store, { step: 2 }, limit)).length, 5)
    }
    await revoke(store, 'v', { runIds: ['r4'] })
    t.strictSame(brief(await history(store, { step: 2, trusted: false })), ['r4 2 4.2', 'r2 2 2.2'])
  })

  t.test(`${name}: pages of a history hold each point once, whatever is written meanwhile`, async (t) => {
    const { store } = await open(t)
    const runs = Array.from({ length: 20 }, (_none, index) =>
      run(`${index % 2 === 0 ? 'B' : 'a'}${index}`, {
        createdAt: at(Math.floor(index / 10)),
        values: [value('m', 0, index), value('m', 1, index), value('m', 2, index)],
      }),
    )
    await writeRuns(store, ...runs)
    const all = await history(store, {})
    t.equal(all.length, 60)
    let inserted = 0
    for (const limit of [1, 4, 6, 59, 60]) {
      const rows = await paged(store, { until: at(2) }, limit, () =>
        writeRuns(
          store,
          run(`new${++inserted}`, { createdAt: at(1, inserted), values: [value('m', 1, 0.5)] }),
        ),
      )
      t.strictSame(
        rows.filter((row) => row.value !== 0.5),
        all,
        `pages of ${limit}`,
      )
    }
  })

  t.test(`${name}: a point is told with its check of its run's own verdict`, async (t) => {
    const { store } = await open(t)
    const check = (metric: string, step: number, status: string) => ({
      metric_key: metric,
      step,
      status,
      baseline: { n: 3, mean: 0.1, lower: -1, upper: 1e300 },
      reason: `"step":${step}, {[`,
    })
    const piece = (metricKey: string, ...checks: unknown[]) => ({ metricKey, checks: JSON.stringify(checks) })
    await writeRuns(
      store,
      ...[1, 2, 3].map((n) =>
        run(`r${n}`, { createdAt: at(n), values: [value('m', 0, n), value('m', 1, n), value('m', -1, n)] }),
      ),
    )
    await writeVerdicts(
      store,
      verdict('v1', {
        runId: 'r1',
        checks: [
          piece('n', check('n', 0, 'error')),
          piece('m', check('m', 0, 'pass'), check('m', -1, 'fail')),
        ],
      }),
      verdict('v2', {
        runId: 'r2',
        checks: [piece('n', check('n', 0, 'pass')), piece('m', { step: null }, null)],
      }),
      verdict('judged', { evidence: ['r3'], checks: [piece('m', check('m', 0, 'fail'))] }),
    )
    const checks = async (filter: Partial<HistoryFilter>) =>
      (await history(store, filter)).map(({ check }) =>
        check === null ? null : (JSON.parse(check) as unknown),
      )
    t.strictSame(await checks({ step: 0 }), [null, null, check('m', 0, 'pass')])
    t.strictSame(await checks({ until: at(2) }), [check('m', -1, 'fail'), check('m', 0, 'pass'), null])
  })

  t.test(`${name}: checks of many megabytes are read a few at a time`, async (t) => {
    const { store } = await open(t)
    const checks = Array.from({ length: 4_000 }, (_none, step) => ({
      step,
      status: 'pass',
      reason: 'x'.repeat(400),
    }))
    const runs = Array.from({ length: 12 }, (_none, index) =>
      run(`r${index}`, { createdAt: at(index), values: [value('m', 7, index), value('m', 3_999, index)] }),
    )
    await writeRuns(store, ...runs)
    for (const { runId } of runs) {
      const one = { runId, checks: [{ metricKey: 'm', checks: JSON.stringify(checks) }] }
      await writeVerdicts(store, verdict(`v-${runId}`, one))
    }
    const points = await history(store, {})
    t.equal(points.length, 24)
    t.ok(points.every(({ check, step }) => check === JSON.stringify(checks[step])))
  })
}

function history(store: MetricHistoryStore, filter: Partial<HistoryFilter>, page: Partial<HistoryPage> = {}) {
  return store.read((reader) =>
    reader.listHistory({ series: SERIES, metricKey: 'm', ...filter }, { limit: 1_000, after: null, ...page }),
  )
}

function brief(points: readonly HistoryPoint[]): string[] {
  return points.map((point) => `${point.runId} ${point.step} ${point.value}`)
}

async function paged(
  store: MetricHistoryStore,
  filter: Partial<HistoryFilter>,
  limit: number,
  betweenPages: () => Promise<void> = () => Promise.resolve(),
): Promise<HistoryPoint[]> {
  const rows: HistoryPoint[] = []
  for (let after: HistoryPage['after'] = null; ;) {
    const page = await history(store, filter, { limit, after })
    rows.push(...page)
    after = page.at(-1) ?? null
    if (after === null || page.length < limit) return rows
    await betweenPages()
  }
}
