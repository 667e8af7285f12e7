import BetterSqlite3 from 'better-sqlite3'
import t from 'tap'
import { openSqlite } from '../support/stores.js'
import { at, LOSS, lossRun, numbers, SERIES, writeRuns } from './fixtures.js'

t.test('times of other writers are brought into the one form that sorts', async (t) => {
  const { store, sql } = await openSqlite(t)
  const times = [
    ['a', '2026-11-30 11:00:00.5'],
    ['b', '2026-11-30T13:00:00+02:00'],
    ['c', '2026-11-30T10:59:59Z'],
    ['d', '2026-11-29'],
    ['e', '2026-11-30T11:00:00.250000Z'],
  ]
  for (const [runId, time] of times) {
    await sql(
      `insert into runs (run_id, test_path, backend, suite, created_at, trusted) values ($1, 't', 'b', 's', $2, 1)`,
      [runId, time],
    )
  }
  const runs = await store.read((reader) => reader.listRuns({}, { limit: 10, after: null }))
  t.same(
    runs.map(({ runId, createdAt }) => [runId, createdAt]),
    [
      ['a', '2026-11-30T11:00:00.500000Z'],
      ['e', '2026-11-30T11:00:00.250000Z'],
      ['b', '2026-11-30T11:00:00.000000Z'],
      ['c', '2026-11-30T10:59:59.000000Z'],
      ['d', '2026-11-29T00:00:00.000000Z'],
    ],
  )
})

t.test('what PostgreSQL would not hold is refused at the door, and no list fails for it', async (t) => {
  const { store, sql } = await openSqlite(t)
  const insert = (column: string, value: unknown) =>
    Promise.resolve().then(() =>
      sql(
        `insert into runs (run_id, test_path, backend, suite, trusted, ${column}) values ('r', 't', 'b', 's', 1, $1)`,
        [value],
      ),
    )
  await t.rejects(insert('created_at', 'garbage'), /created_at is no time/)
  for (const column of ['github_run_id', 'pr_number', 'github_run_attempt']) {
    await t.rejects(insert(column, 'abc'), /are integers or null/)
    await t.rejects(insert(column, 1e30), /are integers or null/)
  }
  t.same(await store.read((reader) => reader.listRuns({}, { limit: 10, after: null })), [])
  await insert('github_run_id', '12')
  t.match(await store.read((reader) => reader.listRuns({}, { limit: 10, after: null })), [
    { provenance: { githubRunId: 12n } },
  ])
})

t.test('a run that is replaced without foreign keys counts once, by what it says then', async (t) => {
  const { store, location } = await openSqlite(t)
  await writeRuns(store, ...[1, 2, 3].map((number) => lossRun(`r${number}`, at(number), number)))
  const other = new BetterSqlite3(location)
  t.teardown(() => void other.close())
  other.pragma('foreign_keys = off')
  other.exec('replace into runs select * from runs')
  t.strictSame(await numbers(store), [3, 2, 1])
  other
    .prepare(
      'replace into runs (run_id, test_path, backend, suite, created_at, trusted) values (?, ?, ?, ?, ?, 1)',
    )
    .run('r1', SERIES.testPath, SERIES.backend, SERIES.suite, at(9))
  t.strictSame(await numbers(store), [1, 3, 2])
  t.equal(await store.copySome(), 3)
  t.equal(await store.copySome(), 0)
  t.strictSame(await numbers(store), [1, 3, 2], 'and by its copy')
})

t.test('a run that can have no copy keeps no other from its own', async (t) => {
  const { store, sql } = await openSqlite(t)
  for (const [number, key] of [LOSS.metricKey, Buffer.from('m'), LOSS.metricKey].entries()) {
    await sql(
      'insert into runs (run_id, test_path, backend, suite, created_at, trusted) values ($1, $2, $3, $4, $5, 1)',
      [`r${number}`, SERIES.testPath, SERIES.backend, SERIES.suite, at(number)],
    )
    await sql('insert into metric_values (run_id, metric_key, step, value) values ($1, $2, $3, $4)', [
      `r${number}`,
      key,
      LOSS.step,
      number,
    ])
  }
  t.equal(await store.copySome(), 2)
  t.equal(await store.copySome(), 0)
  t.strictSame(await numbers(store), [2, 0])
})
