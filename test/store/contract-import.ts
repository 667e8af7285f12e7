import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { ImportConflict, StoreUnavailable } from '../../src/store/errors.js'
import type { ImportedRun } from '../../src/store/exchange.js'
import type { MetricHistoryStore } from '../../src/store/store.js'
import { NotStorable } from '../../src/store/write-checks.js'
import type { Backend } from './contract.js'
import {
  at,
  exported,
  FIRST_PAGE,
  importRuns,
  imported,
  lossRun,
  numbers,
  PROVENANCE,
  revoke,
  SERIES,
  trustOf,
  value,
  verdict,
  writeRuns,
  writeVerdicts,
} from './fixtures.js'

/** Runs that come from elsewhere, all of a file or none. */
export function importContract({ name, open }: Backend): void {
  t.test(`${name}: thirty shuffled runs, five of them twice, sent twice`, async (t) => {
    const { store } = await open(t)
    const thirty = Array.from({ length: 30 }, (_none, index) =>
      imported(`r${index}`, {
        createdAt: at(index, index),
        trusted: index % 10 !== 0,
        values: [value('train/loss', 0, index), value('train/loss', -1, index / 3)],
      }),
    )
    const shuffled = [...thirty, ...thirty.slice(0, 5)].sort((a, b) => order(a) - order(b))
    t.strictSame(await importRuns(store, ...shuffled), { runs: 30, values: 60, skipped: 5 })
    t.strictSame(await importRuns(store, ...shuffled), { runs: 0, values: 0, skipped: 35 })
    const runs = await store.read((reader) => reader.listRuns({}, FIRST_PAGE))
    t.strictSame(
      runs.map(({ runId, createdAt, trusted }) => ({ runId, createdAt, trusted })),
      [...thirty].reverse().map(({ runId, createdAt, trusted }) => ({ runId, createdAt, trusted })),
    )
    t.strictSame((await numbers(store)).slice(0, 10), [29, 28, 27, 26, 25, 24, 23, 22, 21, 19])
  })

  t.test(`${name}: other content under a stored id refuses the whole file`, async (t) => {
    const { store } = await open(t)
    const kept = imported('kept', {
      createdAt: at(1),
      provenance: { ...PROVENANCE, githubRunId: 5n },
      values: [value('m', 0, 1), value('m', 1, 2), value('m', 1, 2)],
    })
    await importRuns(store, kept)
    const before = await exported(store)
    const values = (...changed: Array<Partial<ImportedRun['values'][number]>>): Partial<ImportedRun> => ({
      values: kept.values.map((one, index) => ({ ...one, ...changed[index] })),
    })
    const others: Array<[string, Partial<ImportedRun>]> = [
      ['test path', { series: { ...SERIES, testPath: 'x' } }],
      ['backend', { series: { ...SERIES, backend: 'x' } }],
      ['suite', { series: { ...SERIES, suite: 'x' } }],
      ['time', { createdAt: at(1, 1) }],
      ['commit', { provenance: { ...kept.provenance, commitSha: 'x' } }],
      ['no commit', { provenance: { ...kept.provenance, commitSha: null } }],
      ['workflow run', { provenance: { ...kept.provenance, githubRunId: 6n } }],
      ['ref', { provenance: { ...kept.provenance, ref: 'x' } }],
      ['a bit of a value', values({ value: 1 + Number.EPSILON })],
      ['a step', values({ step: 2 })],
      ['a metric', values({ metricKey: 'M' })],
      ['a key', values({ stepsKey: '' })],
      ['another key', values({ constraintKey: '{}' })],
      ['fewer values', { values: kept.values.slice(1) }],
      ['more values', { values: [...kept.values, value('m', 1, 2)] }],
      ['another one twice', { values: [kept.values[0]!, kept.values[0]!, kept.values[1]!] }],
      ['no values', { values: [] }],
    ]
    for (const [what, changes] of others) {
      const conflict = { ...kept, ...changes, where: 'line 17' }
      for (const file of [
        [imported('before'), conflict, imported('after')],
        [...many(1_200), conflict],
      ]) {
        await t.rejects(importRuns(store, ...file), new ImportConflict('kept', 'line 17'), what)
      }
    }
    t.strictSame(await exported(store), before, 'and nothing else was stored')
    const same = { ...kept, values: [...kept.values].reverse(), trusted: false, cadence: 'nightly' as const }
    t.strictSame(await importRuns(store, same), { runs: 0, values: 0, skipped: 1 })
    t.strictSame(
      await exported(store),
      before,
      'values in another order, trust, and what stands beside a run are alike',
    )
  })

  t.test(`${name}: one id twice in a file`, async (t) => {
    const { store } = await open(t)
    const one = imported('one', { values: [value('m', 0, -0)] })
    const other = { ...one, values: [value('m', 0, 1)], where: 'the end' }
    for (const between of [0, 2_500]) {
      const file = [one, ...many(between), other]
      await t.rejects(importRuns(store, ...file), new ImportConflict('one', 'the end'), `${between} between`)
      t.strictSame(await exported(store), [])
    }
    const file = [one, { ...one, values: [value('m', 0, 0)] }, ...many(2_500), one]
    t.strictSame(await importRuns(store, ...file), { runs: 2_501, values: 2_501, skipped: 2 })
  })

  t.test(`${name}: trust that was revoked after the export stays revoked`, async (t) => {
    const { store } = await open(t)
    const runs = many(3)
    await importRuns(store, ...runs)
    await revoke(store, 'v', { runIds: ['many1'] })
    t.strictSame(await importRuns(store, ...runs), { runs: 0, values: 0, skipped: 3 })
    t.strictSame(await trustOf(store, 'many0', 'many1', 'many2'), [true, false, true])
    await revoke(store, 'w', { runIds: ['many2'] })
    t.strictSame(await trustOf(store, 'many2'), [false], 'and an imported run is revoked like any other')
  })

  t.test(`${name}: an import that fails leaves nothing`, async (t) => {
    const { store, sql } = await open(t)
    await writeRuns(store, lossRun('there', at(1), 1))
    const before = await exported(store)
    async function* failing(after: number) {
      for (const one of many(after)) yield Promise.resolve(one)
      await sleep(1)
      throw new Error('the line is broken')
    }
    const unstorable = imported('bad', { values: [value('m', 0, NaN)] })
    const failures = [
      () => t.rejects(store.importRuns(failing(0)), /the line is broken/),
      () => t.rejects(store.importRuns(failing(3_000)), /the line is broken/),
      () => t.rejects(importRuns(store, ...many(1_500), unstorable), NotStorable),
      () => t.rejects(importRuns(store, imported('bad', { declarations: '\0' })), NotStorable),
    ]
    for (const fail of failures) {
      await fail()
      t.strictSame(await exported(store), before)
      t.strictSame(await sql('select run_id from metric_values'), [{ run_id: 'there' }])
    }
    t.strictSame(await importRuns(store), { runs: 0, values: 0, skipped: 0 })
  })

  t.test(`${name}: nothing of an import is seen before it is over`, async (t) => {
    const { store } = await open(t)
    await writeRuns(store, lossRun('there', at(1), 1))
    const seen: unknown[] = []
    async function* watched() {
      for (const one of many(4_000)) {
        if (one.runId === 'many3999') {
          seen.push(await numbers(store))
          seen.push((await exported(store)).length)
          seen.push(await store.read((reader) => reader.valuesOf('many0')))
          seen.push(await store.read((reader) => reader.listCoordinates(SERIES, { limit: 9, after: null })))
        }
        yield one
      }
    }
    await store.importRuns(watched())
    t.strictSame(seen, [[1], 1, [], [{ metricKey: 'train/loss', steps: [0], values: 1 }]])
    t.equal((await numbers(store, 10_000)).length, 4_001)
  })

  t.test(`${name}: others write meanwhile`, async (t) => {
    const { store, openAnother } = await open(t)
    const other = await openAnother()
    let over = false
    const importing = importRuns(store, ...many(4_000)).finally(() => (over = true))
    let written = 0
    while (!over) {
      await writeRuns(written % 2 === 0 ? store : other, lossRun(`w${written}`, at(written), 1))
      written++
      // SQLite's writes never leave the event loop by themselves.
      await sleep(1)
    }
    t.match(await importing, { runs: 4_000 })
    t.ok(written > 5, `${written} runs were written`)
    t.equal((await exported(store)).length, 4_000 + written)
  })

  t.test(`${name}: imports of one file by two instances end with one set of rows`, async (t) => {
    const { store, openAnother } = await open(t)
    const other = await openAnother()
    const results = await Promise.all([
      importRuns(store, ...many(2_500)),
      importRuns(other, ...many(2_500).reverse()),
      importRuns(store, ...many(10)),
    ])
    t.equal(
      results.reduce((sum, one) => sum + one.runs, 0),
      2_500,
    )
    t.equal(
      results.reduce((sum, one) => sum + one.skipped, 0),
      2_510,
    )
    t.strictSame(
      (await exported(store)).map((one) => one.values.length),
      Array<number>(2_500).fill(1),
    )
  })

  t.test(`${name}: runs are pulled no faster than they are written, and counted`, async (t) => {
    const { store } = await open(t)
    let pulled = 0
    let ahead = 0
    let told = 0
    const progress: number[] = []
    async function* counted() {
      for (const one of [...many(5_000), ...many(100)]) {
        ahead = Math.max(ahead, ++pulled - told)
        yield Promise.resolve(one)
      }
    }
    await store.importRuns(counted(), (runs) => {
      progress.push(runs)
      told = runs
    })
    t.ok(ahead <= 1_001, `${ahead} ahead at most`)
    t.equal(progress.at(-1), 5_100)
    t.ok(progress.length >= 5)
  })

  t.test(`${name}: an imported run tells its cadence, a verdict's comes first`, async (t) => {
    const { store } = await open(t)
    await importRuns(store, imported('i', { cadence: 'weekly' }), imported('j', { cadence: 'weekly' }))
    await writeVerdicts(store, verdict('v', { runId: 'j', cadence: 'release' }))
    t.match(await store.read((reader) => reader.listRuns({}, FIRST_PAGE)), [
      { runId: 'j', cadence: 'release', verdictId: 'v', outcome: 'pass' },
      { runId: 'i', cadence: 'weekly', verdictId: null, outcome: null },
    ])
  })

  t.test(`${name}: a store that closes ends its imports`, async (t) => {
    const { openAnother, store } = await open(t)
    const closing = await openAnother()
    async function* endless(one: MetricHistoryStore) {
      for (let index = 0; ; index++) {
        if (index === 3_000) void one.close()
        yield Promise.resolve(imported(`e${index}`))
      }
    }
    await t.rejects(closing.importRuns(endless(closing)), new StoreUnavailable('shutting down'))
    t.strictSame(await exported(store), [])
    t.match(await importRuns(store, ...many(2)), { runs: 2 })
  })
}

function many(count: number): ImportedRun[] {
  return Array.from({ length: count }, (_none, index) =>
    imported(`many${index}`, { createdAt: at(index), values: [value('train/loss', 0, index)] }),
  )
}

/** Some fixed order that is not that of time. */
function order({ runId }: ImportedRun): number {
  return (Number(runId.slice(1)) * 17) % 31
}
