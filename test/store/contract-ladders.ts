/** Promotion ladders. */
import t from 'tap'
import { gatherEvidence } from '../../src/promotion/evidence.js'
import { newLadder, register, type Ladder, type LivePointer } from '../../src/promotion/ladder.js'
import type { Episode } from '../../src/promotion/episode.js'
import { LadderMoved, type IssuedComparison, type Made } from '../../src/store/ladders.js'
import type { MetricHistoryStore } from '../../src/store/store.js'
import { NotStorable } from '../../src/store/write-checks.js'
import type { Backend } from './contract.js'
import { at, lossRun, PROVENANCE, SERIES, writeRuns } from './fixtures.js'

const MADE: Made = { at: at(0), by: 'test' }
const NO_FACTS = { validated: null, sandboxClean: null, resourceProfile: {} }

/** With `v1` live, and `v2` and `v3` registered. */
export async function ladderIn(store: MetricHistoryStore, name = 'l', config = {}): Promise<Ladder> {
  let ladder = newLadder(name, config, 'v1', at(0))
  await store.write((writer) => writer.writeLadder(ladder, MADE))
  for (const version of ['v2', 'v3']) {
    const registration = { version, parents: ['v1'], commitSha: null, facts: NO_FACTS }
    const registered = register(ladder, registration, at(1))
    if (!registered.ok) throw new Error(registered.why)
    ladder = registered.ladder
    await store.write((writer) =>
      writer.writeVariant(name, ladder.variants.length - 1, ladder.variants.at(-1)!, MADE),
    )
  }
  return ladder
}

function episode(episodeId: string, fields: Partial<Episode> = {}): Episode {
  return {
    episodeId,
    variant: 'v2',
    groupId: 'g',
    split: 'selection',
    rung: 'shadow',
    score: { kind: 'scored', value: 0.5 },
    verifierPassed: null,
    cost: null,
    ...fields,
  }
}

function comparison(comparisonId: string, one: string, other: string, generation = 1): IssuedComparison {
  const side = (episodeId: string) => ({ variant: episodeId.split('-')[0]!, episodeId })
  return { comparisonId, groupId: 'g', generation, a: side(one), b: side(other) }
}

export const pointer = (generation: number, version = 'v2'): LivePointer => ({
  version,
  generation,
  since: at(generation, 7),
})

export function ladderContract({ name, open }: Backend): void {
  t.test(`${name}: a ladder is read back as it was written`, async (t) => {
    const { store, queries } = await open(t)
    const config = { driftSeries: [SERIES, SERIES], mode: 'tournament' as const, resourceBudget: { a: 1.5 } }
    const ladder = await ladderIn(store, 'so “named”', config)
    const found = await store.read((reader) => reader.findLadder('so “named”'))
    t.strictSame(found?.ladder, ladder)
    t.strictSame([found?.createdAt, found?.createdBy], [MADE.at, MADE.by])
    t.strictSame(
      [...(found?.revisions ?? [])],
      [
        ['v1', 1],
        ['v2', 1],
        ['v3', 1],
      ],
    )
    t.equal(await store.read((reader) => reader.findLadder('none')), null)
    t.equal(await store.write((writer) => writer.writeLadder(ladder, MADE)), false, 'the name is taken')
    const again = ladder.variants[1]!
    t.equal(await store.write((writer) => writer.writeVariant(ladder.name, 9, again, MADE)), false)

    queries.length = 0
    const live = await store.read((reader) => reader.readLive('so “named”'), { single: true })
    t.strictSame(live, ladder.live)
    t.equal(queries.length, 1, 'one statement')
    t.equal(await store.read((reader) => reader.readLive('none'), { single: true }), null)
    await t.rejects(
      store.write((writer) => writer.writeLadder({ ...ladder, name: 'x'.repeat(513) }, MADE)),
      NotStorable,
    )
  })

  t.test(`${name}: ladders are listed by code point`, async (t) => {
    const { store } = await open(t)
    for (const one of ['b', 'a', 'B', 'é']) await ladderIn(store, one)
    const names = async (limit: number, after: string | null) =>
      (await store.read((reader) => reader.listLadders({ limit, after }))).map(({ ladder }) => ladder.name)
    t.strictSame(await names(10, null), ['B', 'a', 'b', 'é'])
    t.strictSame(await names(2, 'B'), ['a', 'b'])
  })

  t.test(`${name}: a swap is a compare-and-swap on the generation`, async (t) => {
    const { store, openAnother } = await open(t)
    await ladderIn(store)
    const stores = [store, await openAnother()]
    const swap = (on: MetricHistoryStore, live: LivePointer) =>
      on
        .write((writer) => writer.writeLive('l', live))
        .then(
          () => true,
          (error: unknown) => {
            if (error instanceof LadderMoved) return false
            throw error
          },
        )
    for (let generation = 2; generation < 12; generation++) {
      const won = await Promise.all(
        Array.from({ length: 4 }, (_none, index) =>
          swap(stores[index % 2]!, pointer(generation, `v${index}`)),
        ),
      )
      t.equal(won.filter(Boolean).length, 1, `one of four wins generation ${generation}, without any lock`)
    }
    t.equal(await swap(store, pointer(14)), false, 'no generation is left out')
    t.equal(await swap(store, pointer(5)), false)
    const live = await store.read((reader) => reader.readLive('l'))
    t.match(live, { generation: 11, since: at(11, 7) })
    t.strictSame(await store.read((reader) => reader.readGeneration('l', 1)), {
      version: 'v1',
      generation: 1,
      since: at(0),
    })
    t.equal(await store.read((reader) => reader.readGeneration('l', 99)), null)
  })

  t.test(`${name}: of two states that follow one, the second finds itself late`, async (t) => {
    const { store } = await open(t)
    const [, v2] = (await ladderIn(store)).variants
    await store.write((writer) => writer.writeVariantState('l', { ...v2!, rung: 'shadow' }, 1))
    await t.rejects(
      store.write((writer) => writer.writeVariantState('l', { ...v2!, rung: 'rejected' }, 1)),
      LadderMoved,
    )
    const found = await store.read((reader) => reader.findLadder('l'))
    t.match(found?.ladder.variants[1], { rung: 'shadow' })
    t.equal(found?.revisions.get('v2'), 2)
  })

  t.test(`${name}: evaluations of one ladder wait for each other`, async (t) => {
    const { store, openAnother } = await open(t)
    await ladderIn(store)
    const stores = [store, await openAnother()]
    const raise = (on: MetricHistoryStore) =>
      on.write(async (writer) => {
        await writer.lockLadder('l')
        const live = await writer.readLive('l')
        await writer.writeLive('l', pointer(live!.generation + 1))
      })
    await Promise.all(Array.from({ length: 12 }, (_none, index) => raise(stores[index % 2]!)))
    t.match(await store.read((reader) => reader.readLive('l')), { generation: 13 })
  })

  t.test(`${name}: episodes, their late caps, and what they add up to`, async (t) => {
    const { store } = await open(t)
    await ladderIn(store)
    const capped = { kind: 'capped' as const, violations: ['a', 'b'] }
    const episodes = [
      episode('v2-1', { verifierPassed: true, cost: 0.1 }),
      episode('v2-2', { verifierPassed: false, cost: 0.2, rung: 'trial' }),
      episode('v2-3', { cost: 0.7, score: { kind: 'scored', value: -0 } }),
      episode('v3-1', { variant: 'v3', score: capped, groupId: 'other' }),
      episode('v3-2', { variant: 'v3', split: 'held_out', score: capped, verifierPassed: false, cost: 9e9 }),
    ]
    await store.write((writer) => writer.writeEpisodes('l', episodes, { at: at(3), by: 'x' }))
    const read = async (id: string) => (await store.read((reader) => reader.findEpisodes('l', [id])))[0]
    t.strictSame(await read('v2-1'), {
      ...episodes[0],
      createdAt: at(3),
      createdBy: 'x',
      scoredBefore: null,
      cappedAt: null,
    })
    t.match(await read('v3-1'), { score: capped })
    t.strictSame((await read('v2-3'))?.score, { kind: 'scored', value: 0 })
    await t.rejects(
      store.write((writer) => writer.writeEpisodes('l', [episode('v2-1')], MADE)),
      'an id is of one episode',
    )

    const sums = async () => {
      const stored = await store.read((reader) => reader.listEpisodes('l', {}, { limit: 100, after: null }))
      const selection = stored.filter((one) => one.split === 'selection')
      const expected = gatherEvidence({ episodes: selection, comparisons: [] }).byVariant
      const told = await store.read((reader) => reader.sumUpEpisodes('l', { costs: true }))
      t.strictSame(new Map([...told].sort()), new Map([...expected].sort()), 'as the pure rules add them up')
      return told
    }
    t.match((await sums()).get('v3'), { episodes: 1, capped: ['v3-1'], verified: { n: 0 } })
    const cap = (seconds: number, violations: string[]) =>
      store.write((writer) => writer.writeCap('l', 'v2-2', violations, { at: at(seconds), by: 'y' }))
    await cap(5, ['late'])
    await cap(6, ['again'])
    t.match(await read('v2-2'), {
      score: { kind: 'capped', violations: ['late'] },
      scoredBefore: 0.5,
      cappedAt: at(5),
    })
    t.match((await sums()).get('v2'), { episodes: 3, shadowEpisodes: 2, capped: ['v2-2'] })
    t.match((await store.read((reader) => reader.sumUpEpisodes('l', { costs: false }))).get('v2')?.cost, {
      n: 0,
      mean: null,
    })
    const listed = (filter: object) =>
      store.read(async (reader) =>
        (await reader.listEpisodes('l', filter, { limit: 100, after: null })).map((one) => one.episodeId),
      )
    t.strictSame(await listed({ split: 'held_out' }), ['v3-2'])
    t.strictSame(await listed({ variant: 'v2' }), ['v2-3', 'v2-2', 'v2-1'])
    t.strictSame(await listed({ groupId: 'other' }), ['v3-1'])
    const counted = await store.read((reader) => reader.countEpisodes('l', 'v3'))
    t.strictSame(counted, { selection: 1, heldOut: 1 })
    t.equal((await store.read((reader) => reader.groupEpisodes('l', 'g'))).length, 4)
    await t.rejects(cap(7, ['\0']), NotStorable)
    const broken = episode('n', { score: { kind: 'scored', value: NaN } })
    await t.rejects(
      store.write((writer) => writer.writeEpisodes('l', [broken], MADE)),
      NotStorable,
    )
  })

  t.test(`${name}: comparisons, their results, and voids by late caps`, async (t) => {
    const { store } = await open(t)
    await ladderIn(store)
    await store.write(async (writer) => {
      await writer.writeEpisodes(
        'l',
        ['v1-1', 'v1-2', 'v2-1', 'v2-2', 'v3-1'].map((id) => episode(id, { variant: id.slice(0, 2) })),
        MADE,
      )
      await writer.writeComparisons(
        'l',
        [
          comparison('c1', 'v2-1', 'v1-1'),
          comparison('c2', 'v2-2', 'v1-2'),
          comparison('c3', 'v3-1', 'v1-1'),
        ],
        { at: at(2), by: 'x' },
      )
    })
    const result = (id: string, winner: 'a' | 'tie') =>
      store.write((writer) => writer.writeResult('l', id, { winner, judge: 'j' }, MADE))
    t.equal(await store.read((reader) => reader.newestResult('l')), 0)
    t.equal(await result('c2', 'a'), 1)
    t.equal(await result('c1', 'tie'), 2)
    await t.rejects(result('c1', 'a'), 'a comparison has one result')
    t.equal(await store.read((reader) => reader.newestResult('l')), 2)
    const read = (id: string, ladder = 'l') => store.read((reader) => reader.findComparison(ladder, id))
    t.strictSame(await read('c2'), {
      ...comparison('c2', 'v2-2', 'v1-2'),
      winner: 'a',
      sequence: 1,
      voided: false,
      judge: 'j',
      createdAt: at(2),
    })
    t.equal(await read('c2', 'another'), null)
    const listed = (filter: object) =>
      store.read(async (reader) =>
        (await reader.listComparisons('l', filter)).map((one) => one.comparisonId + (one.voided ? '!' : '')),
      )
    t.strictSame(await listed({ groupId: 'g', generation: 1 }), ['c1', 'c2', 'c3'])
    t.strictSame(await listed({ variant: 'v3' }), ['c3'])
    t.strictSame(await listed({ generation: 2 }), [])
    t.strictSame(await store.read((reader) => reader.lastContested('l', 'v2')), {
      version: 'v1',
      generation: 1,
      since: at(0),
    })
    t.equal(await store.read((reader) => reader.lastContested('l', 'v3')), null, 'no result')
    t.equal(await store.read((reader) => reader.lastContested('l', 'v1')), null, 'it was the live one')
    await store.write((writer) => writer.writeCap('l', 'v1-1', ['x'], MADE))
    t.strictSame(await listed({}), ['c1!', 'c2', 'c3!'])
    await store.write((writer) => writer.writeCap('l', 'v2-2', ['x'], MADE))
    t.equal(await store.read((reader) => reader.lastContested('l', 'v2')), null, 'none stands')
  })

  t.test(`${name}: who watches a series, and the runs of a commit`, async (t) => {
    const { store } = await open(t)
    const other = { ...SERIES, suite: 'other' }
    await ladderIn(store, 'b', { driftSeries: [SERIES, other] })
    await ladderIn(store, 'a', { driftSeries: [SERIES] })
    await ladderIn(store, 'none')
    const watching = (series: (typeof SERIES)[] | null) =>
      store.read((reader) => reader.laddersWatching(series))
    t.strictSame(await watching([SERIES]), ['a', 'b'])
    t.strictSame(await watching([other, SERIES]), ['a', 'b'])
    t.strictSame(await watching([other]), ['b'])
    t.strictSame(await watching([{ ...SERIES, backend: 'x' }]), [])
    t.strictSame(await watching([]), [])
    t.strictSame(await watching(null), ['a', 'b'])
    const commitSha = 'b'.repeat(40)
    await writeRuns(
      store,
      lossRun('r1', at(1), 1),
      lossRun('r2', at(2), 1, { trusted: false, series: other, provenance: { ...PROVENANCE, commitSha } }),
    )
    t.strictSame(await store.read((reader) => reader.runsOfCommits([commitSha, 'c'])), [
      { runId: 'r2', series: other, commitSha, createdAt: at(2), trusted: false, outcome: null },
    ])
    t.strictSame(await store.read((reader) => reader.runsOfCommits([])), [])
    const series = await store.read((reader) => reader.seriesOfRuns(['r1', 'r2', 'none']))
    t.strictSame(new Set(series.map(({ suite }) => suite)), new Set([SERIES.suite, 'other']))
  })
}
