/** The history in partitions: the same rows, the same answers, the same rights, and copies that go when they must. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import t, { type Test } from 'tap'
import type { MetricHistoryStore } from '../../src/store/store.js'
import { applyMigrations, MIGRATIONS_FOLDER } from '../support/embedded-postgres.js'
import { needsPostgresPair, startPostgresPair } from '../support/postgres-pair.js'
import { openPostgres, type OpenedStore } from '../support/stores.js'
import { explain } from './explain.js'
import { at, exported, imported, importRuns, run, SERIES, value, writeRuns } from './fixtures.js'

t.setTimeout(180_000)

const PARTITIONING = readFileSync(join(MIGRATIONS_FOLDER, 'partitioning.sql'), 'utf8')
const RETENTION = readFileSync(join(MIGRATIONS_FOLDER, 'retention.sql'), 'utf8')
const COORDINATES = Array.from({ length: 60 }, (_none, n) => ({
  metricKey: `m/${n % 6}`,
  step: Math.floor(n / 6),
}))

/** In seconds: old enough for any retention. */
const YEARS = 200_000_000

function someRun(index: number, fields = {}) {
  const values = COORDINATES.map(({ metricKey, step }, n) => value(metricKey, step, index + n / 100))
  return run(`run${index}`, { createdAt: at(index - YEARS), trusted: index % 7 !== 0, values, ...fields })
}

/** As psql would: statement after statement, on one connection. */
async function asOwner(ownerUrl: string | null, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl ?? '' })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** All that the gate, the lists and an export say of the series. */
async function answers(store: MetricHistoryStore) {
  return {
    ...(await store.read(async (reader) => ({
      gate: (await reader.gateHistory(SERIES, { coordinates: COORDINATES, stepsOf: ['m/0'], limit: 20 }))
        .baselines,
      history: await reader.listHistory(
        { series: SERIES, metricKey: 'm/1', step: 2 },
        { limit: 50, after: null },
      ),
      coordinates: await reader.listCoordinates(SERIES, { limit: 50, after: null }),
      series: await reader.listSeries({}, { limit: 50, after: null }),
    }))),
    exported: await exported(store),
  }
}

const uncopied = async ({ sql }: OpenedStore) =>
  (await sql<{ run_id: string }>('select run_id from uncopied_runs order by 1')).map((row) => row.run_id)

async function copyAll(store: MetricHistoryStore): Promise<void> {
  while ((await store.copySome()) > 0);
}

async function partitions(t: Test, opened: OpenedStore): Promise<void> {
  const { store, sql, ownerUrl, location } = opened
  await sql('grant references on metric_values to public')
  await sql('create index another_tools on metric_values (steps_key)')
  await writeRuns(store, ...Array.from({ length: 60 }, (_none, index) => someRun(index)))
  const before = await answers(store)
  const facts = () =>
    sql(`
      select 'index' as kind, indexname as name from pg_indexes where tablename = 'metric_values'
      union all select 'trigger', tgname from pg_trigger where tgrelid = 'metric_values'::regclass and not tgisinternal
      union all select 'key', conname from pg_constraint where conrelid = 'metric_values'::regclass and conparentid = 0
        and contype = 'f'
      union all select 'right', grantee || ' ' || privilege_type from information_schema.role_table_grants
        where table_name = 'metric_values'
      order by 1, 2`)
  const had = await facts()
  await asOwner(ownerUrl, 'set gatehouse.partitions = 8', PARTITIONING)
  t.strictSame(await facts(), had, 'indexes, triggers, foreign keys and rights are those of before')
  t.strictSame(await uncopied(opened), [], 'no copy was lost')
  t.strictSame(await answers(store), before, 'everything is answered as before')
  await asOwner(ownerUrl, PARTITIONING)
  await applyMigrations(ownerUrl ?? '')
  t.strictSame(await facts(), had, 'this file and all others may be applied again')
  const [{ held } = { held: 0 }] = await sql<{ held: number }>(
    `select count(distinct tableoid)::integer as held from metric_values`,
  )
  t.ok(held > 4, `60 runs are in ${held} of 8 partitions`)

  // Rows alone: the copies are gone, and no list names their runs.
  for (const statistics of ['without', 'with']) {
    if (statistics === 'with') await asOwner(ownerUrl, 'analyze')
    const plans = [
      ...(await explain(location, (reader) =>
        reader.gateHistory(SERIES, { coordinates: COORDINATES, stepsOf: [], limit: 20 }),
      )),
      ...(await explain(location, (reader) =>
        reader.listHistory({ series: SERIES, metricKey: 'm/1' }, { limit: 50, after: null }),
      )),
      ...(await explain(location, (reader) => reader.listCoordinates(SERIES, { limit: 50, after: null }))),
      ...(await explain(location, (reader) => reader.valuesOf('run7'))),
    ]
    for (const plan of plans) t.notMatch(plan, /Seq Scan on metric_values/, `${statistics} statistics`)
    const one = plans.at(-1) ?? ''
    t.equal([...one.matchAll(/Scan using \S+ on metric_values_/g)].length, 1, 'a run is in one partition')
  }

  await writeRuns(store, someRun(100))
  await importRuns(store, imported('imported', { createdAt: at(101 - YEARS), values: [value('m/0', 0, 5)] }))
  await copyAll(store)
  const [{ part = '' } = {}] = await sql<{ part: string }>(
    `select tableoid::regclass::text as part from metric_values where run_id = 'run9' limit 1`,
  )
  for (const [what, statement] of [
    ['inserted', `insert into metric_values (run_id, metric_key, step, value) values ('run9', 'm/0', 0, 77)`],
    ['updated', `update metric_values set value = 78 where run_id = 'run9' and value = 77`],
    ['deleted', `delete from metric_values where run_id = 'run9' and value = 78`],
    [
      'inserted into its partition',
      `insert into ${part} (run_id, metric_key, step, value) values ('run9', 'm/0', 0, 79)`,
    ],
    ['updated in its partition', `update ${part} set value = 80 where run_id = 'run9' and value = 79`],
    ['deleted from its partition', `delete from ${part} where run_id = 'run9' and value = 80`],
  ] as const) {
    await sql(statement)
    t.strictSame(await uncopied(opened), ['run9'], `a copy goes when a value is ${what}`)
    await copyAll(store)
  }
  await sql(
    `update metric_values set run_id = 'run10' where run_id = 'run9' and metric_key = 'm/0' and step = 0`,
  )
  t.strictSame(await uncopied(opened), ['run10', 'run9'], 'moved from one partition to another, both go')
  await copyAll(store)
  const byCopies = await answers(store)
  await sql('delete from run_vectors')
  await sql(
    `insert into uncopied_runs select run_id, gatehouse_series_key(test_path, backend, suite) from runs`,
  )
  t.strictSame(await answers(store), byCopies, 'rows and copies say the same')
  await copyAll(store)
  await asOwner(ownerUrl, 'set gatehouse.keep_days = 1', 'set gatehouse.keep_runs = 40', RETENTION)
  t.match(await sql('select count(*)::integer as n from runs'), [{ n: 40 }], 'old runs are deleted')
  await sql(`truncate ${part}`)
  t.equal((await uncopied(opened)).length, 40, 'a partition that is emptied takes the copies of all')
  await sql('insert into metric_values (run_id, metric_key, step, value) values ($1, $2, 0, 1)', [
    'none',
    'm',
  ]).then(
    () => t.fail('a value needs its run'),
    (error: unknown) => t.match(error, { code: '23503' }),
  )
  const client = new pg.Client({ connectionString: location })
  await client.connect()
  t.teardown(() => client.end())
  for (const text of [
    'delete from metric_values',
    `select from ${part}`,
    `insert into ${part} select * from metric_values`,
  ]) {
    await t.rejects(client.query(text), { code: '42501' }, `the server's role may not: ${text}`)
  }
}

t.test('an existing history is put into partitions', async (t) => {
  await partitions(t, await openPostgres(t))
})

t.test('so it is on the oldest PostgreSQL there is', { skip: needsPostgresPair() }, async (t) => {
  const pair = await startPostgresPair()
  t.teardown(() => pair.stop())
  await partitions(t, await openPostgres(t, {}, pair.primary))
})

t.test('what could not be kept is refused, and all stays as it was', async (t) => {
  const { ownerUrl, sql, store } = await openPostgres(t)
  await writeRuns(store, someRun(1))
  for (const [make, undo, said] of [
    [
      'create unique index another on metric_values (run_id, metric_key, step)',
      'drop index another',
      /unique index/,
    ],
    ['create view another as select * from metric_values', 'drop view another', /depend/],
    [
      'alter table metric_values enable row level security',
      'alter table metric_values disable row level security',
      /row security/,
    ],
  ] as const) {
    await sql(make)
    await t.rejects(asOwner(ownerUrl, PARTITIONING), { message: said })
    await sql(undo)
    t.match(await sql(`select relkind from pg_class where relname = 'metric_values'`), [{ relkind: 'r' }])
  }
  await t.rejects(asOwner(ownerUrl, 'set gatehouse.partitions = 1', PARTITIONING), {
    message: /between 2 and 1024/,
  })
  t.equal((await exported(store)).length, 1)
})
