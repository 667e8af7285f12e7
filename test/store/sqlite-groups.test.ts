/** Several that write share a transaction; each is as alone as if it had one of its own. */
import { copyFileSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import t, { type Test } from 'tap'
import type { Flush } from '../../src/store/sqlite/journal.js'
import type { HistoryWriter, MetricHistoryStore } from '../../src/store/store.js'
import { openSqlite } from '../support/stores.js'
import { at, FIRST_PAGE, lossRun, numbers, writeRuns } from './fixtures.js'

/** A way to the disk that can be watched, held and broken. */
class Disk {
  flushes = 0
  failsWith: Error | null = null
  #opened: () => void = () => undefined
  #gate: Promise<void> = Promise.resolve()

  readonly flush: Flush = async (file) => {
    this.flushes++
    await this.#gate
    if (this.failsWith !== null) throw this.failsWith
    await file.datasync()
  }

  hold(): void {
    this.#gate = new Promise((resolve) => {
      this.#opened = resolve
    })
  }

  letGo(): void {
    this.#opened()
  }
}

async function open(t: Test): Promise<{ store: MetricHistoryStore; disk: Disk; location: string }> {
  const disk = new Disk()
  const { store, location } = await openSqlite(t, { flush: disk.flush, busyTimeoutMs: 2_000 })
  await writeRuns(store, lossRun('r0', at(0), 0))
  return { store, disk, location }
}

function writing(number: number): (writer: HistoryWriter) => Promise<void> {
  return (writer) => writer.writeRun(lossRun(`r${number}`, at(number), number))
}

async function countRuns(store: MetricHistoryStore): Promise<number> {
  return (await store.read((reader) => reader.listRuns({}, FIRST_PAGE))).length
}

/** Whether a promise is settled by now. */
function watched(promise: Promise<unknown>): { settled: boolean } {
  const watch = { settled: false }
  const settle = () => {
    watch.settled = true
  }
  promise.then(settle, settle)
  return watch
}

t.test('those who come together wait for the disk together', async (t) => {
  const { store, disk } = await open(t)
  disk.flushes = 0
  await Promise.all(Array.from({ length: 20 }, (_none, index) => store.write(writing(index + 1))))
  t.equal(await countRuns(store), 21)
  t.ok(disk.flushes <= 4, `${disk.flushes} flushes for twenty`)
})

t.test('nobody hears of a commit or a refusal before the disk has it', async (t) => {
  const { store, disk } = await open(t)
  disk.hold()
  const written = store.write(writing(1))
  const refused = store.write(() => Promise.reject(new Error('there is one already')))
  const watches = [watched(written), watched(refused)]
  await sleep(100)
  t.strictSame(
    watches.map(({ settled }) => settled),
    [false, false],
  )
  disk.letGo()
  await written
  await t.rejects(refused, { message: 'there is one already' })
})

t.test('what one does before it throws is undone, and nothing of the others', async (t) => {
  const { store } = await open(t)
  let begun = 0
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_none, index) =>
      store.write(async (writer) => {
        begun++
        await writing(index + 1)(writer)
        if (index % 3 === 0) throw new Error(`number ${index + 1} thinks better of it`)
        return index + 1
      }),
    ),
  )
  t.strictSame(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason))),
    Array.from({ length: 12 }, (_none, index) =>
      index % 3 === 0 ? `Error: number ${index + 1} thinks better of it` : index + 1,
    ),
  )
  t.strictSame(await numbers(store), [12, 11, 9, 8, 6, 5, 3, 2, 0])
  t.equal(begun, 12, 'nobody is tried again for that')
})

t.test('each sees what those before it in the group wrote', async (t) => {
  const { store } = await open(t)
  const seen = await Promise.all(
    [1, 2, 3].map((number) =>
      store.write(async (writer) => {
        await writing(number)(writer)
        return (await writer.listRuns({}, FIRST_PAGE)).length
      }),
    ),
  )
  t.strictSame(seen, [2, 3, 4])
})

t.test('where the store fails for one, each is tried by itself', async (t) => {
  const { store } = await open(t)
  const attempts = new Map<number, number[]>()
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map((number) =>
      store.write(async (writer, attempt) => {
        attempts.set(number, [...(attempts.get(number) ?? []), attempt])
        await writing(number)(writer)
        if (number === 2) throw new BetterSqlite3.SqliteError('database or disk is full', 'SQLITE_FULL')
      }),
    ),
  )
  t.strictSame(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  t.match(outcomes[1], { reason: { name: 'StoreUnavailable', reason: 'the disk is full' } })
  t.strictSame(await numbers(store), [3, 1, 0])
  t.strictSame(attempts.get(1), [1, 2], 'an attempt that came to nothing is counted')
})

t.test('where the transaction was rolled back under them, all are tried by themselves', async (t) => {
  const { store } = await open(t)
  let broken = false
  await Promise.all(
    [1, 2, 3].map((number) =>
      store.write(async (writer) => {
        await writing(number)(writer)
        if (number !== 3 || broken) return
        broken = true
        throw new BetterSqlite3.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE')
      }),
    ),
  )
  t.strictSame(await numbers(store), [3, 2, 1, 0])
})

t.test(
  'a disk that fails is told, whoever was in the group, and nothing is doubled by the next try',
  async (t) => {
    const { store, disk } = await open(t)
    disk.failsWith = new Error('EIO')
    const outcomes = await Promise.allSettled([1, 2].map((number) => store.write(writing(number))))
    for (const outcome of outcomes) {
      t.match(outcome, { reason: { name: 'StoreUnavailable', reason: 'the disk cannot be written' } })
    }
    disk.failsWith = null
    await Promise.all([1, 2].map((number) => store.write(writing(number))))
    t.strictSame(await numbers(store), [2, 1, 0])
  },
)

t.test('after a flush that failed nothing rests on the journal that it was of', async (t) => {
  const { store, disk, location } = await open(t)
  const isJournal = (descriptor: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === realpathSync(`${location}-wal`)
    } catch {
      return false // closed since it was listed
    }
  }
  // Of the journal alone: threads of the process open and close files of their own meanwhile.
  const descriptors = () => readdirSync('/proc/self/fd').filter(isJournal).length
  disk.failsWith = new Error('EIO')
  await t.rejects(store.write(writing(1)), { name: 'StoreUnavailable' })
  const before = descriptors()
  for (let number = 2; number <= 10; number++) await t.rejects(store.write(writing(number)))
  const left = descriptors() - before
  t.ok(before > 0 && left <= 1, `${left} more files are open; the thread that moves the journal has one`)
  disk.failsWith = null
  await store.write(writing(11))
  // What the file holds by itself, as if the journal were lost.
  const copy = `${location}-copy`
  copyFileSync(location, copy)
  const alone = new BetterSqlite3(copy, { readonly: true })
  t.teardown(() => void alone.close())
  t.equal(alone.prepare('select count(*) from runs where run_id <> ?').pluck().get('r11'), 11)
})

t.test('whoever waits too long behind others is refused', async (t) => {
  const { store } = await open(t)
  const slow = store.write(() => sleep(2_300))
  const late = [1, 2].map((number) => store.write(writing(number)))
  for (const one of late) {
    await t.rejects(one, { name: 'StoreUnavailable', message: /too many transactions are waiting/ })
  }
  await slow
  await store.write(writing(3))
  t.strictSame(await numbers(store), [3, 0])
})

t.test('a store that closes lets those finish that wait', async (t) => {
  const { store, location } = await open(t)
  const writes = Array.from({ length: 30 }, (_none, index) => store.write(writing(index + 1)))
  await store.close()
  await Promise.all(writes)
  await t.rejects(store.write(writing(99)), { name: 'StoreUnavailable', reason: 'shutting down' })
  const file = new BetterSqlite3(location, { readonly: true })
  t.teardown(() => void file.close())
  t.equal(file.prepare('select count(*) from runs').pluck().get(), 31)
})
