import t from 'tap'
import { StoreUnavailable } from '../../src/store/errors.js'
import type { NewRun } from '../../src/store/runs.js'
import { NotStorable } from '../../src/store/write-checks.js'
import type { Backend } from './contract.js'
import {
  at,
  findRun,
  LOSS,
  lossRun,
  numbers,
  PROVENANCE,
  run,
  SERIES,
  trustedSteps,
  value,
  writeRuns,
} from './fixtures.js'

/** One run and its values. */
export function runContract({ name, open }: Backend): void {
  t.test(`${name}: a run comes back as it was written`, async (t) => {
    const { store } = await open(t)
    const written = run('01936f0c-0000-7000-8000-000000000001', {
      createdAt: at(5, 123_456),
      trusted: false,
      provenance: {
        commitSha: 'b'.repeat(64),
        prNumber: 2_147_483_647,
        githubRunId: 9_223_372_036_854_775_807n,
        githubRunAttempt: 3,
        eventName: 'schedule',
        ref: 'refs/heads/main',
      },
      values: [
        value('z', 2, 1.5),
        value('z', -2, 0.1 + 0.2),
        value('a/ä 𝒳 %2F __proto__', Number.MAX_SAFE_INTEGER, -1e-310),
      ],
    })
    await writeRuns(store, written)
    await store.read(async (reader) => {
      const { values, ...rest } = written
      t.strictSame(await findRun(reader, written.runId), rest)
      t.strictSame(await reader.valuesOf(written.runId), [values[2], values[1], values[0]])
      t.equal(await findRun(reader, 'nobody'), null)
      t.strictSame(await reader.valuesOf('nobody'), [])
    })
  })

  t.test(`${name}: absent provenance is null, and every microsecond is kept`, async (t) => {
    const { store } = await open(t)
    const times = [
      '2026-01-01T00:00:00.000000Z',
      '2026-12-31T23:59:59.999999Z',
      '1999-06-01T12:00:00.000001Z',
    ]
    for (const [index, createdAt] of times.entries()) await writeRuns(store, run(`r${index}`, { createdAt }))
    await store.read(async (reader) => {
      for (const [index, createdAt] of times.entries()) {
        t.match(await findRun(reader, `r${index}`), { createdAt, provenance: PROVENANCE })
      }
    })
  })

  t.test(`${name}: doubles come back to the bit, and -0 as 0`, async (t) => {
    const { store } = await open(t)
    const doubles = [
      5e-324,
      Number.MAX_VALUE,
      -Number.MAX_VALUE,
      0.1,
      1 / 3,
      2 ** 53 + 2,
      1e21,
      1.7976931348623155e308,
    ]
    await writeRuns(store, run('r', { values: [...doubles, -0].map((one, step) => value('m', step, one)) }))
    const values = await store.read((reader) => reader.valuesOf('r'))
    t.strictSame(
      values.map((one) => one.value),
      [...doubles, 0],
    )
    t.ok(Object.is(values.at(-1)?.value, 0), 'without its sign')
  })

  t.test(`${name}: the same run again changes nothing`, async (t) => {
    const { store } = await open(t)
    await writeRuns(store, lossRun('r', at(1), 1))
    await writeRuns(store, lossRun('r', at(2), 2, { trusted: false }), lossRun('r', at(3), 3))
    t.strictSame(await numbers(store), [1])
    t.match(await store.read((reader) => findRun(reader, 'r')), { createdAt: at(1), trusted: true })
  })

  t.test(`${name}: what cannot be stored is refused before anything is touched`, async (t) => {
    const { store, sql, queries } = await open(t)
    const values = (one: Partial<ReturnType<typeof value>>): Partial<NewRun> => ({
      values: [value('ok', 0, 1), { ...value('m', 0, 1), ...one }],
    })
    const provenance = (one: Partial<typeof PROVENANCE>): Partial<NewRun> => ({
      provenance: { ...PROVENANCE, ...one },
    })
    const refused: Array<[string, Partial<NewRun>]> = [
      ['NaN', values({ value: NaN })],
      ['infinity', values({ value: -Infinity })],
      ['a step below -2', values({ step: -3 })],
      ['a fractional step', values({ step: 0.5 })],
      ['a step past 2^53', values({ step: 2 ** 53 })],
      ['NUL', values({ metricKey: 'a\0b' })],
      ['a lone surrogate', values({ metricKey: '\ud800' })],
      ['a lone surrogate in a provenance key', values({ stepsKey: 'x\udc00' })],
      ['a metric key too long for an index', values({ metricKey: 'ä'.repeat(1_025) })],
      ['NUL in a series', { series: { ...SERIES, suite: '\0' } }],
      ['a series too long for an index', { series: { ...SERIES, testPath: '𝒳'.repeat(501) } }],
      ['a run id too long for an index', { runId: 'r'.repeat(257) }],
      ['a 65-bit id', provenance({ githubRunId: 2n ** 63n })],
      ['a negative id', provenance({ githubRunId: -1n })],
      ['a pull request past 32 bits', provenance({ prNumber: 2 ** 31 })],
      ['a time without microseconds', { createdAt: '2026-11-30T18:00:00Z' }],
      ['a time with an offset', { createdAt: '2026-11-30T18:00:00.000000+01:00' }],
    ]
    for (const [what, fields] of refused) {
      queries.length = 0
      await t.rejects(writeRuns(store, run('r', fields)), NotStorable, what)
      t.strictSame(queries, [], `${what}: no statement was sent`)
    }
    t.strictSame(await sql('select * from runs'), [])
    t.strictSame(await sql('select * from metric_values'), [])
  })

  t.test(`${name}: a transaction is kept as a whole or not at all`, async (t) => {
    const { store, sql } = await open(t)
    const bad = lossRun('bad', at(2), NaN)
    await t.rejects(writeRuns(store, lossRun('good', at(1), 1), bad), NotStorable)
    const stop = new Error('stop')
    await t.rejects(
      store.write(async (writer) => {
        await writer.writeRun(lossRun('good', at(1), 1))
        t.match(await findRun(writer, 'good'), { runId: 'good' }, 'a transaction sees what it wrote')
        throw stop
      }),
      stop,
      'with the error of the work itself',
    )
    t.strictSame(await sql('select * from runs'), [])
    t.strictSame(await sql('select * from metric_values'), [])
    t.equal(await store.write(() => Promise.resolve('answer')), 'answer')
  })

  t.test(`${name}: a value that the database refuses leaves no row`, async (t) => {
    const { store, sql } = await open(t)
    await sql('create unique index only_once on metric_values (run_id, metric_key, step)')
    const twice = [...Array.from({ length: 450 }, (_none, step) => value('m', step, step)), value('m', 7, 7)]
    await t.rejects(writeRuns(store, run('r', { values: twice })))
    t.strictSame(await sql('select * from runs'), [])
    t.strictSame(await sql('select * from metric_values'), [])
    await sql('drop index only_once')
    await writeRuns(store, run('r', { values: twice }))
    t.equal((await store.read((reader) => reader.valuesOf('r'))).length, 451, 'and the store goes on')
  })

  t.test(`${name}: five thousand values are written and read back`, async (t) => {
    const { store } = await open(t)
    const values = Array.from({ length: 5_000 }, (_none, step) => value('m', step, Math.sin(step)))
    await writeRuns(store, run('r', { values }))
    t.strictSame(await store.read((reader) => reader.valuesOf('r')), values)
  })

  t.test(`${name}: the longest keys fit every index`, async (t) => {
    const { store } = await open(t)
    // Text that compression gains nothing on, in characters of four bytes.
    const noise = (length: number, seed: number) =>
      Array.from({ length }, (_none, index) =>
        String.fromCodePoint(0x20000 + ((index * 7_919 + seed * 104_729 + index ** 3) % 40_000)),
      ).join('')
    const series = { testPath: noise(300, 1), backend: noise(100, 2), suite: noise(100, 3) }
    const metricKey = noise(512, 4)
    const runId = noise(64, 5)
    await writeRuns(store, run(runId, { series, values: [value(metricKey, Number.MAX_SAFE_INTEGER, 1)] }))
    const coordinate = { metricKey, step: Number.MAX_SAFE_INTEGER }
    t.strictSame(await numbers(store, 20, coordinate, series), [1])
    t.match(await store.read((reader) => reader.listRuns(series, { limit: 1, after: null })), [{ runId }])
  })

  t.test(`${name}: the clock has microseconds and does not step back`, async (t) => {
    const { store } = await open(t)
    const times = await store.read(async (reader) => [
      await reader.now(),
      await reader.now(),
      await reader.now(),
    ])
    for (const time of times) t.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    t.strictSame([...times].sort(), times)
    t.equal(new Set(times).size, 3)
    t.ok(Math.abs(Date.parse(times[0] ?? '') - Date.now()) < 60_000)
  })

  t.test(`${name}: a store that was closed says so`, async (t) => {
    const { store } = await open(t)
    await writeRuns(store, lossRun('r', at(1), 1))
    t.strictSame(await store.checkReady(), { ready: true })
    const running = store.read(async (reader) => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return findRun(reader, 'r')
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    await Promise.all([store.close(), store.close()])
    t.match(await running, { runId: 'r' }, 'what was running has finished')
    const closed = new StoreUnavailable('shutting down')
    await t.rejects(
      store.read((reader) => reader.now()),
      closed,
    )
    await t.rejects(
      store.write((writer) => writer.now()),
      closed,
    )
    await t.rejects(store.prune({ keysBefore: at(0), verdictsBefore: at(0) }), closed)
    t.match(await store.checkReady(), { ready: false })
  })

  t.test(`${name}: no coordinates, no query`, async (t) => {
    const { store, queries } = await open(t)
    t.strictSame(await store.read((reader) => reader.recentTrustedValues(SERIES, [], 20)), [])
    t.strictSame(await trustedSteps(store, []), new Map())
    t.strictSame(queries.length, name === 'sqlite' ? 0 : 1, 'but for the clock')
    t.strictSame(await numbers(store, 20, LOSS), [])
  })
}
