/** A thousand swaps and rollbacks under the eyes of readers, with a process killed in between. */
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startServer, type Server } from '../support/server.js'
import { forEachBackend, type OpenedStore } from '../support/stores.js'

t.setTimeout(300_000)

/** Not one ladder: one with five hundred dead variants is slow, and another test's matter. */
const LADDERS = 20
const MOVES_EACH = 50
/** Ladders under way at a time: while one waits for its disk or database, the other has the processor. */
const LANES = 2
const READERS = 4
/** Readers that never rest took half of two cores from what they were to watch; so each rests between rounds. */
const READER_RESTS_MS = 5

interface Live {
  readonly generation: number
  readonly version: string
}
type Sample = Live & { readonly ladder: string }
interface Answer {
  readonly status: number
  readonly text: string
}

/** The servers of the moment; a killed one is replaced. */
class Fleet {
  servers: Server[] = []
  constructor(readonly databaseUrl: string) {}

  async start(size: number): Promise<void> {
    while (this.servers.length < size)
      this.servers.push(await startServer({ DATABASE_URL: this.databaseUrl }))
  }

  async kill(): Promise<void> {
    const size = this.servers.length
    await this.servers.shift()?.stop('SIGKILL')
    await this.start(size)
  }

  /** null where the server died with the request, or with its answer. */
  async call(index: number, path: string, body?: object): Promise<Answer | null> {
    const server = this.servers[index % this.servers.length]
    if (server === undefined) {
      // The only one was killed, and the next one is starting.
      await sleep(20)
      return null
    }
    const json = { 'content-type': 'application/json' }
    const request = body && { method: 'POST', headers: json, body: JSON.stringify(body) }
    try {
      const response = await fetch(`${server.url}/v1/ladders${path}`, request)
      return { status: response.status, text: await response.text() }
    } catch {
      return null
    }
  }
}

/** Registers, raises, swaps in and rolls back one variant after the other, until enough moves of a ladder were made. */
async function drive(fleet: Fleet, ladder: string): Promise<void> {
  let generation = 1
  for (let n = 2; generation <= MOVES_EACH; n++) {
    if (n > 20 * MOVES_EACH) throw new Error(`${ladder} stays on generation ${generation}`)
    const variant = `v${n}`
    const raise = (to_rung: string) => ({ variant, to_rung, reason: 'test' })
    const facts = { validated: true, sandbox_clean: true }
    const steps: Array<[string, object]> = [
      ['variants', { version: variant, parents: ['v1'], facts }],
      ['override', raise('trial')],
      ['override', raise('current')],
    ]
    for (const [path, body] of steps) {
      if ((await fleet.call(n, `/${ladder}/${path}`, body)) === null) break
    }
    // Takes it down from wherever it is by now, also from where the kill left it: a trial that nobody ends would hold up
    // all that follow.
    const score = { kind: 'capped', violations: ['x'] }
    const episodes = [{ episode_id: variant, variant, group_id: 'g', split: 'selection', score }]
    let capped: Answer | null = null
    while (capped === null) capped = await fleet.call(n, `/${ladder}/episodes`, { episodes })
    // One that was never registered has no episodes.
    if (capped.status === 201) generation = (JSON.parse(capped.text) as { live: Live }).live.generation
  }
}

/** What readers look at. */
interface Show {
  readonly underWay: Set<string>
  isOver: boolean
}

/** Looks at one ladder under way after the other, by turns on each process, until all is over. */
async function read(fleet: Fleet, reader: number, show: Show): Promise<Sample[]> {
  const samples: Sample[] = []
  // One more a round, so that ladders and processes do not keep pace.
  for (let n = reader; !show.isOver; n++) {
    await sleep(READER_RESTS_MS)
    for (const ladder of show.underWay) {
      const answer = await fleet.call(n++, `/${ladder}/live`)
      if (answer === null) continue
      if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
      samples.push({ ladder, ...(JSON.parse(answer.text) as Live) })
    }
  }
  return samples
}

/** What a reader saw of a ladder after it had seen a later generation of it. */
function steppedBack(samples: readonly Sample[]): Sample[] {
  const newest = new Map<string, number>()
  return samples.filter(({ ladder, generation }) => {
    const before = newest.get(ladder) ?? 0
    newest.set(ladder, Math.max(before, generation))
    return generation < before
  })
}

async function swapUnderEyes(t: Test, databaseUrl: string, sql: OpenedStore['sql'], processes: number) {
  const fleet = new Fleet(databaseUrl)
  await fleet.start(processes)
  t.teardown(() => Promise.all(fleet.servers.map((server) => server.stop())))
  const show: Show = { underWay: new Set(), isOver: false }
  const begun = performance.now()
  const readers: Array<Promise<Sample[]>> = []
  const kills: Array<Promise<void>> = []
  let next = 0
  const driveSome = async () => {
    for (let k = next++; k < LADDERS; k = next++) {
      const ladder = `l${k}`
      for (let made = false; !made;) {
        const answer = await fleet.call(k, '', { ladder, live: { version: 'v1' } })
        made = answer !== null && [201, 409].includes(answer.status)
      }
      show.underWay.add(ladder)
      while (readers.length < READERS) readers.push(read(fleet, readers.length, show))
      if (k === LADDERS / 2) kills.push(fleet.kill())
      await drive(fleet, ladder)
      show.underWay.delete(ladder)
    }
  }
  try {
    await Promise.all(Array.from({ length: LANES }, driveSome))
    await Promise.all(kills)
  } finally {
    show.isOver = true
  }
  const seen = await Promise.all(readers)
  const rows = await sql<{ ladder: string; generation: number | string; version: string }>(
    'select ladder, generation, version from ladder_generations order by ladder, generation',
  )
  const live = new Map(rows.map((row) => [`${row.ladder} ${row.generation}`, row.version]))
  for (let k = 0; k < LADDERS; k++) {
    const own = rows.filter(({ ladder }) => ladder === `l${k}`).map(({ generation }) => Number(generation))
    t.ok(own.length > MOVES_EACH)
    t.same(
      own,
      Array.from(own.keys(), (index) => index + 1),
      'no gap',
    )
  }
  const samples = seen.flat()
  t.ok(samples.length > LADDERS * MOVES_EACH, `${samples.length} samples`)
  t.equal(kills.length, 1, 'one process was killed in between')
  const told = new Set(samples.map(({ ladder, generation }) => `${ladder} ${generation}`))
  t.ok(told.size > 200, `of ${told.size} generations`)
  t.same(
    samples.filter(({ ladder, generation, version }) => live.get(`${ladder} ${generation}`) !== version),
    [],
    'each shows one live version, that of its generation',
  )
  for (const [reader, own] of seen.entries())
    t.same(steppedBack(own), [], `generations only grow for reader ${reader}`)
  t.comment(
    `${rows.length} generations, ${told.size} of them seen in ${samples.length} samples, ${Math.round(performance.now() - begun)} ms`,
  )
}

forEachBackend((name, open) => {
  t.test(`${name}: swaps and rollbacks are seen whole`, { timeout: 300_000 }, async (t) => {
    const opened = await open(t)
    const isPostgres = name === 'postgres'
    const databaseUrl = isPostgres ? opened.location : `sqlite:${opened.location}`
    await swapUnderEyes(t, databaseUrl, opened.sql, isPostgres ? 2 : 1)
  })
})
