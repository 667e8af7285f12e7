/** Whose file it is: created, taken, refused. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import t from 'tap'
import { openSqliteStore } from '../../src/store/sqlite/open.js'
import { SCHEMA_VERSION } from '../../src/store/sqlite/schema.js'
import { StoreUnavailable } from '../../src/store/errors.js'
import { openSqlite, type Teardown } from '../support/stores.js'
import { apiToken, hashOf } from './contract-credentials.js'
import { at, lossRun, numbers, writeRuns } from './fixtures.js'

function folder(test: Teardown): string {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  test.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

t.test('a missing file is made, with its directory, and kept', async (t) => {
  const path = join(folder(t), 'a', 'b', 'gatehouse.db')
  const first = await openSqliteStore({ path })
  await writeRuns(first, lossRun('r', at(1), 1))
  await first.close()
  const second = await openSqliteStore({ path })
  t.strictSame(await second.checkReady(), { ready: true })
  t.strictSame(await numbers(second), [1])
  await second.close()
  t.notOk(existsSync(`${path}-wal`), 'closing leaves the one file')
})

t.test('an empty file is a new one', async (t) => {
  const path = join(folder(t), 'empty.db')
  writeFileSync(path, '')
  const store = await openSqliteStore({ path })
  t.strictSame(await store.checkReady(), { ready: true })
  await store.close()
})

t.test('a store in memory is refused', async (t) => {
  for (const path of [':memory:', '']) {
    await t.rejects(openSqliteStore({ path }), { message: /needs a file/ })
  }
})

t.test('the settings that durability rests on', async (t) => {
  const { location } = await openSqlite(t)
  const database = new BetterSqlite3(location)
  t.teardown(() => void database.close())
  t.equal(database.pragma('journal_mode', { simple: true }), 'wal')
})

const refused: Array<[string, RegExp, (path: string) => void]> = [
  [
    'that is no database',
    /no SQLite database/,
    (path) => writeFileSync(path, 'ceci n’est pas une base\n'.repeat(200)),
  ],
  [
    'with the tables of another program',
    /tables of another program/,
    (path) => new BetterSqlite3(path).exec('create table songs (title text)').close(),
  ],
  [
    'of another program that names itself',
    /another program/,
    (path) => new BetterSqlite3(path).exec('pragma application_id = 252006673; create table x (y)').close(),
  ],
  [
    'of a newer release',
    /version 99.*newer program/,
    (path) =>
      new BetterSqlite3(path).exec('pragma application_id = 1195463749; pragma user_version = 99').close(),
  ],
]
for (const [what, message, make] of refused) {
  t.test(`a file ${what} is refused and stays as it is`, async (t) => {
    const path = join(folder(t), 'other.db')
    make(path)
    const before = [readFileSync(path), statSync(path).mtimeMs]
    await t.rejects(openSqliteStore({ path }), { message })
    t.strictSame([readFileSync(path), statSync(path).mtimeMs], before)
    t.notOk(existsSync(`${path}-wal`))
  })
}

t.test('a directory is no file', async (t) => {
  await t.rejects(openSqliteStore({ path: folder(t) }), StoreUnavailable)
})

t.test('a schema that another process upgraded is told', async (t) => {
  const { store, sql } = await openSqlite(t)
  await sql(`pragma user_version = ${SCHEMA_VERSION + 1}`)
  const needed = new RegExp(`has version ${SCHEMA_VERSION + 1}, and this program needs ${SCHEMA_VERSION}`)
  t.match(await store.checkReady(), { ready: false, reason: needed })
})

t.test('several may create one file at once', async (t) => {
  const path = join(folder(t), 'shared.db')
  const stores = await Promise.all(Array.from({ length: 5 }, () => openSqliteStore({ path })))
  await Promise.all(stores.map((store, index) => writeRuns(store, lossRun(`r${index}`, at(index), index))))
  t.strictSame(await numbers(stores[0] as (typeof stores)[0]), [4, 3, 2, 1, 0])
  for (const store of stores) await store.close()
})

t.test('the clock never repeats a time, whatever the system says', async (t) => {
  const times = [
    '2026-11-30T18:00:00.000Z',
    '2026-11-30T18:00:00.000Z',
    '2026-11-30T17:00:00.000Z',
    '2026-11-30T18:00:00.001Z',
  ]
  const { store } = await openSqlite(t, {
    clock: () => new Date(times.shift() ?? '2026-12-01T00:00:00.000Z'),
  })
  const told = await store.read(async (reader) => {
    const all: string[] = []
    while (times.length > 0) all.push(await reader.now())
    return all
  })
  t.strictSame(told, [
    '2026-11-30T18:00:00.000000Z',
    '2026-11-30T18:00:00.000001Z',
    '2026-11-30T18:00:00.000002Z',
    '2026-11-30T18:00:00.001000Z',
  ])
})

t.test('old sessions and uses go with what expires; the newest use of a token stays', async (t) => {
  const { store, sql } = await openSqlite(t)
  const old = '2020-01-01T00:00:00.000000Z'
  await store.write(async (writer) => {
    await writer.writeToken(apiToken('ci'))
    for (const [id, expiresAt] of [
      ['over', old],
      ['young', at(100)],
    ] as const) {
      const session = { sessionHash: hashOf(id), credentialHash: hashOf('ci'), createdAt: old, expiresAt }
      await writer.writeSession(session)
      await writer.endSession(hashOf(id))
    }
  })
  await sql(
    `insert into api_token_uses (token_id, hour, used_at) values ('id-ci', 1, $1), ('id-ci', 2, $1)`,
    [old],
  )
  await store.prune({ keysBefore: at(9), verdictsBefore: at(9) })
  t.strictSame(await sql('select hour from api_token_uses'), [{ hour: 2 }])
  for (const table of ['sessions', 'session_ends']) {
    t.strictSame(await sql(`select session_hash from ${table}`), [{ session_hash: hashOf('young') }], table)
  }
})

t.test('a link to the file is as good as the file, made before it or after', async (t) => {
  const real = folder(t)
  const linked = folder(t)
  for (const name of ['new.db', 'old.db']) {
    if (name === 'old.db') await (await openSqliteStore({ path: `${real}/${name}` })).close()
    symlinkSync(`${real}/${name}`, `${linked}/${name}`)
    const store = await openSqliteStore({ path: `${linked}/${name}` })
    await writeRuns(store, lossRun('r1', at(1), 1))
    t.strictSame(await numbers(store), [1], name)
    t.strictSame(await store.checkReady(), { ready: true })
    await store.close()
  }
})
