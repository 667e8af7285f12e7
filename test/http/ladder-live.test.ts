/** The pointer, as routers ask for it. */
import t from 'tap'
import { LiveWatch } from '../../src/operations/ladders/live-watch.js'
import { readLive } from '../../src/operations/ladders/ladders.js'
import { openPostgres } from '../support/stores.js'
import { LadderClient } from '../support/ladder-client.js'
import { startServer, temporaryFolder } from '../support/server.js'
import { openClient, problemOf } from './support.js'

t.setTimeout(120_000)

t.test('the pointer has a tag, and what is known already is not sent again', async (t) => {
  const { call } = await openClient(t)
  const ladder = new LadderClient(call)
  await ladder.create({}, 'v “1”')
  const url = `${ladder.url}/live`
  const ask = (tag: string) => call({ url, headers: { 'if-none-match': tag } })
  const { headers } = await call(url)
  const etag = String(headers.etag)
  t.match(etag, /^"1-[\x21-\x7e]+"$/)
  t.equal(headers['cache-control'], 'no-cache')
  for (const tag of [etag, `W/${etag}`, `"0-x", ${etag}`, '*']) {
    const known = await ask(tag)
    t.equal(known.statusCode, 304, tag)
    t.equal(known.body, '')
    t.equal(known.headers.etag, etag)
  }
  t.equal((await ask('"1-v2"')).statusCode, 200)
  await ladder.register('v2', { parents: [] })
  for (const rung of ['trial', 'current']) await ladder.override('v2', rung)
  const moved = await ask(etag)
  t.equal(moved.statusCode, 200)
  t.match(moved.json(), { version: 'v2', generation: 2 })
  t.not(moved.headers.etag, etag)
})

t.test('a long poll answers when the generation moves past, or the time is over', async (t) => {
  const { call, app } = await openClient(t)
  const ladder = new LadderClient(call)
  await ladder.create()
  await ladder.register('v2')
  await ladder.override('v2', 'trial')
  const poll = (query: string) => call(`${ladder.url}/live?${query}`)
  t.match((await poll('wait=30&generation=0')).json(), { generation: 1 }, 'past it already')
  const begun = performance.now()
  t.match((await poll('wait=1&generation=1')).json(), { version: 'v1', generation: 1 })
  t.ok(performance.now() - begun > 950, 'the time is over')
  const waiting = Promise.all([
    app.inject(`${ladder.url}/live?wait=30&generation=1`),
    poll('wait=30&generation=1'),
  ])
  await new Promise((resolve) => setTimeout(resolve, 150))
  const swapped = performance.now()
  await ladder.override('v2', 'current')
  for (const { statusCode, body } of await waiting) {
    t.equal(statusCode, 200)
    t.match(JSON.parse(body), { version: 'v2', generation: 2 })
  }
  t.ok(performance.now() - swapped < 2_000)
  for (const query of ['wait=30', 'generation=1', 'wait=61&generation=1', 'wait=-1&generation=1', 'wait=x']) {
    problemOf(t, await poll(query), 400, 'invalid_query')
  }
  // A router may know of a generation that the store does not have (yet, or after a restored backup).
  const ahead = poll('wait=1&generation=99')
  await new Promise((resolve) => setTimeout(resolve, 100))
  await ladder.override('v2', 'rolled_back')
  t.match(
    (await ahead).json(),
    { version: 'v1', generation: 3 },
    'the pointer of the moment, not of the question',
  )
  const last = poll('wait=30&generation=3')
  await new Promise((resolve) => setTimeout(resolve, 150))
  app.drain.begin()
  t.match((await last).json(), { generation: 3 }, 'a server that shuts down answers at once')
})

t.test('so many may wait, and one reader serves them all', async (t) => {
  const { gatehouse, call } = await openClient(t)
  await new LadderClient(call).create()
  let reads = 0
  const counting = {
    ...gatehouse,
    store: Object.assign(Object.create(gatehouse.store) as typeof gatehouse.store, {
      read: (...parameters: Parameters<typeof gatehouse.store.read>) => {
        reads++
        return gatehouse.store.read(...parameters)
      },
    }),
  }
  const watch = new LiveWatch(counting, { everyMs: 50, maxWaiters: 100 })
  const clients = Array.from({ length: 100 }, () => new AbortController())
  const waiting = clients.map(({ signal }) => watch.past('summarizer', 1, 10_000, signal))
  await t.rejects(watch.past('summarizer', 1, 10_000), { code: 'unavailable', status: 503 })
  await new Promise((resolve) => setTimeout(resolve, 500))
  t.ok(reads >= 3 && reads <= 11, `${reads} reads in half a second`)
  for (const client of clients) client.abort()
  t.same(await Promise.all(waiting), Array(100).fill(null), 'who left waits no more')
  await new Promise((resolve) => setTimeout(resolve, 120))
  const after = reads
  await new Promise((resolve) => setTimeout(resolve, 200))
  t.equal(reads, after, 'nobody waits, nobody reads')
  const again = watch.past('summarizer', 1, 60)
  t.equal(await again, null)
  watch.close()
  t.equal(await watch.past('summarizer', 1, 10_000), null)
})

t.test('200 swaps by another instance wake those who wait, p95 under 250 ms', async (t) => {
  const { store, openAnother } = await openPostgres(t)
  const { gatehouse, call } = await openClient(t, { store })
  const other = await openAnother()
  await new LadderClient(call).create()
  const watch = new LiveWatch(gatehouse)
  t.teardown(() => watch.close())
  const delays: number[] = []
  for (let generation = 1; generation <= 200; generation++) {
    const woken = watch.past('summarizer', generation, 30_000)
    // At another moment between two looks each time.
    await new Promise((resolve) => setTimeout(resolve, (generation * 37) % 100))
    const live = {
      version: `v${generation}`,
      generation: generation + 1,
      since: await other.read((r) => r.now()),
    }
    await other.write((writer) => writer.writeLive('summarizer', live))
    const swapped = performance.now()
    t.same(await woken, live)
    delays.push(performance.now() - swapped)
  }
  delays.sort((one, another) => one - another)
  const p95 = delays[Math.floor(delays.length * 0.95)]!
  t.comment(`p50 ${Math.round(delays[100]!)} ms, p95 ${Math.round(p95)} ms`)
  t.ok(p95 < 250, `p95 is ${p95} ms`)
  t.match(await readLive(gatehouse, 'summarizer'), { generation: 201 })
})

t.test('SIGTERM answers those who wait, and the process ends', async (t) => {
  const server = await startServer({ DATABASE_URL: `sqlite:${temporaryFolder(t)}/l.db` })
  const json = { 'content-type': 'application/json' }
  const created = await fetch(`${server.url}/v1/ladders`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ ladder: 'l', live: { version: 'v1' } }),
  })
  t.equal(created.status, 201)
  const polls = Array.from({ length: 50 }, () =>
    fetch(`${server.url}/v1/ladders/l/live?wait=60&generation=1`),
  )
  // All of them must be in the server by then, on a busy machine too.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const begun = performance.now()
  const stopped = server.stop()
  for (const response of await Promise.all(polls)) {
    t.equal(response.status, 200)
    t.match(await response.json(), { version: 'v1', generation: 1 })
  }
  t.ok(performance.now() - begun < 3_000, 'at once')
  t.equal(await stopped, 0)
})
