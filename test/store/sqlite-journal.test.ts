/** What is committed is moved from the journal into the file while the server runs, and not on its event loop. */
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openSqlite } from '../support/stores.js'
import { at, run, value, writeRuns } from './fixtures.js'

t.setTimeout(120_000)

const VALUES = 5_000

function largeRun(number: number) {
  const values = Array.from({ length: VALUES }, (_none, step) => value('train/loss', step, step))
  return run(`run-${String(number).padStart(5, '0')}`, { createdAt: at(number), values })
}

t.test('soon after a commit the file has it', async (t) => {
  const { store, location } = await openSqlite(t)
  const before = statSync(location).size
  await writeRuns(store, largeRun(1))
  const rows = VALUES * 40
  for (let waited = 0; statSync(location).size < before + rows && waited < 20_000; waited += 50) {
    await sleep(50)
  }
  t.ok(statSync(location).size >= before + rows, 'the journal was moved')
})

t.test('the journal stays short while there is always somebody who writes', async (t) => {
  const { store, location } = await openSqlite(t)
  let longest = 0
  let number = 0
  let written = 0
  const end = performance.now() + 10_000
  await Promise.all(
    [1, 2].map(async () => {
      while (performance.now() < end) {
        await writeRuns(store, largeRun(++number))
        const { size } = statSync(`${location}-wal`)
        longest = Math.max(longest, size)
        written++
      }
    }),
  )
  const mebibytes = Math.round(longest / 1_048_576)
  // A run takes up to 12 MiB of the journal, for the index by steps; SQLite itself would begin to move it at 128 MiB.
  t.ok(written >= 30, `${written} runs`)
  t.ok(mebibytes < 100, `${mebibytes} MiB at most`)
})
