import t from 'tap'
import type { RunFilter } from '../../src/store/runs.js'
import type { Backend } from './contract.js'
import {
  allPages,
  at,
  FIRST_PAGE,
  PROVENANCE,
  run,
  SERIES,
  verdict,
  writeRuns,
  writeVerdicts,
} from './fixtures.js'

/** Lists of runs: filters, order, pages. */
export function listContract({ name, open }: Backend): void {
  t.test(`${name}: runs are found by each filter and by all together`, async (t) => {
    const { store } = await open(t)
    const big = 9_007_199_254_740_993n
    await writeRuns(
      store,
      run('r1', {
        createdAt: at(1),
        provenance: { ...PROVENANCE, commitSha: 'c1', githubRunId: big, prNumber: 7 },
      }),
      run('r2', { createdAt: at(2), provenance: { ...PROVENANCE, githubRunId: big - 1n }, trusted: false }),
      run('r3', { createdAt: at(3), series: { ...SERIES, testPath: 'other.py' } }),
      run('r4', { createdAt: at(4), series: { ...SERIES, backend: 'rocm' } }),
      run('r5', { createdAt: at(5, 1), series: { ...SERIES, suite: 'late' } }),
    )
    const ids = async (filter: RunFilter) =>
      (await store.read((reader) => reader.listRuns(filter, FIRST_PAGE))).map((one) => one.runId)
    t.strictSame(await ids({}), ['r5', 'r4', 'r3', 'r2', 'r1'])
    t.strictSame(await ids({ runId: 'r2' }), ['r2'])
    t.strictSame(await ids({ commitSha: 'c1' }), ['r1'])
    t.strictSame(await ids({ githubRunId: big }), ['r1'], 'exactly, past 2^53')
    t.strictSame(await ids({ prNumber: 7 }), ['r1'])
    t.strictSame(await ids({ trusted: true }), ['r5', 'r4', 'r3', 'r1'])
    t.strictSame(await ids({ trusted: false }), ['r2'])
    t.strictSame(await ids({ testPath: 'other.py' }), ['r3'])
    t.strictSame(await ids({ backend: 'rocm' }), ['r4'])
    t.strictSame(await ids({ suite: 'late' }), ['r5'])
    t.strictSame(await ids({ ...SERIES }), ['r2', 'r1'])
    t.strictSame(await ids({ since: at(2), until: at(4) }), ['r3', 'r2'], 'from, and up to but without')
    t.strictSame(await ids({ since: at(5, 1) }), ['r5'])
    t.strictSame(await ids({ until: at(5, 1), suite: 'late' }), [])
    t.strictSame(await ids({ ...SERIES, trusted: true, prNumber: 7, commitSha: 'c1', since: at(1) }), ['r1'])
    t.strictSame(await ids({ commitSha: 'c' }), [], 'no prefix')
  })

  t.test(`${name}: a run is listed with its own verdict`, async (t) => {
    const { store } = await open(t)
    await writeRuns(store, run('r1', { createdAt: at(1) }), run('r2', { createdAt: at(2) }))
    await writeVerdicts(
      store,
      verdict('v1', { runId: 'r1', cadence: 'weekly', outcome: 'fail' }),
      verdict('v2', { runId: null, evidence: ['r1', 'r2'] }),
    )
    t.match(await store.read((reader) => reader.listRuns({}, FIRST_PAGE)), [
      { runId: 'r2', verdictId: null, cadence: null, outcome: null },
      { runId: 'r1', verdictId: 'v1', cadence: 'weekly', outcome: 'fail' },
    ])
  })

  t.test(`${name}: pages hold every run once, whatever is inserted meanwhile`, async (t) => {
    const { store } = await open(t)
    // Many at one time, so that pages end within a tie; ids that English would order otherwise.
    const ids = Array.from({ length: 60 }, (_none, index) => `${index % 2 === 0 ? 'B' : 'a'}${index}`)
    const runs = ids.map((id, index) => run(id, { createdAt: at(Math.floor(index / 20)) }))
    await writeRuns(store, ...runs)
    let inserted = 0
    for (const limit of [1, 7, 20, 60, 61]) {
      const rows = await allPages(
        store,
        limit,
        (reader, page) => reader.listRuns({ until: at(10) }, page),
        (row) => row.runId,
        () => writeRuns(store, run(`new${++inserted}`, { createdAt: at(5, inserted) })),
      )
      const old = rows.filter((row) => ids.includes(row.runId))
      t.equal(new Set(rows.map((row) => row.runId)).size, rows.length, 'none twice')
      t.strictSame(
        old.map((row) => row.runId),
        [...runs]
          .sort((a, b) =>
            a.createdAt === b.createdAt ? (a.runId < b.runId ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1,
          )
          .map((one) => one.runId),
        `pages of ${limit}`,
      )
    }
  })

  t.test(`${name}: a page may begin after a row that is not there any more`, async (t) => {
    const { store } = await open(t)
    await writeRuns(store, run('r1', { createdAt: at(1) }), run('r3', { createdAt: at(3) }))
    const page = { limit: 10, after: { createdAt: at(2), id: 'r2' } }
    t.match(await store.read((reader) => reader.listRuns({}, page)), [{ runId: 'r1' }])
  })
}
