/** Other processes on the same file. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import BetterSqlite3 from 'better-sqlite3'
import t from 'tap'
import { StoreUnavailable } from '../../src/store/errors.js'
import { openSqlite } from '../support/stores.js'
import { at, lossRun, numbers, writeRuns } from './fixtures.js'

// Waits on purpose, beside whatever else the machine does.
t.setTimeout(120_000)

const WRITER = fileURLToPath(new URL('sqlite-writer-process.js', import.meta.url))

/** The longest that the event loop stood still while `work` ran. */
async function longestPause(work: Promise<unknown>): Promise<number> {
  let last = performance.now()
  let longest = 0
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 5)
  await work.catch(() => undefined)
  clearInterval(timer)
  return longest
}

t.test('a lock that is held too long is told in time, and the event loop lives', async (t) => {
  const { store, sql, location } = await openSqlite(t, { busyTimeoutMs: 1_000 })
  await writeRuns(store, lossRun('r1', at(1), 1))
  const holder = new BetterSqlite3(location)
  t.teardown(() => void holder.close())
  holder.exec('begin immediate')

  const began = performance.now()
  const writes = [2, 3, 4].map((number) => writeRuns(store, lossRun(`r${number}`, at(number), number)))
  // The first one asks for the lock; those behind it run out of time at the same moment, before it or after.
  const refusals = Promise.all(
    writes.map((write, i) =>
      t.rejects(write, {
        name: 'StoreUnavailable',
        message:
          i === 0 ? /locked by another process$/ : /(?:locked by another process|waiting for the database)$/,
      }),
    ),
  ).catch(() => undefined)
  t.ok((await longestPause(Promise.allSettled(writes))) < 500, 'the event loop lives')
  await refusals
  const took = performance.now() - began
  t.ok(took > 900 && took < 2_500, `all were answered within the bound (${took} ms)`)
  t.strictSame(await numbers(store), [1], 'reading needs no lock')
  holder.exec('rollback')
  t.equal((await sql('select * from runs')).length, 1)
  await writeRuns(store, lossRun('r5', at(5), 5))
  t.strictSame(await numbers(store), [5, 1])
})

t.test('a lock that is held for a moment is waited for', async (t) => {
  const { store, location } = await openSqlite(t)
  const holder = new BetterSqlite3(location)
  t.teardown(() => void holder.close())
  holder.exec('begin immediate')
  const write = writeRuns(store, lossRun('r1', at(1), 1))
  await sleep(150)
  holder.exec('commit')
  await write
  t.strictSame(await numbers(store), [1])
})

t.test('a work that never ends holds up nobody for ever', async (t) => {
  const { store } = await openSqlite(t, { busyTimeoutMs: 200 })
  let release = () => {}
  const hanging = store.write(() => new Promise<void>((resolve) => (release = resolve)))
  await t.rejects(writeRuns(store, lossRun('r', at(1), 1)), StoreUnavailable)
  release()
  await hanging
  await writeRuns(store, lossRun('r', at(1), 1))
})

t.test('two processes write at once, and one that is killed leaves nothing half', async (t) => {
  const { store, sql, location } = await openSqlite(t)
  const start = (from: string) => fork(WRITER, [location, from], { execArgv: [] })
  const [one, two, doomed] = [start('1'), start('2'), start('3')]
  let acknowledged = -1
  doomed.on('message', (index) => {
    acknowledged = Number(index)
    if (acknowledged === 30) doomed.kill('SIGKILL')
  })
  const ends = await Promise.all([one, two, doomed].map((child) => once(child, 'exit')))
  t.strictSame(ends, [
    [0, null],
    [0, null],
    [null, 'SIGKILL'],
  ])
  const count = async (pattern: string) =>
    (await sql('select * from runs where run_id like $1', [pattern])).length
  t.equal(await count('r1-%'), 100)
  t.equal(await count('r2-%'), 100)
  t.ok((await count('r3-%')) > acknowledged, 'every acknowledged run is there')
  t.strictSame(
    await sql('select r.run_id from runs r left join metric_values m using (run_id) where m.value is null'),
    [],
  )
  await writeRuns(store, lossRun('after', at(1), 1))
})
