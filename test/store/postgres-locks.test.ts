/** Locks, deadlocks and slow statements: bounded, told, nothing half. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { StoreUnavailable } from '../../src/store/errors.js'
import { openPostgres } from '../support/stores.js'
import { at, findRun, lossRun, numbers, revoke, trustOf, writeRuns } from './fixtures.js'

// Waits on purpose, beside whatever else the machine does.
t.setTimeout(120_000)

t.test('a table that is locked too long is told in time', async (t) => {
  const { store, sql, ownerUrl } = await openPostgres(t, { lockTimeoutMs: 300 })
  const holder = new pg.Client({ connectionString: ownerUrl ?? '' })
  await holder.connect()
  await holder.query('begin; lock table metric_values in access exclusive mode')
  const began = performance.now()
  const locked = new StoreUnavailable('the database is locked by another transaction')
  await t.rejects(writeRuns(store, lossRun('r', at(1), 1)), locked)
  await t.rejects(numbers(store), locked)
  t.ok(performance.now() - began < 3_000)
  await holder.query('rollback')
  await holder.end()
  t.strictSame(await sql('select * from runs'), [], 'nothing half')
  await writeRuns(store, lossRun('r', at(1), 1))
})

t.test('a key that stays in use is told in time', async (t) => {
  const { store } = await openPostgres(t, { lockTimeoutMs: 200 })
  const key = { owner: 'o', key: 'k' }
  const first = store.write(async (writer) => {
    await writer.lockSubmissionKey(key)
    await sleep(800)
  })
  await sleep(100)
  await t.rejects(
    store.write((writer) => writer.lockSubmissionKey(key)),
    StoreUnavailable,
  )
  await store.write((writer) => writer.lockSubmissionKey({ ...key, key: 'other' }))
  await first
  await store.write((writer) => writer.lockSubmissionKey(key))
})

t.test('a deadlock is resolved by another try', async (t) => {
  const { store } = await openPostgres(t)
  await writeRuns(store, lossRun('a', at(1), 1), lossRun('b', at(2), 2))
  const attempts: number[] = []
  const crossing = (first: string, second: string) =>
    store.write(async (writer, attempt) => {
      attempts.push(attempt)
      await writer.markUntrusted({ runIds: [first] })
      await sleep(100)
      await writer.markUntrusted({ runIds: [second] })
    })
  await Promise.all([crossing('a', 'b'), crossing('b', 'a')])
  t.strictSame(attempts.sort(), [1, 1, 2])
  t.strictSame(await trustOf(store, 'a', 'b'), [false, false])
})

async function databaseName(sql: (text: string) => Promise<unknown[]>): Promise<string> {
  return ((await sql('select current_database() as name')) as Array<{ name: string }>)[0]?.name ?? ''
}

t.test('a statement that takes too long is told', async (t) => {
  const { store, sql } = await openPostgres(t, { statementTimeoutMs: 150 })
  await writeRuns(store, lossRun('r', at(1), 1))
  await sql(`create function slow() returns trigger language plpgsql as
    $$ begin perform pg_sleep(5); return new; end $$`)
  await sql('create trigger slow before insert on runs for each row execute function slow()')
  const began = performance.now()
  await t.rejects(
    writeRuns(store, lossRun('s', at(2), 2)),
    new StoreUnavailable('the database took too long to answer'),
  )
  t.ok(performance.now() - began < 2_000)
  t.strictSame(await numbers(store), [1])
})

t.test('settings of the session or role change no answer', async (t) => {
  const { store, sql, location, openAnother } = await openPostgres(t)
  const role = new URL(location).username
  for (const setting of [
    "timezone = 'Asia/Kolkata'",
    "datestyle = 'SQL, DMY'",
    'extra_float_digits = -15',
    "default_transaction_isolation = 'serializable'",
  ]) {
    await sql(`alter database ${await databaseName(sql)} set ${setting}`)
  }
  t.ok(role.length > 0)
  const other = await openAnother()
  const double = 0.1 + 0.2
  await writeRuns(other, lossRun('r', at(1, 123_456), double))
  for (const one of [store, other]) {
    t.strictSame(await numbers(one), [double])
    t.match(await one.read((reader) => findRun(reader, 'r')), { createdAt: at(1, 123_456) })
    t.match(
      await one.read((reader) =>
        reader.listRuns({ since: at(1, 123_456), until: at(1, 123_457) }, { limit: 2, after: null }),
      ),
      [{ runId: 'r' }],
    )
  }
  await revoke(other, 'v', { runIds: ['r'] })
  t.strictSame(await numbers(store), [])
})

t.test('no lock of a session is left behind, and its settings do not go into its start', async (t) => {
  const { store, sql, queries, location } = await openPostgres(t, { poolSize: 1 })
  // A look at the store's own connection, by a trigger that its insert fires.
  await sql(`create table seen (held bigint, settings text);
    grant insert on seen to public;
    create function look() returns trigger language plpgsql as $$ begin
      insert into seen select
        (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()),
        current_setting('statement_timeout');
      return new;
    end $$;
    create trigger look before insert on runs for each row execute function look()`)
  await store.write(async (writer) => {
    await writer.lockTrust()
    await writer.lockSubmissionKey({ owner: 'o', key: 'k' })
    await writer.writeRun(lossRun('r', at(1), 1))
  })
  await numbers(store)
  await writeRuns(store, lossRun('s', at(2), 2))
  t.strictSame(await sql('select * from seen'), [
    { held: '2', settings: '10s' },
    { held: '0', settings: '10s' },
  ])
  t.notMatch(queries.join(';'), /\b(set session|set |listen|prepare)\b/i)
  t.notOk(new URL(location).searchParams.has('options'))
})

t.test('runs of another writer without a time, or with an infinite one, are left out', async (t) => {
  const { store, sql } = await openPostgres(t)
  await sql('alter table runs alter column created_at drop not null')
  await writeRuns(store, lossRun('good', at(1), 1))
  for (const [id, time] of [
    ['none', null],
    ['last', 'infinity'],
    ['first', '-infinity'],
    ['far', '20000-01-01 00:00:00+00'],
  ] as const) {
    await sql(
      `insert into runs (run_id, test_path, backend, suite, commit_sha, created_at, trusted)
      select $1, test_path, backend, suite, 'c', $2, true from runs where run_id = 'good'`,
      [id, time],
    )
    await sql(`insert into metric_values (run_id, metric_key, step, value) values ($1, 'train/loss', 0, 7)`, [
      id,
    ])
  }
  t.strictSame(await numbers(store), [1])
  t.match(await store.read((reader) => reader.listRuns({}, { limit: 9, after: null })), [{ runId: 'good' }])
  t.equal(await store.read((reader) => findRun(reader, 'last')), null)
  t.equal((await revoke(store, 'v', { commitSha: 'c' })).length, 4, 'and can be revoked all the same')
})
