/** Connections that fail: retried within a bound, then told, never written twice. */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { openPostgresStore, type PostgresOptions } from '../../src/store/postgres/open.js'
import { StoreUnavailable } from '../../src/store/errors.js'
import type { HistoryReader, MetricHistoryStore } from '../../src/store/store.js'
import { openPostgres, superuserUrl, terminateAll, type Teardown } from '../support/stores.js'
import {
  at,
  exported,
  findRun,
  imported,
  importRuns,
  lossRun,
  numbers,
  run,
  verdict,
  writeRuns,
} from './fixtures.js'
import { TcpProxy } from '../support/tcp-proxy.js'

// Waits on purpose, beside whatever else the machine does.
t.setTimeout(120_000)

async function throughProxy(test: Teardown, options: Partial<PostgresOptions> = {}) {
  const direct = await openPostgres(test)
  const proxy = await TcpProxy.start(direct.location)
  const store = await openPostgresStore({ ...options, url: proxy.url })
  test.teardown(async () => {
    proxy.thaw()
    await store.close()
    await proxy.close()
  })
  return { ...direct, proxy, store }
}

t.test('idle connections that the server ends are replaced, and the process lives', async (t) => {
  const errors: Error[] = []
  const { store, location } = await openPostgres(t, { onPoolError: (error) => errors.push(error) })
  await Promise.all(
    Array.from({ length: 5 }, (_none, index) => writeRuns(store, lossRun(`r${index}`, at(index), index))),
  )
  await terminateAll(await superuserUrl(location))
  await sleep(50)
  t.ok(errors.length > 0, 'the observer heard of it')
  t.strictSame(await numbers(store), [4, 3, 2, 1, 0])
})

t.test(
  'a connection that is ended within a transaction: the work is run again, and written once',
  async (t) => {
    const { store, location, sql } = await openPostgres(t)
    const admin = await superuserUrl(location)
    const attempts: number[] = []
    await store.write(async (writer, attempt) => {
      attempts.push(attempt)
      await writer.writeRun(lossRun('r', at(1), 1))
      if (attempt === 1) await terminateAll(admin)
      await writer.writeRun(lossRun('s', at(2), 2))
    })
    t.strictSame(attempts, [1, 2])
    t.strictSame(await numbers(store), [2, 1])
    t.equal((await sql('select * from metric_values')).length, 2)

    let tries = 0
    const found = await store.read(async (reader) => {
      tries++
      if (tries === 1) await terminateAll(admin)
      return findRun(reader, 'r')
    })
    t.match(found, { runId: 'r' })
    t.equal(tries, 2, 'so is a read')
  },
)

t.test('statements asked at once go out at once, and what failed first is told', async (t) => {
  const { store, proxy, sql } = await throughProxy(t, { poolSize: 1 })
  await sql(`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'refused' using errcode = '40001'; end $$`)
  const both = (name: string) => {
    const attempts: number[] = []
    const writing = store.write(async (writer, attempt) => {
      attempts.push(attempt)
      if (attempt > 1) await sql('drop trigger refuse on verdicts')
      await Promise.all([writer.writeVerdict(verdict(name)), writer.writeRun(lossRun(name, at(1), 1))])
    })
    return writing.then(() => attempts.length)
  }
  for (const name of ['a', 'b']) t.equal(await both(name), 1)
  await sql('create trigger refuse before insert on verdicts for each row execute function refuse()')
  t.equal(await both('c'), 2, 'what the other failed of is not worth another try by itself')
  t.equal((await sql('select * from verdicts')).length, 3)
  t.equal((await sql('select * from runs')).length, 3)

  proxy.slowDown({ delayMs: 200 })
  const begun = performance.now()
  await both('d')
  const ways = (performance.now() - begun) / 400
  t.ok(ways < 2.9, `begin and both at once, then the end: ${ways} ways there and back`)
})

t.test('ended between two statements of a work that is busy elsewhere', async (t) => {
  const { store, location } = await openPostgres(t)
  const admin = await superuserUrl(location)
  const answer = await store.write(async (writer, attempt) => {
    await writer.now()
    if (attempt === 1) {
      await terminateAll(admin)
      await sleep(50)
    }
    return [attempt, typeof (await writer.now())]
  })
  t.strictSame(answer, [2, 'string'])
})

t.test('a commit whose answer is lost is not a second run', async (t) => {
  const { store, proxy, sql } = await throughProxy(t)
  const attempts: number[] = []
  await store.write(async (writer, attempt) => {
    attempts.push(attempt)
    const known = attempt > 1 ? await findRun(writer, 'r') : null
    if (known === null) await writer.writeRun(lossRun('r', at(1), 1))
    // Cut once the commit may have been sent.
    if (attempt === 1) setImmediate(() => setImmediate(() => proxy.cut()))
  })
  t.ok(attempts.length <= 2)
  t.equal((await sql('select * from runs')).length, 1)
  t.equal((await sql('select * from metric_values')).length, 1)
})

t.test('a database that starts only after some seconds is waited for', async (t) => {
  const { store, proxy } = await throughProxy(t, { retryForMs: 6_000 })
  await writeRuns(store, lossRun('r', at(1), 1))
  const { port } = proxy
  await proxy.close()
  const began = performance.now()
  const reading = numbers(store)
  const writing = writeRuns(store, lossRun('s', at(2), 2))
  await sleep(1_500)
  await proxy.open(port)
  t.ok((await reading).includes(1))
  await writing
  t.ok(performance.now() - began > 1_400)
  t.strictSame(await numbers(store), [2, 1])
})

t.test('a database that does not come back is told within the bound', async (t) => {
  const { store, proxy } = await throughProxy(t, { retryForMs: 600 })
  await proxy.close()
  const began = performance.now()
  await t.rejects(numbers(store), new StoreUnavailable('the database cannot be reached'))
  await t.rejects(writeRuns(store, run('r')), new StoreUnavailable('the database cannot be reached'))
  t.ok(performance.now() - began < 2_500)
  const readiness = await store.checkReady()
  t.match(readiness, { ready: false, reason: 'the database cannot be reached' })
})

t.test(
  'a network that swallows everything is given up, and its connections are not used again',
  async (t) => {
    const { store, proxy } = await throughProxy(t, {
      statementTimeoutMs: 200,
      connectTimeoutMs: 500,
      retryForMs: 500,
    })
    await writeRuns(store, lossRun('r', at(1), 1))
    proxy.freeze()
    const began = performance.now()
    const ready = store.checkReady()
    await t.rejects(numbers(store), StoreUnavailable)
    t.ok(performance.now() - began < 6_000, `${performance.now() - began} ms`)
    t.match(await ready, { ready: false })
    t.ok(performance.now() - began < 6_000)
    proxy.thaw()
    t.strictSame(await numbers(store), [1])
  },
)

t.test('a connection that never answers its greeting is given up', async (t) => {
  const { store, proxy } = await throughProxy(t, { connectTimeoutMs: 300, retryForMs: 500 })
  proxy.freeze()
  const began = performance.now()
  await t.rejects(numbers(store), new StoreUnavailable('the database cannot be reached'))
  t.ok(performance.now() - began < 2_000)
  t.match(await store.checkReady(), { ready: false })
  t.ok(performance.now() - began < 5_000)
})

t.test('when all connections are lent, others wait for a bounded time', async (t) => {
  const { store } = await openPostgres(t, { poolSize: 2, connectTimeoutMs: 300 })
  const hold = (one: MetricHistoryStore, milliseconds: number) =>
    one.read(async (reader) => {
      await reader.now()
      await sleep(milliseconds)
    })
  const holding = [hold(store, 1_000), hold(store, 1_000)]
  await sleep(50)
  const full = new StoreUnavailable('too many transactions are waiting for the database')
  await t.rejects(numbers(store), full)
  await Promise.all(holding)
  const brief = [hold(store, 100), hold(store, 100)]
  t.strictSame(await numbers(store), [], 'a short wait is none of a failure')
  await Promise.all(brief)
})

t.test('a login that is refused and a missing database are told at once, without secrets', async (t) => {
  const { location } = await openPostgres(t)
  const wrong = new URL(location)
  wrong.username = 'no_such_role'
  wrong.password = 'wrong-secret'
  const missing = new URL(location)
  missing.pathname = '/no_such_database'
  for (const [url, reason] of [
    [wrong.href, 'the database refuses the login'],
    [missing.href, 'there is no such database'],
  ] as const) {
    const store = await openPostgresStore({ url })
    const began = performance.now()
    await t.rejects(numbers(store), new StoreUnavailable(reason))
    t.ok(performance.now() - began < 2_000)
    t.strictSame(await store.checkReady(), { ready: false, reason })
    await store.close()
  }
})

t.test('reads that may be some seconds old go to the replica', async (t) => {
  const [primary, replica] = [await openPostgres(t), await openPostgres(t)]
  const store = await openPostgresStore({ url: primary.location, readUrl: replica.location })
  t.teardown(() => store.close())
  await writeRuns(primary.store, run('on-primary'))
  await writeRuns(replica.store, run('on-replica'))
  const listed = (options?: { replica: boolean }) =>
    store.read(
      async (reader) => (await reader.listRuns({}, { limit: 9, after: null })).map((one) => one.runId),
      options,
    )
  t.strictSame(await listed(), ['on-primary'])
  t.strictSame(await listed({ replica: false }), ['on-primary'])
  t.strictSame(await listed({ replica: true }), ['on-replica'])
})

t.test('a long read may pause, another must go on', async (t) => {
  const { store } = await openPostgres(t, { idleInTransactionMs: 200, retryForMs: 300 })
  const pausing = async (reader: HistoryReader) => {
    await reader.now()
    await sleep(700)
    return reader.now()
  }
  await t.rejects(store.read(pausing), StoreUnavailable)
  t.match(await store.read(pausing, { long: true }), /Z$/)
})

t.test('an import or a long read whose connection is ended is told, and not begun again', async (t) => {
  const { store, location } = await openPostgres(t)
  const admin = await superuserUrl(location)
  let begun = 0
  async function* runs() {
    begun++
    for (let index = 0; index < 2_500; index++) {
      if (index === 2_200) await terminateAll(admin)
      yield imported(`r${index}`)
    }
  }
  await t.rejects(store.importRuns(runs()), StoreUnavailable)
  t.equal(begun, 1)
  const reading = store.read(
    async (reader) => {
      begun++
      await terminateAll(admin)
      return reader.now()
    },
    { long: true },
  )
  await t.rejects(reading, StoreUnavailable)
  t.equal(begun, 2)
  t.strictSame(await exported(store), [])
  t.match(await importRuns(store, imported('r')), { runs: 1 })
})
