/** What is particular to an import into a file: turns of the lock, and processes that end in the middle. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import BetterSqlite3 from 'better-sqlite3'
import t from 'tap'
import { StoreUnavailable } from '../../src/store/errors.js'
import type { ImportResult } from '../../src/store/exchange.js'
import { openSqlite, type OpenedStore } from '../support/stores.js'
import {
  at,
  exported,
  importRuns,
  imported,
  LOSS,
  lossRun,
  numbers,
  SERIES,
  value,
  writeRuns,
} from './fixtures.js'

// Waits for other processes, beside whatever else the machine does.
t.setTimeout(180_000)

const IMPORTER = fileURLToPath(new URL('sqlite-import-process.js', import.meta.url))

/** Starts an import of that many runs of fifty values. */
function startImport(path: string, runs: number): ChildProcess {
  return fork(IMPORTER, [path, String(runs)], { execArgv: [] })
}

async function untilTaken(child: ChildProcess, runs: number): Promise<void> {
  for (;;) {
    const [message] = (await once(child, 'message')) as [{ taken?: number }]
    if ((message.taken ?? 0) >= runs) return
  }
}

async function kill(child: ChildProcess): Promise<void> {
  const end = once(child, 'exit')
  child.kill('SIGKILL')
  await end
}

async function resultOf(child: ChildProcess): Promise<ImportResult> {
  for (;;) {
    const [message] = (await once(child, 'message')) as [{ result?: ImportResult }]
    if (message.result !== undefined) return message.result
  }
}

const ORPHANS = 'select count(*) as n from metric_values where run_id not in (select run_id from runs)'

async function count(sql: OpenedStore['sql'], text: string): Promise<number> {
  return (await sql<{ n: number }>(text))[0]?.n ?? NaN
}

async function untilClean(sql: OpenedStore['sql']): Promise<void> {
  const text = 'select (select count(*) from staged_runs) + (select count(*) from staged_decision) as n'
  while ((await count(sql, text)) > 0) await sleep(20)
}

t.test('an import that is killed leaves nothing after the next start', async (t) => {
  const { store, sql, location, openAnother } = await openSqlite(t)
  await writeRuns(store, lossRun('there', at(1), 1))
  const child = startImport(location, 50_000)
  await untilTaken(child, 2_000)
  await kill(child)
  t.ok((await count(sql, ORPHANS)) >= 50_000, 'values were staged')
  t.strictSame(await exported(store).then((runs) => runs.map((one) => one.runId)), ['there'])
  await openAnother()
  await untilClean(sql)
  t.equal(await count(sql, ORPHANS), 0)
  t.strictSame(await numbers(store), [1])
})

t.test('an import that is killed leaves nothing in the way of the next one', async (t) => {
  const { store, sql, location } = await openSqlite(t)
  const child = startImport(location, 50_000)
  await untilTaken(child, 1_000)
  await kill(child)
  const values = [value('m', 0, 7)]
  t.strictSame(await importRuns(store, imported('r0', { values })), { runs: 1, values: 1, skipped: 0 })
  t.strictSame(await sql('select run_id, value from metric_values'), [{ run_id: 'r0', value: 7 }])
})

t.test('what had begun to be published is finished by the next start', async (t) => {
  const { store, sql, location, openAnother } = await openSqlite(t)
  const left = new BetterSqlite3(location)
  left.pragma('foreign_keys = off')
  const { testPath, backend, suite } = SERIES
  const insertRun = left.prepare(
    `insert into staged_runs (run_id, test_path, backend, suite, created_at, trusted, cadence) values (?, ?, ?, ?, ?, 1, 'weekly')`,
  )
  const insertValue = left.prepare(
    'insert into metric_values (run_id, metric_key, step, value) values (?, ?, ?, ?)',
  )
  left.transaction(() => {
    for (let index = 0; index < 3_000; index++) {
      insertRun.run(`r${index}`, testPath, backend, suite, at(index))
      insertValue.run(`r${index}`, LOSS.metricKey, LOSS.step, index)
    }
    left.exec('insert into staged_decision values (1)')
  })()
  left.close()
  t.strictSame(await numbers(store), [])
  await openAnother()
  await untilClean(sql)
  t.strictSame(await numbers(store, 3), [2_999, 2_998, 2_997])
  const runs = await exported(store)
  t.equal(runs.length, 3_000)
  t.ok(runs.every(({ cadence, values }) => cadence === 'weekly' && values.length === 1))
})

t.test('two processes import one file, a third writes, and no lock is held for long', async (t) => {
  const { store, sql, location } = await openSqlite(t)
  const children = [startImport(location, 3_000), startImport(location, 3_000)]
  const results = Promise.all(children.map(resultOf))
  let over = false
  void results.finally(() => (over = true))
  let longest = 0
  let written = 0
  while (!over) {
    const began = performance.now()
    await writeRuns(store, lossRun(`w${written}`, at(written++), 1))
    longest = Math.max(longest, performance.now() - began)
    await sleep(10)
  }
  t.strictSame((await results).map((one) => [one.runs, one.skipped]).sort(), [
    [0, 3_000],
    [3_000, 0],
  ])
  t.comment(`${written} runs were written meanwhile; one waited ${Math.round(longest)} ms`)
  t.ok(longest < 5_000, 'within the patience of a write')
  t.equal(await count(sql, ORPHANS), 0)
  t.equal(await count(sql, 'select count(*) as n from metric_values'), 150_000 + written)
})

t.test('an id that an import holds is kept from other writers', async (t) => {
  const { store, sql } = await openSqlite(t)
  const insert = async () =>
    sql(`insert into runs (run_id, test_path, backend, suite, trusted) values ('one', 'p', 'b', 's', 1)`)
  const refusals: unknown[] = []
  async function* runs() {
    yield imported('one', { values: [value('m', 0, 1)] })
    for (let index = 0; index < 1_500; index++) yield imported(`r${index}`)
    refusals.push(await writeRuns(store, lossRun('one', at(1), 2)).catch((error: unknown) => error))
    refusals.push(await insert().catch((error: unknown) => error))
  }
  t.match(await store.importRuns(runs()), { runs: 1_501 })
  t.match(refusals, [
    new StoreUnavailable('a run with this id is being imported'),
    { code: 'SQLITE_CONSTRAINT_TRIGGER', message: 'a run with this id is being imported' },
  ])
  await t.rejects(insert(), { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' })
  await writeRuns(store, lossRun('one', at(1), 2))
  t.strictSame(await sql(`select value from metric_values where run_id = 'one'`), [{ value: 1 }])
})

t.test('the file beside the database comes with the first import, and stays empty', async (t) => {
  const { store, location } = await openSqlite(t)
  await writeRuns(store, lossRun('r', at(1), 1))
  t.notOk(existsSync(`${location}-import`))
  await importRuns(store, imported('i'))
  t.ok(existsSync(`${location}-import`))
  t.notOk(existsSync(`${location}-import-journal`))
})

t.test('neither an import of what is there nor an export keeps the event loop', async (t) => {
  const { store } = await openSqlite(t)
  const values = Array.from({ length: 500 }, (_none, step) => value('m', step, step))
  const runs = Array.from({ length: 200 }, (_none, index) =>
    imported(`r${index}`, { createdAt: at(index), values }),
  )
  await importRuns(store, ...runs)
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await importRuns(store, ...runs)
  t.ok(turns >= 5, `${turns} turns beside the import`)
  turns = 0
  await exported(store)
  t.ok(turns >= 3, `${turns} turns beside the export`)
  clearInterval(timer)
})
