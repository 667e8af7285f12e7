import t from 'tap'
import type { RunFilter } from '../../src/store/runs.js'
import type { Backend } from './contract.js'
import {
  asImport,
  at,
  exported,
  findRun,
  holdsReplayToExport,
  imported,
  importRuns,
  lossRun,
  PROVENANCE,
  run,
  SERIES,
  value,
  verdict,
  writeRuns,
  writeVerdicts,
} from './fixtures.js'

/** A history as it goes out. */
export function exportContract({ name, open }: Backend): void {
  t.test(`${name}: runs come oldest first with all that belongs to them`, async (t) => {
    const { store } = await open(t)
    const full = run('r2', {
      createdAt: at(2, 3),
      trusted: false,
      provenance: {
        commitSha: 'c',
        prNumber: 7,
        githubRunId: 2n ** 63n - 1n,
        githubRunAttempt: 2,
        eventName: 'schedule',
        ref: 'refs/heads/main',
      },
      values: [
        value('b', 1, 0.1 + 0.2),
        value('b', 0, 5e-324),
        value('\uff5e', -2, 1),
        value('𝒳', -1, -1e308),
      ],
    })
    await writeRuns(store, full, run('r1', { createdAt: at(1) }), run('B', { createdAt: at(2, 3) }))
    await writeVerdicts(store, verdict('v', { runId: 'r2', cadence: 'weekly', declarations: '[{"a":1.0}]' }))
    await importRuns(store, imported('i', { createdAt: at(0), cadence: 'release', declarations: '[]' }))
    const [b0, b1, tilde, x] = [full.values[1], full.values[0], full.values[2], full.values[3]]
    t.strictSame(await exported(store), [
      { ...run('i'), cadence: 'release', declarations: '[]' },
      { ...run('r1', { createdAt: at(1) }), cadence: null, declarations: null },
      { ...run('B', { createdAt: at(2, 3) }), cadence: null, declarations: null },
      { ...full, values: [b0, b1, tilde, x], cadence: 'weekly', declarations: '[{"a":1.0}]' },
    ])
    await holdsReplayToExport(t, store)
  })

  t.test(`${name}: an export has the filters of the list, and its order reversed`, async (t) => {
    const { store } = await open(t)
    // More than two pages, many at one time.
    const runs = Array.from({ length: 250 }, (_none, index) =>
      lossRun(`${index % 2 === 0 ? 'B' : 'a'}${index}`, at(Math.floor(index / 40)), index, {
        trusted: index % 3 !== 0,
        series: { ...SERIES, suite: `s${index % 2}` },
        provenance: { ...PROVENANCE, prNumber: index % 5 },
      }),
    )
    await writeRuns(store, ...runs)
    const filters: RunFilter[] = [
      {},
      { ...SERIES, suite: 's1' },
      { suite: 's1', trusted: true },
      { prNumber: 3 },
      { since: at(1), until: at(4) },
      { runId: 'a7' },
      { commitSha: 'none' },
    ]
    for (const filter of filters) {
      const listed = await store.read((reader) => reader.listRuns(filter, { limit: 1_000, after: null }))
      t.strictSame(
        (await exported(store, filter)).map((one) => one.runId),
        listed.map((one) => one.runId).reverse(),
        Object.keys(filter).join(),
      )
      await holdsReplayToExport(t, store, filter)
    }
  })

  t.test(`${name}: an export is one snapshot, however long it takes, and may be left early`, async (t) => {
    const { store, openAnother } = await open(t)
    await writeRuns(
      store,
      ...Array.from({ length: 150 }, (_none, index) => lossRun(`r${index}`, at(index), index)),
    )
    const other = await openAnother()
    let seen = 0
    await store.read(
      async (reader) => {
        for await (const one of reader.exportRuns({})) {
          if (seen++ === 3) await writeRuns(other, lossRun('late', at(149, 5), 1))
          t.not(one.runId, 'late')
        }
      },
      { long: true, replica: true },
    )
    t.equal(seen, 150)
    await store.read(async (reader) => {
      for await (const one of reader.exportRuns({})) if (one.runId === 'r3') break
    })
    t.equal((await exported(store)).length, 151)
  })

  t.test(`${name}: a run of many values comes whole, and those about it too`, async (t) => {
    const { store } = await open(t)
    const sizes = [19_000, 3_000, 0, 45_000, 10, 20_001]
    for (const [index, size] of sizes.entries()) {
      const values = Array.from({ length: size }, (_none, step) => value('m', step, step / 3))
      await writeRuns(store, run(`r${index}`, { createdAt: at(index), values }))
    }
    const runs = await exported(store)
    t.strictSame(
      runs.map((one) => one.values.length),
      sizes,
    )
    t.ok(runs.every((one) => one.values.every((each, step) => each.step === step && each.value === step / 3)))
    await holdsReplayToExport(t, store)
  })

  t.test(`${name}: a long read is never begun again`, async (t) => {
    const { store } = await open(t)
    let begun = 0
    const failing = store.read(
      () => {
        begun++
        return Promise.reject(new Error('the client has gone'))
      },
      { long: true },
    )
    await t.rejects(failing, /the client has gone/)
    t.equal(begun, 1)
  })

  t.test(`${name}: long reads leave the others their connections`, async (t) => {
    const { store } = await open(t, { poolSize: 2 })
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const long = Array.from({ length: 2 }, () => store.read(() => released, { long: true, replica: true }))
    await writeRuns(store, lossRun('r', at(1), 1))
    const short = Array.from({ length: 8 }, () => store.read((reader) => findRun(reader, 'r')))
    t.match(
      await Promise.all(short),
      short.map(() => ({ runId: 'r' })),
    )
    release()
    await Promise.all(long)
  })

  t.test(`${name}: what was exported and imported elsewhere exports alike`, async (t) => {
    const { store, sql } = await open(t)
    await writeRuns(
      store,
      ...Array.from({ length: 120 }, (_none, index) =>
        run(`r${index}`, {
          createdAt: at(index % 30, index),
          trusted: index % 4 !== 0,
          values: Array.from({ length: index % 7 }, (_value, step) => value(`m${step % 2}`, step, index / 7)),
        }),
      ),
    )
    await writeVerdicts(
      store,
      ...Array.from({ length: 60 }, (_none, index) =>
        verdict(`v${index}`, { runId: `r${index}`, declarations: `[${index}]`, cadence: 'weekly' }),
      ),
    )
    // Another writer's: without a commit, with two values of one coordinate.
    const series = [SERIES.testPath, SERIES.backend, SERIES.suite]
    await sql(
      `insert into runs (run_id, test_path, backend, suite, created_at, trusted) values ('theirs', $1, $2, $3, $4, $5)`,
      [...series, at(5), true],
    )
    await sql(
      `insert into metric_values (run_id, metric_key, step, value) values ('theirs', 'm', 0, 1), ('theirs', 'm', 0, 1)`,
    )
    const before = await exported(store)
    const { store: fresh } = await open(t)
    t.strictSame(await importRuns(fresh, ...[...before].reverse().map(asImport)), {
      runs: 121,
      values: before.reduce((sum, one) => sum + one.values.length, 0),
      skipped: 0,
    })
    t.strictSame(await exported(fresh), before)
    t.match(await importRuns(store, ...before.map(asImport)), { runs: 0, values: 0, skipped: 121 })
    t.strictSame(await exported(store), before)
  })
}
