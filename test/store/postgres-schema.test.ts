/** The files of `migrations-external`, and what the server says when they were not applied. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import { openPostgresStore } from '../../src/store/postgres/open.js'
import { needs } from '../support/requires.js'
import { MIGRATIONS } from '../../src/store/postgres/schema-check.js'
import { StoreUnavailable } from '../../src/store/errors.js'
import type { Readiness } from '../../src/store/store.js'
import {
  applyMigrations,
  migrationFiles,
  MIGRATIONS_FOLDER,
  type TestDatabase,
} from '../support/embedded-postgres.js'
import { openPostgres, sharedPostgres, type Teardown } from '../support/stores.js'
import {
  at,
  exported,
  imported,
  importRuns,
  LOSS,
  lossRun,
  numbers,
  revoke,
  SERIES,
  value,
  verdict,
  writeRuns,
  writeVerdicts,
} from './fixtures.js'

// A database for each test; slow on a busy machine.
t.setTimeout(120_000)

async function emptyDatabase(test: Teardown): Promise<TestDatabase> {
  const database = await (await sharedPostgres()).createEmptyDatabase()
  test.teardown(() => database.drop())
  return database
}

async function query(url: string, text: string, parameters: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, parameters)).rows as unknown[]
  } finally {
    await client.end()
  }
}

async function readiness(url: string): Promise<Readiness> {
  const store = await openPostgresStore({ url })
  try {
    return await store.checkReady()
  } finally {
    await store.close()
  }
}

t.test('the files of the folder are those that the server asks for', async (t) => {
  t.strictSame(migrationFiles(), [...MIGRATIONS])
})

t.test('readiness names exactly the files to apply', async (t) => {
  const { url, ownerUrl } = await emptyDatabase(t)
  const path = (file: string) => `migrations-external/${file}`
  t.strictSame(await readiness(url), {
    ready: false,
    reason: `the schema is incomplete: apply ${MIGRATIONS.map(path).join(', then ')}`,
  })
  for (const [index, file] of MIGRATIONS.entries()) {
    await applyMigrations(ownerUrl, [file])
    // Without 003 the server's role may read nothing: asked as the owner.
    const rest = MIGRATIONS.slice(index + 1)
    const expected =
      rest.length === 0
        ? { ready: true }
        : { ready: false, reason: `the schema is incomplete: apply ${rest.map(path).join(', then ')}` }
    t.strictSame(await readiness(ownerUrl), expected)
    if (rest.includes('003_roles.sql')) {
      t.match(await readiness(url), { ready: false, reason: /apply migrations-external\/003_roles.sql/ })
    }
  }
  t.strictSame(await readiness(url), { ready: true })
  await query(ownerUrl, 'delete from gatehouse_migrations where version = 2')
  t.match(await readiness(url), {
    reason: 'the schema is incomplete: apply migrations-external/002_gatehouse.sql',
  })
})

t.test('a database that is newer than the program is told', async (t) => {
  const { store, sql } = await openPostgres(t)
  await sql(`insert into gatehouse_migrations (version, file) values (99, '099_future.sql')`)
  t.match(await store.checkReady(), {
    ready: false,
    reason: /older than the database.*version 99.*newer release/,
  })
})

t.test('without its tables the store is unavailable, not broken', async (t) => {
  const { url } = await emptyDatabase(t)
  const store = await openPostgresStore({ url })
  t.teardown(() => store.close())
  await t.rejects(numbers(store), StoreUnavailable)
})

t.test('each file may be applied again, alone and all together', async (t) => {
  const { store, ownerUrl } = await openPostgres(t)
  await writeRuns(store, lossRun('r', at(1), 1))
  const shape = () =>
    query(
      ownerUrl ?? '',
      `select 'column' as kind, table_name || '.' || column_name as name, data_type || is_nullable as detail
         from information_schema.columns where table_schema = 'public'
       union all select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
       union all select 'right', table_name, privilege_type from information_schema.role_table_grants
         where grantee = 'gatehouse_app'
       union all select 'version', file, applied_at::text from gatehouse_migrations
       order by 1, 2, 3`,
    )
  const before = await shape()
  t.ok(before.length > 100)
  await applyMigrations(ownerUrl ?? '')
  for (const file of [...migrationFiles()].reverse()) await applyMigrations(ownerUrl ?? '', [file])
  t.strictSame(await shape(), before)
  t.strictSame(await numbers(store), [1])
})

t.test('psql applies the files', { skip: needs('psql') }, async (t) => {
  const { url, ownerUrl } = await emptyDatabase(t)
  for (const file of migrationFiles()) {
    const path = join(MIGRATIONS_FOLDER, file)
    const { status, stderr } = spawnSync('psql', ['-v', 'ON_ERROR_STOP=1', '-f', path, ownerUrl], {
      encoding: 'utf8',
    })
    t.equal(status, 0, stderr)
  }
  t.strictSame(await readiness(url), { ready: true })
})

t.test('an existing database of the plain shape keeps its rows, its index and its writers', async (t) => {
  const { url, ownerUrl } = await emptyDatabase(t)
  await query(
    ownerUrl,
    `create table runs (run_id text primary key, test_path text, backend text, suite text, commit_sha text,
       pr_number integer, github_run_id bigint, github_run_attempt integer, event_name text, ref text,
       created_at timestamptz default now(), trusted boolean);
     create table metric_values (run_id text references runs, metric_key text, steps_key text, constraint_key text,
       step bigint, value double precision);
     create index on runs (test_path, backend, suite, trusted, created_at desc)`,
  )
  const insert = async (runId: string, second: number, value: number | null) => {
    await query(
      ownerUrl,
      `insert into runs values ($1, $2, $3, $4, null, null, null, null, null, null, $5, true)`,
      [runId, SERIES.testPath, SERIES.backend, SERIES.suite, at(second)],
    )
    await query(ownerUrl, `insert into metric_values values ($1, $2, null, null, 0, $3)`, [
      runId,
      LOSS.metricKey,
      value,
    ])
  }
  await insert('old', 1, 1)
  await insert('old', 1, 1).catch(() => undefined)
  await query(ownerUrl, `insert into metric_values values ('old', $1, null, null, 0, 5)`, [LOSS.metricKey])
  await applyMigrations(ownerUrl)

  const store = await openPostgresStore({ url })
  t.teardown(() => store.close())
  t.strictSame(await store.checkReady(), { ready: true })
  await writeRuns(store, lossRun('ours', at(2), 2))
  await insert('theirs', 3, 3)
  await insert('nothing', 4, null)
  const [baseline] = await store.read((reader) => reader.recentTrustedValues(SERIES, [LOSS], 20))
  t.strictSame(baseline?.values, [3, 2, 5, 1])
  t.equal(baseline?.nonFinite, 1, 'null is no value')
  t.match(await store.read((reader) => reader.valuesOf('old')), [{ stepsKey: '', constraintKey: '' }, {}])
  t.strictSame(await revoke(store, 'v', { runIds: ['old', 'theirs'] }), ['theirs', 'old'])
  const indexes = await query(
    ownerUrl,
    `select 1 from pg_indexes where indexname = 'runs_test_path_backend_suite_trusted_created_at_idx'`,
  )
  t.equal(indexes.length, 1)
})

t.test('a table of another shape is refused by the first file, with what it lacks', async (t) => {
  const { ownerUrl } = await emptyDatabase(t)
  await query(ownerUrl, 'create table runs (run_id text primary key, suite text, trusted boolean)')
  await t.rejects(applyMigrations(ownerUrl), {
    message: /another shape.*lacks runs\.backend, runs\.commit_sha/,
  })
  await t.rejects(query(ownerUrl, 'select 1 from gatehouse_migrations'), { code: '42P01' })
})

t.test('the role of the server can do what it must, and nothing else', async (t) => {
  const { store, location } = await openPostgres(t)
  await writeRuns(store, lossRun('r', at(1), 1))
  await revoke(store, 'v', { runIds: ['r'] })
  await importRuns(store, imported('i', { cadence: 'nightly', values: [value('m', 0, 1)] }))
  await writeVerdicts(store, verdict('judged', { checks: [{ metricKey: 'm', checks: '[]' }] }))
  t.equal((await exported(store)).length, 2)
  const denied = [
    `update metric_values set value = 2`,
    `delete from metric_values`,
    `update runs set commit_sha = 'x'`,
    `update runs set trusted = true, created_at = now()`,
    `delete from runs`,
    `truncate runs`,
    `truncate metric_values`,
    `update verdicts set outcome = 'pass'`,
    `update verdict_checks set checks = '[]'`,
    `delete from verdict_checks`,
    `update imported_runs set cadence = 'weekly'`,
    `delete from imported_runs`,
    `truncate imported_runs`,
    `delete from verdict_evidence`,
    `update submission_keys set content_hash = 'x'`,
    `update revocations set reason = 'x'`,
    `delete from revocations`,
    `update revocation_runs set flipped = true`,
    `delete from revocation_runs`,
    `delete from revocation_undos`,
    `update api_tokens set scopes = '["admin"]'`,
    `update api_tokens set expires_at = null`,
    `delete from api_tokens`,
    `truncate api_tokens cascade`,
    `update api_token_revocations set actor = 'x'`,
    `delete from api_token_revocations`,
    `delete from api_token_uses`,
    `update sessions set expires_at = now()`,
    `delete from sessions`,
    `delete from session_ends`,
    `update eval_verdicts set outcome = 'pass'`,
    `delete from eval_verdicts`,
    `update eval_grid_rows set items = '[]'`,
    `delete from eval_grid_rows`,
    `update eval_runs set content_hash = 'x'`,
    `delete from eval_runs`,
    `update eval_run_questions set items = '[]'`,
    `delete from eval_run_questions`,
    `delete from eval_run_deletions`,
    `update eval_keys set eval_id = 'x'`,
    `delete from eval_keys`,
    `insert into gatehouse_migrations (version, file) values (7, 'x')`,
    `delete from gatehouse_migrations`,
    `create table x (y int)`,
    `create view x as select 1`,
    `create function x() returns int language sql as 'select 1'`,
    `create schema x`,
    `create index x on runs (ref)`,
    `alter table runs add column x int`,
    `drop table runs`,
    `create role x`,
    `set role postgres`,
  ]
  for (const text of denied) {
    // Insufficient privilege, also in the form of "must be owner".
    await t.rejects(query(location, text), { code: '42501' }, text)
  }
  await query(location, `update runs set trusted = true`)
  t.strictSame(await store.prune({ keysBefore: at(9), verdictsBefore: at(9) }), { keys: 0, verdicts: 1 })
  t.strictSame(await query(location, 'select * from verdict_checks'), [], 'checks go with their verdict')
})
