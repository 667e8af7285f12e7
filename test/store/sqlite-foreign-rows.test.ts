import t from 'tap'
import { openSqlite } from '../support/stores.js'

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
