import t from 'tap'
import type { Backend } from './contract.js'
import { at, revoke, run, SERIES, value, verdict, writeRuns, writeVerdicts } from './fixtures.js'

/** What a revocation would change, told before it is made. */
export function impactContract({ name, open }: Backend): void {
  const settings = { window: 20, minimum: 10, limit: 100 }
  const id = (index: number) => `r${String(index).padStart(2, '0')}`
  const ids = (from: number, to: number) =>
    Array.from({ length: to - from }, (_none, index) => id(from + index))

  t.test(`${name}: coordinates go cold or fall under the minimum`, async (t) => {
    const { store, sql } = await open(t)
    await writeRuns(
      store,
      ...Array.from({ length: 30 }, (_none, index) =>
        run(id(index), {
          createdAt: at(index),
          values: [
            value('every', 0, index),
            ...(index >= 15 && index < 27 ? [value('twelve', 0, index)] : []),
            ...(index >= 25 ? [value('only', 3, index), value('only', -1, index)] : []),
            ...(index >= 22 ? [value('few', 0, index)] : []),
          ],
        }),
      ),
      run('other', {
        createdAt: at(40),
        series: { ...SERIES, suite: 'Other' },
        values: [value('only', 3, 1)],
      }),
    )
    const impact = (runIds: readonly string[], limit = 100) =>
      store.read((reader) => reader.revocationImpact(runIds, { ...settings, limit }))
    const summary = async (runIds: readonly string[]) =>
      (await impact(runIds)).coordinates.map((one) => [
        one.series.suite,
        one.metricKey,
        one.step,
        one.nBefore,
        one.nAfter,
        one.effect,
      ])
    const suite = SERIES.suite

    t.strictSame(await summary([...ids(25, 30), 'other']), [
      ['Other', 'only', 3, 1, 0, 'cold'],
      [suite, 'only', -1, 5, 0, 'cold'],
      [suite, 'only', 3, 5, 0, 'cold'],
      // 12 before, 10 after: still enough. `few` had too few before. `every` has enough.
    ])
    t.strictSame(await summary(ids(24, 27)), [[suite, 'twelve', 0, 12, 9, 'below_minimum']])
    t.strictSame(
      await summary(ids(5, 30)),
      [
        [suite, 'few', 0, 8, 0, 'cold'],
        [suite, 'only', -1, 5, 0, 'cold'],
        [suite, 'only', 3, 5, 0, 'cold'],
        [suite, 'twelve', 0, 12, 0, 'cold'],
        [suite, 'every', 0, 20, 5, 'below_minimum'],
      ],
      'the baseline before is not larger than the window',
    )
    const bounded = await impact(ids(5, 30), 2)
    t.equal(bounded.coordinates.length, 2)
    t.equal(bounded.coordinatesTotal, 5)
    t.strictSame(await summary([]), [])
    t.strictSame(await summary(['nobody']), [])

    await sql('update runs set trusted = $1 where run_id >= $2 and run_id <= $3', [false, 'r25', 'r29'])
    t.strictSame(await summary(ids(25, 30)), [], 'what is untrusted already takes nothing along')
  })

  t.test(`${name}: the verdicts that rested on the runs, newest first`, async (t) => {
    const { store } = await open(t)
    await writeRuns(store, run('r1'), run('r2', { trusted: false }))
    await writeVerdicts(
      store,
      verdict('v1', { createdAt: at(1), evidence: ['r1', 'r2'], outcome: 'fail' }),
      verdict('v2', { createdAt: at(2), evidence: ['r3'] }),
      verdict('v3', { createdAt: at(3), evidence: ['r2'], series: { ...SERIES, suite: 'x' } }),
      verdict('v4', { createdAt: at(3), evidence: ['r9', 'r1'] }),
    )
    const impact = await store.read((reader) => reader.revocationImpact(['r1', 'r2'], settings))
    t.strictSame(impact, {
      coordinates: [],
      coordinatesTotal: 0,
      verdicts: [
        { verdictId: 'v4', createdAt: at(3), series: SERIES, outcome: 'pass' },
        { verdictId: 'v3', createdAt: at(3), series: { ...SERIES, suite: 'x' }, outcome: 'pass' },
        { verdictId: 'v1', createdAt: at(1), series: SERIES, outcome: 'fail' },
      ],
      verdictsTotal: 3,
    })
    const bounded = await store.read((reader) =>
      reader.revocationImpact(['r1', 'r2'], { ...settings, limit: 1 }),
    )
    t.match(bounded, { verdicts: [{ verdictId: 'v4' }], verdictsTotal: 3 })
  })

  t.test(`${name}: the impact told is the impact made`, async (t) => {
    const { store } = await open(t)
    await writeRuns(
      store,
      ...Array.from({ length: 12 }, (_none, index) =>
        run(id(index), { createdAt: at(index), values: [value('m', 0, index)] }),
      ),
    )
    const { coordinates } = await store.read((reader) => reader.revocationImpact(ids(3, 12), settings))
    await revoke(store, 'v1', { runIds: ids(3, 12) })
    const [baseline] = await store.read((reader) =>
      reader.recentTrustedValues(SERIES, [{ metricKey: 'm', step: 0 }], settings.window),
    )
    t.match(coordinates, [{ nBefore: 12, nAfter: baseline?.values.length }])
  })
}
