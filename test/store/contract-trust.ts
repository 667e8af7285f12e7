import t from 'tap'
import type { Backend } from './contract.js'
import {
  allPages,
  at,
  lossRun,
  numbers,
  PROVENANCE,
  revoke,
  SERIES,
  trustOf,
  undo,
  writeRuns,
} from './fixtures.js'

/** Revocations and their undoing. */
export function trustContract({ name, open }: Backend): void {
  t.test(`${name}: each selector flips the trusted runs that match, and tells which`, async (t) => {
    const { store } = await open(t)
    const from = (commitSha: string, githubRunId: bigint) => ({
      provenance: { ...PROVENANCE, commitSha, githubRunId },
    })
    await writeRuns(
      store,
      lossRun('r1', at(1), 1, from('c1', 1n)),
      lossRun('r2', at(2), 2, from('c1', 2n ** 62n + 1n)),
      lossRun('r3', at(3), 3, { ...from('c1', 2n ** 62n + 1n), trusted: false }),
      lossRun('r4', at(4), 4, from('c2', 2n ** 62n)),
      lossRun('r5', at(5), 5, from('c2', 9n)),
    )
    t.strictSame(await store.read((reader) => reader.matchRuns({ commitSha: 'c1' })), [
      { runId: 'r3', testPath: SERIES.testPath, trusted: false },
      { runId: 'r2', testPath: SERIES.testPath, trusted: true },
      { runId: 'r1', testPath: SERIES.testPath, trusted: true },
    ])
    t.strictSame(await revoke(store, 'v1', { githubRunId: 2n ** 62n + 1n }), ['r2'])
    t.strictSame(await numbers(store), [5, 4, 1])
    t.strictSame(await revoke(store, 'v2', { commitSha: 'c1' }), ['r1'])
    t.strictSame(await revoke(store, 'v3', { commitSha: 'c1' }), [], 'all were untrusted already')
    t.strictSame(await revoke(store, 'v4', { runIds: ['r5', 'nobody', 'r4', 'r1'] }), ['r5', 'r4'])
    t.strictSame(await revoke(store, 'v5', { commitSha: 'c' }), [])
    t.strictSame(await numbers(store), [])
    t.strictSame(await store.read((reader) => reader.matchRuns({ runIds: [] })), [])
  })

  t.test(`${name}: a revocation is kept with its runs, and what covers a run is told`, async (t) => {
    const { store } = await open(t)
    await writeRuns(
      store,
      lossRun('r1', at(1), 1),
      lossRun('r2', at(2), 2, { trusted: false }),
      lossRun('r3', at(3), 3),
    )
    await revoke(
      store,
      'v1',
      { runIds: ['r1', 'r2', 'r3'] },
      { createdAt: at(10, 1), impact: '{"coordinates": []}' },
    )
    await revoke(
      store,
      'v2',
      { runIds: ['r1'] },
      { createdAt: at(20), actor: 'oidc:acme/rl', reason: 'ä\n𝒳' },
    )
    const first = {
      revocationId: 'v1',
      createdAt: at(10, 1),
      actor: 'token:ops',
      reason: 'bad host',
      matched: ['r3', 'r2', 'r1'],
      flipped: ['r3', 'r1'],
      impact: '{"coordinates": []}',
      undone: null,
    }
    t.strictSame(await store.read((reader) => reader.findRevocation('v1')), first)
    t.equal(await store.read((reader) => reader.findRevocation('v9')), null)
    const covers = { actor: 'oidc:acme/rl', reason: 'ä\n𝒳', flipped: false, undone: false }
    t.strictSame(await store.read((reader) => reader.revocationsOf('r1')), [
      { revocationId: 'v2', createdAt: at(20), ...covers },
      {
        ...covers,
        revocationId: 'v1',
        createdAt: at(10, 1),
        actor: 'token:ops',
        reason: 'bad host',
        flipped: true,
      },
    ])
    await undo(store, 'v2')
    t.match(await store.read((reader) => reader.revocationsOf('r1')), [{ undone: true }, { undone: false }])
    const listed = await allPages(
      store,
      1,
      (reader, page) => reader.listRevocations(page),
      (row) => row.revocationId,
    )
    t.match(listed, [
      {
        revocationId: 'v2',
        matched: ['r1'],
        flipped: [],
        undone: { actor: 'token:ops', reason: 'was fine' },
      },
      first,
    ])
    t.strictSame(await store.read((reader) => reader.revocationsOf('nobody')), [])
  })

  t.test(`${name}: an undo restores what a revocation had flipped, never more`, async (t) => {
    const { store } = await open(t)
    await writeRuns(store, lossRun('earned', at(1), 1), lossRun('never', at(2), 2, { trusted: false }))
    await revoke(store, 'v1', { runIds: ['earned', 'never'] })
    t.strictSame(await trustOf(store, 'earned', 'never'), [false, false])
    t.strictSame(await undo(store, 'v1'), ['earned'])
    t.strictSame(await trustOf(store, 'earned', 'never'), [true, false])
    t.strictSame(await numbers(store), [1])
    t.match(await store.read((reader) => reader.findRevocation('v1')), { undone: { actor: 'token:ops' } })
  })

  for (const order of [
    ['v1', 'v2'],
    ['v2', 'v1'],
  ] as const) {
    t.test(`${name}: overlapping revocations are undone in the order ${order.join(', ')}`, async (t) => {
      const { store } = await open(t)
      await writeRuns(store, ...['a', 'b', 'c'].map((id, index) => lossRun(id, at(index), index)))
      await revoke(store, 'v1', { runIds: ['a', 'b'] })
      await revoke(store, 'v2', { runIds: ['b', 'c'] })
      const [first, second] = order
      const restorable = await store.read((reader) => reader.restorableRuns(first))
      t.strictSame(restorable, {
        restore: [first === 'v1' ? 'a' : 'c'],
        heldBack: [{ runId: 'b', revocationId: second }],
      })
      t.strictSame(await undo(store, first), [first === 'v1' ? 'a' : 'c'])
      t.strictSame(await trustOf(store, 'b'), [false], 'still covered')
      t.strictSame(await undo(store, second), first === 'v1' ? ['c', 'b'] : ['b', 'a'])
      t.strictSame(await trustOf(store, 'a', 'b', 'c'), [true, true, true])
    })
  }

  t.test(`${name}: a run is held back by the newest of those that stand`, async (t) => {
    const { store } = await open(t)
    await writeRuns(store, lossRun('a', at(1), 1))
    for (const [index, id] of ['v1', 'v2', 'v3', 'v4'].entries()) {
      await revoke(store, id, { runIds: ['a'] }, { createdAt: at(index) })
    }
    await undo(store, 'v4')
    const { heldBack } = await store.read((reader) => reader.restorableRuns('v1'))
    t.strictSame(heldBack, [{ runId: 'a', revocationId: 'v3' }])
    t.strictSame(await undo(store, 'v1'), [])
    t.strictSame(await undo(store, 'v3'), [])
    t.strictSame(await undo(store, 'v2'), ['a'], 'flipped by one that was undone before')
  })

  t.test(`${name}: nothing is restorable by a revocation that was undone, or is not there`, async (t) => {
    const { store } = await open(t)
    await writeRuns(store, lossRun('a', at(1), 1))
    await revoke(store, 'v1', { runIds: ['a'] })
    await undo(store, 'v1')
    await revoke(store, 'v2', { runIds: ['a'] })
    const nothing = { restore: [], heldBack: [] }
    t.strictSame(await store.read((reader) => reader.restorableRuns('v1')), nothing)
    t.strictSame(await store.read((reader) => reader.restorableRuns('v9')), nothing)
    await t.rejects(undo(store, 'v1'), 'an undo happens once')
    t.strictSame(await trustOf(store, 'a'), [false])
    t.strictSame(await undo(store, 'v2'), ['a'])
  })

  t.test(`${name}: runs that come later are not covered`, async (t) => {
    const { store } = await open(t)
    await writeRuns(store, lossRun('a', at(1), 1))
    await revoke(store, 'v1', { commitSha: PROVENANCE.commitSha })
    await writeRuns(store, lossRun('b', at(2), 2))
    t.strictSame(await trustOf(store, 'a', 'b'), [false, true])
    t.strictSame(await store.read((reader) => reader.revocationsOf('b')), [])
    t.strictSame(await undo(store, 'v1'), ['a'])
  })

  t.test(`${name}: a revocation of thousands of runs`, async (t) => {
    const { store } = await open(t)
    const ids = Array.from({ length: 1_100 }, (_none, index) => `r${String(index).padStart(4, '0')}`)
    await writeRuns(store, ...ids.map((id, index) => lossRun(id, at(index), index)))
    t.strictSame(await revoke(store, 'v1', { commitSha: PROVENANCE.commitSha }), [...ids].reverse())
    t.equal((await store.read((reader) => reader.findRevocation('v1')))?.matched.length, 1_100)
    t.strictSame(await undo(store, 'v1'), [...ids].reverse())
  })

  t.test(`${name}: which of some runs a revocation keeps untrusted`, async (t) => {
    const { store, sql } = await open(t)
    await writeRuns(
      store,
      ...['a', '\uff5e', '𝒳', 'd'].map((runId, index) => lossRun(runId, at(index), index)),
      lossRun('never', at(9), 9, { trusted: false }),
    )
    const among = (...runIds: string[]) => store.read((reader) => reader.revokedAmong(runIds))
    t.strictSame(await among(), [])
    t.strictSame(await among('a', 'never', 'nobody'), [])
    await revoke(store, 'v1', { runIds: ['𝒳', 'a', '\uff5e', 'never'] })
    t.strictSame(
      await among('never', '𝒳', 'a', 'd', '\uff5e', 'nobody'),
      ['a', '\uff5e', '𝒳'],
      'by code point',
    )
    t.strictSame(await among('d', 'a', 'a'), ['a'])
    await revoke(store, 'v2', { runIds: ['a', 'd'] })
    await undo(store, 'v1')
    t.strictSame(await among('a', '\uff5e', 'd', 'never'), ['a', 'd'], 'another one stands')
    await sql('update runs set trusted = $1 where run_id = $2', [true, 'a'])
    t.strictSame(await among('a', 'd'), ['d'], 'another writer trusts it')
    await undo(store, 'v2')
    t.strictSame(await among('a', '\uff5e', '𝒳', 'd', 'never'), [])
  })
}
