import t from 'tap'
import type { Coordinate } from '../../src/gate/run.js'
import type { Backend } from './contract.js'
import { at, LOSS, lossRun, numbers, run, SERIES, trustedSteps, value, writeRuns } from './fixtures.js'

/** The reads that a gate waits for. */
export function baselineContract({ name, open }: Backend): void {
  t.test(`${name}: a baseline is the newest trusted values, newest first`, async (t) => {
    const { store } = await open(t)
    const runs = Array.from({ length: 30 }, (_none, index) => lossRun(`r${index}`, at(index, index), index))
    await writeRuns(store, ...[...runs].reverse())
    const [baseline] = await store.read((reader) => reader.recentTrustedValues(SERIES, [LOSS], 20))
    t.strictSame(baseline, {
      values: runs
        .slice(10)
        .reverse()
        .map((_run, index) => 29 - index),
      runs: runs
        .slice(10)
        .reverse()
        .map(({ runId, createdAt }) => ({ runId, createdAt })),
      nonFinite: 0,
    })
    t.strictSame(await numbers(store, 1), [29])
    t.strictSame(
      await numbers(store, 100),
      runs.map((_run, index) => 29 - index),
    )
  })

  t.test(`${name}: equal times are ordered by run id, by code point`, async (t) => {
    const { store } = await open(t)
    // In UTF-16 the astral character sorts below U+FF5E; in English A and a stand together, before B.
    const ids = ['A', 'B', 'a', 'b', 'ä', '\uff5e', '𝒳']
    await writeRuns(
      store,
      ...['b', '𝒳', 'A', 'ä', 'B', '\uff5e', 'a'].map((id) => lossRun(id, at(1), ids.indexOf(id))),
    )
    t.strictSame(await numbers(store), [6, 5, 4, 3, 2, 1, 0])
    t.strictSame(await numbers(store, 3), [6, 5, 4], 'also where the window cuts through them')
    const matched = await store.read((reader) => reader.matchRuns({ runIds: ids }))
    t.strictSame(
      matched.map((one) => one.runId),
      [...ids].reverse(),
    )
  })

  t.test(`${name}: a microsecond decides`, async (t) => {
    const { store } = await open(t)
    await writeRuns(store, lossRun('b', at(1, 1), 1), lossRun('a', at(1, 2), 2), lossRun('c', at(1, 0), 0))
    t.strictSame(await numbers(store), [2, 1, 0])
  })

  t.test(`${name}: untrusted runs and other series are left out`, async (t) => {
    const { store } = await open(t)
    await writeRuns(
      store,
      lossRun('kept', at(1), 1),
      lossRun('untrusted', at(2), 2, { trusted: false }),
      lossRun('path', at(3), 3, { series: { ...SERIES, testPath: `${SERIES.testPath} ` } }),
      lossRun('backend', at(4), 4, { series: { ...SERIES, backend: 'Cuda' } }),
      lossRun('suite', at(5), 5, { series: { ...SERIES, suite: 'stage-c-8' } }),
    )
    t.strictSame(await numbers(store), [1])
    t.strictSame(await numbers(store, 20, LOSS, { ...SERIES, backend: 'Cuda' }), [4])
  })

  t.test(`${name}: each coordinate has a baseline of its own, in the order asked`, async (t) => {
    const { store } = await open(t)
    await writeRuns(
      store,
      run('r1', {
        createdAt: at(1),
        values: [value('m', 0, 10), value('m', -1, 11), value('m', -2, 12), value('n', 0, 13)],
      }),
      run('r2', {
        createdAt: at(2),
        values: [value('m', 0, 20), value('__proto__', 0, 21), value('M', 0, 22)],
      }),
    )
    const coordinates: Coordinate[] = [
      { metricKey: '__proto__', step: 0 },
      { metricKey: 'm', step: -2 },
      { metricKey: 'none', step: 0 },
      { metricKey: 'm', step: 0 },
      { metricKey: 'm', step: 1 },
      { metricKey: 'm', step: -1 },
    ]
    const baselines = await store.read((reader) => reader.recentTrustedValues(SERIES, coordinates, 20))
    t.strictSame(
      baselines.map((one) => [...one.values]),
      [[21], [12], [], [20, 10], [], [11]],
    )
  })

  t.test(`${name}: a coordinate that few runs hold is found however far back`, async (t) => {
    const { store } = await open(t)
    const other = { ...SERIES, suite: 'other' }
    await store.write(async (writer) => {
      for (let index = 0; index < 400; index++) {
        await writer.writeRun(
          run(`r${String(index).padStart(3, '0')}`, {
            createdAt: at(index),
            values: [
              value('dense', 0, index),
              ...(index % 100 === 0 ? [value('hundredth', 0, index)] : []),
              ...(index < 3 ? [value('oldest', 0, index), value('common', 0, index)] : []),
              ...(index < 60 && index % 2 === 0 ? [value('stopped', 0, index)] : []),
            ],
          }),
        )
        // Held by more runs of another series than are looked at one by one.
        await writer.writeRun(
          run(`o${index}`, {
            createdAt: at(index),
            series: other,
            values: [value('common', 0, -1), value('common', 0, -2)],
          }),
        )
      }
    })
    const numbersOf = (metricKey: string) => numbers(store, 20, { metricKey, step: 0 })
    t.strictSame(await numbersOf('hundredth'), [300, 200, 100, 0])
    t.strictSame(await numbersOf('oldest'), [2, 1, 0])
    t.strictSame(await numbersOf('common'), [2, 1, 0])
    t.strictSame(
      await numbersOf('stopped'),
      Array.from({ length: 20 }, (_none, index) => 58 - 2 * index),
    )
    t.strictSame((await numbersOf('dense'))[19], 380)
    t.strictSame(await numbersOf('never'), [])
  })

  t.test(`${name}: the number of queries depends on nothing`, async (t) => {
    const { store, queries } = await open(t)
    const many = Array.from({ length: 2_000 }, (_none, step) => ({ metricKey: 'm', step }))
    const counts: number[] = []
    for (const runs of [10, 490]) {
      await store.write(async (writer) => {
        for (let index = 0; index < runs; index++) {
          const runId = `${runs}-${index}`
          await writer.writeRun(
            run(runId, { createdAt: at(index), values: [value('m', 0, 1), value('m', 1999, 2)] }),
          )
        }
      })
      for (const coordinates of [many.slice(0, 1), many]) {
        queries.length = 0
        const baselines = await store.read((reader) => reader.recentTrustedValues(SERIES, coordinates, 20))
        t.equal(baselines.length, coordinates.length)
        counts.push(queries.length)
      }
    }
    t.strictSame(counts, [1, 1, 1, 2], 'one more where the newest copies do not hold enough of a step')
    queries.length = 0
    await trustedSteps(store, ['m', 'n', 'o'])
    t.equal(queries.length, 1)
  })

  t.test(`${name}: the steps of the newest trusted run that holds a metric`, async (t) => {
    const { store } = await open(t)
    await writeRuns(
      store,
      run('r1', { createdAt: at(1), values: [value('old', 5, 1), value('m', 9, 1)] }),
      run('r2', {
        createdAt: at(2),
        values: [value('m', 10, 1), value('m', 2, 1), value('m', 0, 1), value('m', -1, 1)],
      }),
      run('r3', { createdAt: at(3), values: [value('m', -1, 1), value('reduced', -2, 1)] }),
      run('r4', { createdAt: at(4), trusted: false, values: [value('m', 77, 1)] }),
      run('r5', { createdAt: at(5), series: { ...SERIES, suite: 'other' }, values: [value('m', 78, 1)] }),
    )
    const steps = await trustedSteps(store, ['m', 'old', 'reduced', 'none', 'm'])
    t.strictSame([...steps].sort(), [
      ['m', [0, 2, 10]],
      ['old', [5]],
    ])
  })
}
