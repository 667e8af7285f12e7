import { join } from 'node:path'
import t from 'tap'
import { applyMigrations, migrationFiles } from '../support/embedded-postgres.js'
import { temporaryFolder } from '../support/server.js'
import { openPostgres, sharedPostgres } from '../support/stores.js'
import { gatehouse, plainRun } from './support.js'

t.test('PostgreSQL: ready, or which files are missing', async (t) => {
  const { location } = await openPostgres(t)
  t.same(await gatehouse(['check-schema', '--database', location]), {
    code: 0,
    stdout: 'ready\n',
    stderr: '',
  })
  const { url, ownerUrl, drop } = await (await sharedPostgres()).createEmptyDatabase()
  t.teardown(drop)
  const empty = await gatehouse(['check-schema'], { env: { DATABASE_URL: url } })
  t.match(empty, { code: 1, stdout: 'not ready\n', stderr: /apply migrations-external\/001.*README/s })
  await applyMigrations(ownerUrl, migrationFiles().slice(0, -1))
  const half = await gatehouse(['check-schema'], { env: { DATABASE_URL: ownerUrl } })
  t.match(half, { code: 1, stderr: new RegExp(`apply migrations-external/${migrationFiles().at(-1)}`) })
})

t.test('PostgreSQL that does not answer, or not to this login', async (t) => {
  const wrong = new URL((await openPostgres(t)).location)
  wrong.password = 'wrong'
  wrong.username = 'nobody_of_that_name'
  const [silent, refused] = await Promise.all([
    gatehouse(['check-schema', '--database', 'postgres://x@127.0.0.1:1/y']),
    gatehouse(['export', '--database', wrong.href]),
  ])
  t.match(silent, { code: 3, stdout: '', stderr: /the store is unavailable: .*\nNothing was changed/ })
  t.match(refused, { code: 3, stdout: '' })
  t.notMatch(refused.stderr, /\n {4}at /)
})

t.test('SQLite: made when it is first used', async (t) => {
  const folder = temporaryFolder(t)
  const database = ['--database', `sqlite:${join(folder, 'x.db')}`]
  t.match(await gatehouse(['check-schema', ...database]), { code: 0, stderr: /does not exist yet/ })
  await gatehouse(['import', '-', ...database], { input: plainRun() })
  t.same(await gatehouse(['check-schema', ...database]), { code: 0, stdout: 'ready\n', stderr: '' })
})
