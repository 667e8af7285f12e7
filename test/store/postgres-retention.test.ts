/** The retention job of `migrations-external`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import { MIGRATIONS_FOLDER } from '../support/embedded-postgres.js'
import { openPostgres } from '../support/stores.js'
import { apiToken, hashOf } from './contract-credentials.js'
import { at, findRun, imported, importRuns, LOSS, lossRun, numbers, SERIES, writeRuns } from './fixtures.js'

t.setTimeout(120_000)

async function query(url: string, text: string, parameters: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, parameters)).rows as unknown[]
  } finally {
    await client.end()
  }
}

/** The URL with settings, as PGOPTIONS gives them to psql. */
function settingOf(url: string | null, settings: Readonly<Record<string, number>>): string {
  const withOptions = new URL(url ?? '')
  const options = Object.entries(settings).map(([name, value]) => `-c gatehouse.${name}=${value}`)
  withOptions.searchParams.set('options', options.join(' '))
  return withOptions.href
}

t.test('the retention job keeps young runs and the newest of each series', async (t) => {
  const { store, ownerUrl } = await openPostgres(t)
  const quiet = { ...SERIES, suite: 'quiet' }
  const old = (day: number) => `2020-01-${String(day).padStart(2, '0')}T00:00:00.000000Z`
  await writeRuns(
    store,
    ...[1, 2, 3, 4].map((day) => lossRun(`old${day}`, old(day), day)),
    lossRun('untrusted', old(5), 5, { trusted: false }),
    lossRun('quiet', old(1), 9, { series: quiet }),
  )
  await importRuns(store, imported('imported', { createdAt: old(1), trusted: false, cadence: 'nightly' }))
  const now = await store.read((reader) => reader.now())
  await writeRuns(store, lossRun('young', now, 6))
  const job = readFileSync(join(MIGRATIONS_FOLDER, 'retention.sql'), 'utf8')
  await query(ownerUrl ?? '', job)
  t.strictSame(await numbers(store), [6, 4, 3, 2, 1], 'by default hundreds are kept')
  // One run a batch.
  await query(settingOf(ownerUrl, { keep_runs: 3, keep_days: 30, batch_runs: 1 }), job)
  t.strictSame(await numbers(store), [6, 4, 3])
  t.strictSame(await numbers(store, 20, LOSS, quiet), [9])
  t.equal(await store.read((reader) => findRun(reader, 'untrusted')), null)
  t.strictSame(await query(ownerUrl ?? '', 'select run_id from imported_runs'), [])
})

t.test('the retention job commits batch by batch, and copies go with their runs', async (t) => {
  const { store, ownerUrl, sql, location } = await openPostgres(t)
  const runs = Array.from({ length: 30 }, (_none, index) => `old${String(index).padStart(2, '0')}`)
  await writeRuns(
    store,
    ...runs.map((runId, index) => lossRun(runId, `2020-01-01T00:00:${index + 10}.000000Z`, index)),
  )
  // The last of seven batches cannot go on: those before it are done.
  await sql(`insert into runs (run_id, test_path, backend, suite, commit_sha, created_at, trusted)
    select 'z', test_path, backend, 'last', 'c', created_at, false from runs limit 1`)
  await sql('create table holds_it (run_id text references runs (run_id))')
  await sql(`insert into holds_it values ('z')`)
  const job = readFileSync(join(MIGRATIONS_FOLDER, 'retention.sql'), 'utf8')
  const settings = settingOf(ownerUrl, { keep_runs: 5, keep_days: 30, batch_runs: 4 })
  await t.rejects(query(settings, job), { code: '23503' })
  const kept = runs.slice(-5)
  const left = async (table: string) =>
    (await sql<{ run_id: string }>(`select distinct run_id from ${table} order by 1`)).map(
      (row) => row.run_id,
    )
  // Twenty-five are to go, and the one that holds is with the last of them.
  t.strictSame(await left('metric_values'), [...runs.slice(24, 25), ...kept])
  await sql('drop table holds_it')
  const holder = new pg.Client({ connectionString: location })
  await holder.connect()
  await holder.query(`begin; update runs set trusted = true where run_id = 'old24'`)
  await query(settings, job)
  await holder.query('rollback')
  await holder.end()
  t.strictSame(
    await left('runs'),
    ['old24', ...kept],
    'a run that is being changed is left for the next time',
  )
  await query(settings, job)
  for (const table of ['runs', 'metric_values', 'run_vectors']) t.strictSame(await left(table), kept, table)
  t.strictSame(await left('uncopied_runs'), [], 'and no copy of those that stay is lost')
  t.strictSame(await numbers(store), [29, 28, 27, 26, 25])
})

t.test('the retention job takes sessions that are over and old uses, and no token', async (t) => {
  const { store, ownerUrl } = await openPostgres(t)
  const owner = ownerUrl ?? ''
  await store.write(async (writer) => {
    for (const name of ['old', 'older']) await writer.writeToken(apiToken(name))
    await writer.writeTokenUse('id-old')
    for (const [name, expiresAt] of [
      ['over', at(-100_000_000)],
      ['young', '2099-01-01T00:00:00.000000Z'],
    ] as const) {
      const sessionHash = hashOf(name)
      await writer.writeSession({ sessionHash, credentialHash: hashOf('x'), createdAt: at(0), expiresAt })
      await writer.endSession(sessionHash)
    }
  })
  await query(
    owner,
    `insert into api_token_uses values ('id-old', 1, '2015-01-01'), ('id-older', 1, '2015-01-01')`,
  )
  await query(owner, readFileSync(join(MIGRATIONS_FOLDER, 'retention.sql'), 'utf8'))
  const left = (text: string) => query(owner, text) as Promise<Array<{ name: string }>>
  t.match(await left('select session_hash as name from sessions'), [{ name: hashOf('young') }])
  t.match(await left('select session_hash as name from session_ends'), [{ name: hashOf('young') }])
  t.equal((await left('select token_id as name from api_tokens')).length, 2)
  t.strictSame(
    await left(`select token_id as name from api_token_uses where hour = 1`),
    [{ name: 'id-older' }],
    'the newest of each stays, however old',
  )
})
