import t from 'tap'
import type { Backend } from './contract.js'
import {
  at,
  findRun,
  FIRST_PAGE,
  holdsReplayToExport,
  imported,
  importRuns,
  LOSS,
  lossRun,
  numbers,
  revoke,
  SERIES,
  trustedSteps,
  trustOf,
  value,
  writeRuns,
} from './fixtures.js'

/** Rows that other tools insert with SQL of their own. */
export function foreignRowsContract({ name, open }: Backend): void {
  /** What the drivers hand to the database for a value that is not finite. */
  const notFinite = name === 'sqlite' ? [null, Infinity, -Infinity, 'text'] : [NaN, Infinity, -Infinity]

  const insertRun = `insert into runs (run_id, test_path, backend, suite, created_at, trusted) values ($1, $2, $3, $4, $5, $6)`
  const insertValue =
    'insert into metric_values (run_id, metric_key, steps_key, constraint_key, step, value) values ($1, $2, $3, $4, $5, $6)'
  const series = [SERIES.testPath, SERIES.backend, SERIES.suite]

  t.test(`${name}: rows of another writer count like any other`, async (t) => {
    const { store, sql } = await open(t)
    await writeRuns(store, lossRun('ours', at(1), 1))
    await sql(insertRun, ['theirs', ...series, at(2), true])
    await sql(insertValue, ['theirs', LOSS.metricKey, '', '', LOSS.step, 2])
    t.strictSame(await numbers(store), [2, 1])
    await store.read(async (reader) => {
      t.match(await findRun(reader, 'theirs'), {
        createdAt: at(2),
        trusted: true,
        provenance: { commitSha: null, ref: null },
      })
      t.match(await reader.listRuns({}, FIRST_PAGE), [
        { runId: 'theirs', cadence: null, verdictId: null, outcome: null },
        { runId: 'ours' },
      ])
      t.match(await reader.valuesOf('theirs'), [{ value: 2, stepsKey: '', constraintKey: '' }])
    })
    await sql('update runs set trusted = $1 where run_id = $2', [false, 'theirs'])
    t.strictSame(await numbers(store), [1], 'what it revokes is gone at once')
    t.strictSame(await revoke(store, 'v1', { runIds: ['ours', 'theirs'] }), ['ours'])
    t.strictSame(await trustOf(store, 'ours', 'theirs'), [false, false])
  })

  t.test(`${name}: two values of one coordinate in one run both count, the greater first`, async (t) => {
    const { store, sql } = await open(t)
    await writeRuns(store, lossRun('r1', at(1), 5), lossRun('r2', at(2), 1))
    await sql(insertValue, ['r1', LOSS.metricKey, '', '', LOSS.step, 9])
    await sql(insertValue, ['r1', LOSS.metricKey, '', '', LOSS.step, 7])
    t.strictSame(await numbers(store), [1, 9, 7, 5])
    t.strictSame(await numbers(store, 2), [1, 9])
    t.strictSame(
      (await store.read((reader) => reader.valuesOf('r1'))).map((one) => one.value),
      [9, 7, 5],
    )
  })

  for (const bad of notFinite) {
    t.test(`${name}: ${String(bad)} is left out of a baseline and counted`, async (t) => {
      const { store, sql } = await open(t)
      for (let index = 0; index < 10; index++) {
        await sql(insertRun, [`r${index}`, ...series, at(index), true])
        const value = index === 2 || index === 8 ? bad : index
        await sql(insertValue, [`r${index}`, LOSS.metricKey, '', '', LOSS.step, value])
      }
      await sql(insertRun, ['untrusted', ...series, at(9), false])
      await sql(insertValue, ['untrusted', LOSS.metricKey, '', '', LOSS.step, bad])
      await sql(insertRun, ['other', 'other.py', SERIES.backend, SERIES.suite, at(9), true])
      await sql(insertValue, ['other', LOSS.metricKey, '', '', LOSS.step, bad])

      const baseline = (limit: number) =>
        store.read(async (reader) => (await reader.recentTrustedValues(SERIES, [LOSS], limit))[0])
      const summary = async (limit: number) => {
        const found = await baseline(limit)
        return [found?.values, found?.nonFinite]
      }
      t.strictSame(
        await summary(20),
        [[9, 7, 6, 5, 4, 3, 1, 0], 2],
        'the window is not full: all were passed over',
      )
      t.strictSame(await summary(3), [[9, 7, 6], 1], 'those older than the window do not count')
      t.strictSame(await summary(1), [[9], 0])
      const values = await store.read((reader) => reader.valuesOf('r2'))
      t.notOk(Number.isFinite(values[0]?.value), 'the run itself shows it')
      const steps = await trustedSteps(store, [LOSS.metricKey])
      t.strictSame(steps.get(LOSS.metricKey), [0])
    })
  }

  t.test(`${name}: a coordinate with nothing but such values is cold, and says so`, async (t) => {
    const { store, sql } = await open(t)
    for (const [index, bad] of notFinite.entries()) {
      await sql(insertRun, [`r${index}`, ...series, at(index), true])
      await sql(insertValue, [`r${index}`, LOSS.metricKey, '', '', LOSS.step, bad])
    }
    const baselines = await store.read((reader) => reader.recentTrustedValues(SERIES, [LOSS], 20))
    t.strictSame(baselines, [{ values: [], runs: [], nonFinite: notFinite.length }])
  })

  t.test(`${name}: a history that has no copies yet, longer than is looked at beside them`, async (t) => {
    const { store, sql } = await open(t)
    const insert = async (runId: string, where: readonly string[], second: number, trusted: boolean) => {
      await sql(insertRun, [runId, ...where, at(second), trusted])
      await sql(insertValue, [runId, LOSS.metricKey, '', '', LOSS.step, second])
    }
    for (let second = 0; second < 205; second++) await insert(`r${second}`, series, second, second % 3 !== 0)
    for (const [place, other] of ['other.py', 'other', 'other'].entries()) {
      await insert(`o${place}`, series.with(place, other), 300, true)
    }
    const trusted = Array.from({ length: 205 }, (_none, index) => 204 - index).filter(
      (each) => each % 3 !== 0,
    )
    t.strictSame(await numbers(store), trusted.slice(0, 20))
    t.strictSame(await numbers(store, 1_000), trusted)
    await sql(insertValue, ['r203', 'm', '', '', 3, 1])
    await sql(insertValue, ['r204', 'm', '', '', 4, 1])
    await sql(insertValue, ['r202', 'm', '', '', -1, 1])
    await sql('update runs set trusted = $1 where run_id = $2', [false, 'r203'])
    await sql(insertValue, ['r200', 'm', '', '', 2, 1])
    await sql(insertValue, ['r200', 'm', '', '', -1, 1])
    t.strictSame([...(await trustedSteps(store, ['m', 'none']))], [['m', [2]]])
    const left = trusted.filter((each) => each !== 203)
    await holdsReplayToExport(t, store)
    t.equal(await store.copySome(), 200)
    await holdsReplayToExport(t, store)
    t.strictSame(await numbers(store), left.slice(0, 20), 'some of them copied')
    while ((await store.copySome()) > 0);
    t.strictSame(await numbers(store, 1_000), left, 'and all')
    await holdsReplayToExport(t, store)
  })

  t.test(
    `${name}: a run that is said to have no copy is read by its rows, whatever copy it has`,
    async (t) => {
      const { store, sql } = await open(t)
      await writeRuns(store, ...[1, 2, 3].map((number) => lossRun(`r${number}`, at(number), number)))
      await sql(
        'insert into uncopied_runs (run_id, series_key) select run_id, series_key from run_vectors where run_id = $1',
        ['r2'],
      )
      await sql(
        'update run_vectors set vals = (select vals from run_vectors where run_id = $1) where run_id = $2',
        ['r1', 'r2'],
      )
      t.strictSame(await numbers(store), [3, 2, 1])
      t.strictSame(await numbers(store, 2), [3, 2])
      await holdsReplayToExport(t, store)
      await sql(insertRun, ['r4', ...series, at(4), true])
      await sql(insertValue, ['r4', LOSS.metricKey, '', '', LOSS.step, 4])
      while ((await store.copySome()) > 0);
      t.strictSame(await numbers(store), [4, 3, 2, 1], 'and others are copied')
      t.strictSame(await sql('select run_id from uncopied_runs where run_id = $1', ['r4']), [])
      await holdsReplayToExport(t, store)
    },
  )

  t.test(
    `${name}: runs are copied a few at a time, and a run with more values than that by itself`,
    async (t) => {
      const { store } = await open(t)
      const sizes = [2_000, 6_000, 1, 2_000, 2_000, 2_000]
      await importRuns(
        store,
        ...sizes.map((size, index) =>
          imported(`r${index}`, {
            createdAt: at(index),
            values: Array.from({ length: size }, (_none, step) => value('m', step, step / 3)),
          }),
        ),
      )
      const copied: number[] = []
      for (let some = await store.copySome(); some > 0; some = await store.copySome()) copied.push(some)
      t.strictSame(copied, [1, 1, 3, 1])
      await holdsReplayToExport(t, store)
    },
  )
}
