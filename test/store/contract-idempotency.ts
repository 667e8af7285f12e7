import t from 'tap'
import { NotStorable } from '../../src/store/write-checks.js'
import type { MetricHistoryStore } from '../../src/store/store.js'
import type { Backend } from './contract.js'
import { at, run, verdict, writeRuns, writeVerdicts } from './fixtures.js'

/** Submission keys, and what expires. */
export function idempotencyContract({ name, open }: Backend): void {
  const key = { owner: 'token:1', key: 'build 7' }

  t.test(`${name}: a key stands for its verdict, for its owner alone`, async (t) => {
    const { store } = await open(t)
    await store.write(async (writer) => {
      await writer.lockSubmissionKey(key)
      t.equal(await writer.findKeyedVerdict(key), null)
      await writer.writeVerdict(verdict('v1'))
      await writer.writeSubmissionKey(key, {
        verdictId: 'v1',
        contentHash: 'h',
        createdAt: at(1),
        wroteRun: false,
      })
    })
    await store.write(async (writer) => {
      t.strictSame(await writer.findKeyedVerdict(key), { verdictId: 'v1', contentHash: 'h' })
      t.equal(await writer.findKeyedVerdict({ ...key, owner: 'token:2' }), null)
      t.equal(await writer.findKeyedVerdict({ ...key, key: 'Build 7' }), null)
    })
  })

  t.test(`${name}: the longest keys fit, longer ones are refused`, async (t) => {
    const { store } = await open(t)
    const noise = (length: number) =>
      Array.from({ length }, (_none, index) =>
        String.fromCodePoint(0x20000 + ((index ** 3 + 7_919 * index) % 40_000)),
      ).join('')
    const long = { owner: noise(50), key: noise(600) }
    const entry = { verdictId: 'v1', contentHash: 'h', createdAt: at(1), wroteRun: true }
    await store.write(async (writer) => {
      await writer.writeVerdict(verdict('v1'))
      await writer.lockSubmissionKey(long)
      await writer.writeSubmissionKey(long, entry)
      t.match(await writer.findKeyedVerdict(long), { verdictId: 'v1' })
    })
    const longer = { ...long, key: noise(601) }
    await t.rejects(
      store.write((writer) => writer.writeSubmissionKey(longer, entry)),
      NotStorable,
    )
  })

  async function seed(store: MetricHistoryStore): Promise<void> {
    await writeRuns(store, run('r'))
    await writeVerdicts(
      store,
      verdict('wrote', { createdAt: at(1), runId: 'r', evidence: ['x'] }),
      verdict('old', { createdAt: at(2), evidence: ['x', 'y'] }),
      verdict('new', { createdAt: at(50) }),
    )
    await store.write(async (writer) => {
      for (const [verdictId, second] of [
        ['wrote', 1],
        ['old', 2],
        ['new', 50],
      ] as const) {
        const entry = { verdictId, contentHash: 'h', createdAt: at(second), wroteRun: verdictId === 'wrote' }
        await writer.writeSubmissionKey({ owner: 'o', key: verdictId }, entry)
      }
    })
  }
  const rest = async (store: MetricHistoryStore) =>
    store.write(async (writer) => {
      const found: string[] = []
      for (const one of ['wrote', 'old', 'new']) {
        if ((await writer.findVerdict(one)) !== null) found.push(`verdict ${one}`)
        if ((await writer.findKeyedVerdict({ owner: 'o', key: one })) !== null) found.push(`key ${one}`)
      }
      return found
    })

  t.test(`${name}: keys of judged-only submissions expire, those of writing runs never`, async (t) => {
    const { store } = await open(t)
    await seed(store)
    t.strictSame(await store.prune({ keysBefore: at(2), verdictsBefore: at(2) }), { keys: 0, verdicts: 0 })
    t.strictSame(await store.prune({ keysBefore: at(40), verdictsBefore: at(0) }), { keys: 1, verdicts: 0 })
    t.strictSame(await rest(store), ['verdict wrote', 'key wrote', 'verdict old', 'verdict new', 'key new'])
  })

  t.test(`${name}: verdicts that wrote no run expire, with their evidence and keys`, async (t) => {
    const { store, sql } = await open(t)
    await seed(store)
    t.strictSame(await store.prune({ keysBefore: at(0), verdictsBefore: at(40) }), { keys: 0, verdicts: 1 })
    t.strictSame(await rest(store), ['verdict wrote', 'key wrote', 'verdict new', 'key new'])
    t.strictSame(await sql('select verdict_id, run_id from verdict_evidence'), [
      { verdict_id: 'wrote', run_id: 'x' },
    ])
  })

  t.test(`${name}: any number expires, in batches`, async (t) => {
    const { store, queries } = await open(t)
    const ids = Array.from({ length: 1_203 }, (_none, index) => `v${index}`)
    await writeVerdicts(store, ...ids.map((id) => verdict(id, { createdAt: at(1), evidence: ['r'] })))
    queries.length = 0
    t.strictSame(await store.prune({ keysBefore: at(9), verdictsBefore: at(9) }), {
      keys: 0,
      verdicts: 1_203,
    })
    const batches = queries.filter((query) => /submission_keys|verdicts/.test(query))
    t.equal(batches.length, 4)
    t.strictSame(await store.prune({ keysBefore: at(9), verdictsBefore: at(9) }), { keys: 0, verdicts: 0 })
  })
}
