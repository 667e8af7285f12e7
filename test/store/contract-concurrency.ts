import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Backend } from './contract.js'
import {
  at,
  findRun,
  FIRST_PAGE,
  LOSS,
  lossRun,
  numbers,
  revoke,
  run,
  SERIES,
  value,
  verdict,
  writeRuns,
} from './fixtures.js'

/** Many at once, in one instance and in several. */
export function concurrencyContract({ name, open }: Backend): void {
  t.test(`${name}: parallel writers of two instances all get through`, async (t) => {
    const { store, openAnother, sql } = await open(t)
    const other = await openAnother()
    await Promise.all(
      Array.from({ length: 50 }, async (_none, writer) => {
        for (let index = 0; index < 4; index++) {
          const values = Array.from({ length: 10 }, (_value, step) => value('m', step, index))
          const target = writer % 2 === 0 ? store : other
          await target.write(async (w) =>
            w.writeRun(run(`r${writer}-${index}`, { createdAt: await w.now(), values })),
          )
        }
      }),
    )
    t.match(await sql('select count(*) as n from runs'), [{ n: name === 'sqlite' ? 200 : '200' }])
    t.match(await sql('select count(*) as n from metric_values'), [{ n: name === 'sqlite' ? 2_000 : '2000' }])
  })

  t.test(`${name}: what one instance revokes, the next read of another leaves out`, async (t) => {
    const { store, openAnother } = await open(t)
    const other = await openAnother()
    await writeRuns(store, lossRun('r1', at(1), 1), lossRun('r2', at(2), 2))
    t.strictSame(await numbers(other), [2, 1])
    await revoke(store, 'v1', { runIds: ['r2'] })
    t.strictSame(await numbers(other), [1])
    await writeRuns(other, lossRun('r3', at(3), 3))
    t.strictSame(await numbers(store), [3, 1])
  })

  t.test(`${name}: a read that mostly asks one question may ask more, all of one moment`, async (t) => {
    const { store, openAnother } = await open(t)
    const other = await openAnother()
    for (let time = 0; time < 3; time++) {
      const all = await store.read(
        async (reader) => {
          const before = (await reader.listRuns({}, FIRST_PAGE)).length
          await writeRuns(other, run(`r${written++}`))
          return [before, (await reader.listRuns({}, FIRST_PAGE)).length]
        },
        { single: 'mostly' },
      )
      t.equal(all[0], all[1])
      const one = await store.read((reader) => reader.listRuns({}, FIRST_PAGE), { single: 'mostly' })
      t.equal(one.length, written)
    }
  })
  let written = 0

  t.test(`${name}: a key in use makes others wait, also those of another instance`, async (t) => {
    const { store, openAnother } = await open(t)
    const other = await openAnother()
    const key = { owner: 'o', key: 'k' }
    const entry = { verdictId: 'v1', contentHash: 'h', createdAt: at(1), wroteRun: false }
    let taken = () => {}
    const isTaken = new Promise<void>((resolve) => (taken = resolve))
    const events: string[] = []
    const first = store.write(async (writer) => {
      await writer.lockSubmissionKey(key)
      taken()
      await sleep(150)
      await writer.writeVerdict(verdict('v1'))
      await writer.writeSubmissionKey(key, entry)
      events.push('first wrote')
    })
    await isTaken
    const waiting = [store, other].map((instance) =>
      instance.write(async (writer) => {
        await writer.lockSubmissionKey(key)
        events.push('another looked')
        return writer.findKeyedVerdict(key)
      }),
    )
    t.strictSame(await Promise.all(waiting), [
      { verdictId: 'v1', contentHash: 'h' },
      { verdictId: 'v1', contentHash: 'h' },
    ])
    await first
    t.strictSame(events, ['first wrote', 'another looked', 'another looked'])
  })

  t.test(`${name}: revocations come one after the other`, async (t) => {
    const { store, openAnother } = await open(t)
    const other = await openAnother()
    await writeRuns(
      store,
      ...Array.from({ length: 20 }, (_none, index) => lossRun(`r${index}`, at(index), index)),
    )
    const selector = { commitSha: 'a'.repeat(40) }
    const flipped = await Promise.all(
      Array.from({ length: 10 }, (_none, index) =>
        revoke(index % 2 === 0 ? store : other, `v${index}`, selector),
      ),
    )
    t.strictSame(
      flipped.map((one) => one.length).sort((a, b) => a - b),
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 20],
    )
  })

  t.test(`${name}: a read sees one snapshot, and waits for no writer`, async (t) => {
    const { store } = await open(t)
    await writeRuns(store, lossRun('r1', at(1), 1))
    const seen = await store.read(async (reader) => {
      const before = (await reader.listRuns({}, FIRST_PAGE)).length
      await writeRuns(store, lossRun('r2', at(2), 2))
      const [baseline] = await reader.recentTrustedValues(SERIES, [LOSS], 20)
      return [before, (await reader.listRuns({}, FIRST_PAGE)).length, baseline?.values.length]
    })
    t.strictSame(seen, [1, 1, 1])
    let during: number[] = []
    await store.write(async (writer) => {
      await writer.writeRun(lossRun('r3', at(3), 3))
      during = await numbers(store)
    })
    t.strictSame(during, [2, 1], 'without what is not committed')
    t.strictSame(await numbers(store), [3, 2, 1])
  })

  t.test(`${name}: statements that a work sends at once are answered each`, async (t) => {
    const { store } = await open(t)
    await writeRuns(store, lossRun('r1', at(1), 1))
    const answers = await store.read((reader) =>
      Promise.all([findRun(reader, 'r1'), findRun(reader, 'r2'), reader.valuesOf('r1'), reader.now()]),
    )
    t.match(answers, [{ runId: 'r1' }, null, [{ value: 1 }], /Z$/])
  })
}
