/** Statements that stay prepared on a connection of one's own: used, and done without where they are not what they were. */
import t from 'tap'
import { openPostgresStore } from '../../src/store/postgres/open.js'
import type { MetricHistoryStore } from '../../src/store/store.js'
import { PGBOUNCER, startPgbouncer } from '../support/pgbouncer.js'
import { needs } from '../support/requires.js'
import { openPostgres, type OpenedStore } from '../support/stores.js'
import { at, lossRun, verdict, writeRuns } from './fixtures.js'

t.setTimeout(60_000)

const KEY = { owner: 'token:1', key: 'build 7' }
const SETTINGS = '10s 5s 30s off off off read committed'

/** A trigger of the owner's: it works on the very connection of the store. */
async function onRun({ sql }: OpenedStore, work: string): Promise<void> {
  await sql(`create or replace function on_run() returns trigger language plpgsql security definer as $$
    begin ${work}; return null; end $$`)
  await sql('create or replace trigger on_run after insert on runs for each row execute function on_run()')
}

/** Notes what the connection has, run by run. */
async function watch(opened: OpenedStore) {
  await opened.sql('create table if not exists seen (run serial, prepared text[], settings text)')
  await onRun(
    opened,
    `insert into seen (prepared, settings)
     select (select coalesce(array_agg(name order by name), '{}') from pg_prepared_statements where statement ~ 'run_vectors|submission_keys'),
       concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout'),
         current_setting('idle_in_transaction_session_timeout'), current_setting('enable_seqscan'),
         current_setting('enable_bitmapscan'), current_setting('jit'), current_setting('transaction_isolation'))`,
  )
  return () =>
    opened.sql<{ prepared: string[]; settings: string }>('select prepared, settings from seen order by run')
}

let written = 0
/** Writes a run, and looks a key up beforehand; answers how often it was begun. */
async function write(store: MetricHistoryStore): Promise<number> {
  const number = ++written
  await store.write(async (writer, attempt) => {
    const known = await writer.findKeyedVerdict(KEY)
    if (known !== null) throw new Error('nobody used the key')
    await writer.writeRun(lossRun(`r${number}`, at(number), attempt))
  })
  return Number((await store.read((reader) => reader.valuesOf(`r${number}`)))[0]?.value)
}

t.test('the server keeps them on a connection of its own, and each transaction its bounds', async (t) => {
  const opened = await openPostgres(t, { poolSize: 1 })
  const seen = await watch(opened)
  for (let time = 0; time < 3; time++) t.equal(await write(opened.store), 1)
  const all = await seen()
  t.strictSame(all[0]?.prepared, [], 'not before it is known whose the connection is')
  t.ok(all[1]?.prepared.length)
  t.strictSame(all[2]?.prepared, all[1]?.prepared, 'each once')
  for (const { settings } of all) t.equal(settings, SETTINGS)
})

t.test('a question without a transaction can change nothing', async (t) => {
  const opened = await openPostgres(t, { poolSize: 1, retryForMs: 100 })
  const ask = () => opened.store.read((reader) => reader.hasTokens(), { single: true })
  await opened.sql('create sequence asked')
  await opened.sql('grant usage on sequence asked to public')
  await opened.sql('alter table api_tokens rename to tokens')
  await opened.sql('create view api_tokens as select t.* from tokens t')
  await opened.sql('grant select on api_tokens to public')
  for (let time = 0; time < 3; time++) t.equal(await ask(), false)
  await opened.sql(
    "create or replace view api_tokens as select t.* from tokens t union all select nextval('asked')::text, '', '', '', null, null, '', null",
  )
  const refused = await ask().catch((error: unknown) => error)
  t.match(refused, { cause: { cause: { message: /read-only transaction/ } } })
})

t.test(
  'a pooler in transaction mode is given none, and no setting',
  { skip: needs(PGBOUNCER) },
  async (t) => {
    const opened = await openPostgres(t)
    const seen = await watch(opened)
    const pooler = await startPgbouncer(opened.location, 1)
    const stores = await Promise.all(
      [9_000, 10_000].map((statementTimeoutMs) => openPostgresStore({ url: pooler.url, statementTimeoutMs })),
    )
    t.teardown(async () => {
      for (const store of stores) await store.close()
      await pooler.stop()
    })
    for (const store of [...stores, ...stores]) t.equal(await write(store), 1)
    t.strictSame(
      await seen(),
      [9, 10, 9, 10].map((seconds) => ({ prepared: [], settings: SETTINGS.replace('10', `${seconds}`) })),
    )
  },
)

t.test('where they are gone, as behind a pooler that seems to be the server: done without', async (t) => {
  const opened = await openPostgres(t, { poolSize: 1 })
  await onRun(opened, "execute 'deallocate all'")
  t.strictSame([await write(opened.store), await write(opened.store)], [1, 1])
  t.equal(await write(opened.store), 2, 'begun again')
  const seen = await watch(opened)
  for (let time = 0; time < 3; time++) t.equal(await write(opened.store), 1)
  for (const { prepared, settings } of await seen())
    t.match({ prepared, settings }, { prepared: [], settings: SETTINGS })
})

t.test('where there are others of their names: done without', async (t) => {
  const opened = await openPostgres(t, { poolSize: 1 })
  const seen = await watch(opened)
  for (let time = 0; time < 2; time++) await write(opened.store)
  const [name = ''] = (await seen())[1]?.prepared ?? []
  await onRun(opened, `execute 'prepare ${name} as select 1'`)
  const other = await opened.openAnother({ poolSize: 1 })
  t.equal(await writeRunAlone(other), 1)
  t.equal(await write(other), 2, 'begun again')
  const now = await watch(opened)
  t.equal(await write(other), 1)
  t.strictSame((await now()).at(-1)?.prepared, [])
})

/** Without the look-up of the key. */
async function writeRunAlone(store: MetricHistoryStore): Promise<number> {
  await writeRuns(store, lossRun(`r${++written}`, at(written), 1))
  return 1
}

t.test('a column that gets another type under a server: asked for anew', async (t) => {
  const opened = await openPostgres(t, { poolSize: 1 })
  await opened.store.write(async (writer) => {
    await writer.writeVerdict(verdict('v'))
    await writer.writeSubmissionKey(KEY, {
      verdictId: 'v',
      contentHash: 'h',
      createdAt: at(1),
      wroteRun: false,
    })
  })
  const find = () =>
    opened.store.write(async (writer, attempt) => ({ ...(await writer.findKeyedVerdict(KEY)), attempt }))
  for (let time = 0; time < 3; time++) t.match(await find(), { contentHash: 'h', attempt: 1 })
  await opened.sql('alter table submission_keys alter column content_hash type varchar(100)')
  t.match(await find(), { contentHash: 'h', attempt: 2 })
  t.match(await find(), { contentHash: 'h', attempt: 1 })
})
