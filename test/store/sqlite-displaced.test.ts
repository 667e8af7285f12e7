/** The database file goes while the store is open. */
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import t, { type Test } from 'tap'
import { openSqliteStore } from '../../src/store/sqlite/open.js'
import type { MetricHistoryStore } from '../../src/store/store.js'
import { StoreUnavailable } from '../../src/store/errors.js'
import { temporaryFolder } from '../support/server.js'
import { openSqlite } from '../support/stores.js'
import { at, lossRun, numbers, writeRuns } from './fixtures.js'

/** Nothing is written or made at the path, and everybody is told why. */
async function isRefused(t: Test, store: MetricHistoryStore, reason: RegExp): Promise<void> {
  t.match(await store.checkReady(), { ready: false, reason })
  await t.rejects(writeRuns(store, lossRun('b', at(2), 2)), StoreUnavailable)
  await t.rejects(store.importRuns(nothing()), StoreUnavailable)
  await t.rejects(store.copySome(), StoreUnavailable)
  // More than there are connections, so that new ones are wanted.
  const reads = await Promise.allSettled(
    Array.from({ length: 6 }, () => store.read((reader) => reader.now())),
  )
  for (const read of reads) {
    if (read.status === 'rejected') t.ok(read.reason instanceof StoreUnavailable, String(read.reason))
  }
}

async function* nothing(): AsyncGenerator<never> {
  // An import without a run.
}

t.test('moved away: nothing is acknowledged until it is back', async (t) => {
  const { store, location } = await openSqlite(t)
  await writeRuns(store, lossRun('a', at(1), 1))
  renameSync(location, `${location}.away`)
  await isRefused(t, store, /moved away or deleted/)
  t.notOk(existsSync(location), 'no empty file was made')
  renameSync(`${location}.away`, location)
  t.strictSame(await store.checkReady(), { ready: true })
  await writeRuns(store, lossRun('c', at(3), 3))
  t.strictSame(await numbers(store), [3, 1])
})

t.test('deleted', async (t) => {
  const { store, location } = await openSqlite(t)
  rmSync(location)
  await isRefused(t, store, /moved away or deleted/)
  t.notOk(existsSync(location))
})

for (const what of ['deleted', 'replaced']) {
  t.test(`the journal is ${what}`, async (t) => {
    const { store, location } = await openSqlite(t)
    await writeRuns(store, lossRun('a', at(1), 1))
    const journal = `${location}-wal`
    copyFileSync(journal, `${journal}-2`)
    rmSync(journal)
    if (what === 'replaced') renameSync(`${journal}-2`, journal)
    await isRefused(t, store, /the file -wal .* was deleted or replaced/)
  })
}

t.test('replaced, as a backup is put back', async (t) => {
  const { store, location } = await openSqlite(t)
  await writeRuns(store, lossRun('a', at(1), 1))
  copyFileSync(location, `${location}.backup`)
  renameSync(`${location}.backup`, location)
  await isRefused(t, store, /replaced by another/)
})

// Root may write whatever the file's mode is, but not what is mounted read-only. Rootless containers may not mount.
const folder = temporaryFolder(t)
const isRoot = process.getuid?.() === 0
const refusal = isRoot && mountRefusal()

t.test('read-only: readiness tells it', { skip: refusal }, async (t) => {
  const path = `${folder}/gatehouse.db`
  const store = await openSqliteStore({ path })
  t.teardown(() => store.close())
  t.strictSame(await store.checkReady(), { ready: true })
  if (isRoot) {
    t.equal(mount('--bind', folder, folder), '')
    t.teardown(() => void spawnSync('umount', ['--lazy', folder]))
    t.equal(mount('-o', 'remount,bind,ro', folder), '')
  } else chmodSync(path, 0o444)
  t.match(await store.checkReady(), {
    ready: false,
    reason: /mounted read-only|may not write the database file/,
  })
})

function mountRefusal(): string | false {
  const fault = mount('--bind', folder, folder)
  if (fault !== '') return `needs to mount: ${fault}`
  spawnSync('umount', [folder])
  return false
}

/** What went wrong; empty where nothing did. */
function mount(...args: string[]): string {
  const { status, stderr, error } = spawnSync('mount', args, { encoding: 'utf8' })
  return status === 0 ? '' : String(error ?? stderr.trim())
}
