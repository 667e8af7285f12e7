/** What happened on promotion ladders, and what did not. */
import t from 'tap'
import type { RungCheck } from '../../src/promotion/evaluate.js'
import type { Transition } from '../../src/promotion/transition.js'
import type { HistoryWriter } from '../../src/store/store.js'
import type { Backend } from './contract.js'
import { ladderIn, pointer } from './contract-ladders.js'
import { at } from './fixtures.js'

export function ladderLogContract({ name, open }: Backend): void {
  t.test(`${name}: the log of a ladder`, async (t) => {
    const { store } = await open(t)
    await ladderIn(store)
    const transition = (variant: string, reason: string): Transition => ({
      variant,
      from: 'registered',
      to: 'shadow',
      share: 0,
      cause: 'override',
      predicates: [{ name: 'validated', passed: true, inputs: { validated: true, deep: [{ x: null }] } }],
      live: pointer(1),
      actor: 'x',
      reason,
      at: at(1),
    })
    const check = (variant: string, passed: boolean) =>
      ({ variant, rung: 'shadow', rampStep: null, passed, predicates: [] }) as const
    const write = <T>(work: (writer: HistoryWriter) => Promise<T>) => store.write(work)
    t.equal(await write((w) => w.writeTransitions('l', [transition('v2', '1'), transition('v3', '2')])), 1)
    t.equal(await write((w) => w.writeTransitions('l', [transition('v2', '3')])), 3)
    const told = (page: object) =>
      store.read((reader) => reader.listTransitions('l', { limit: 10, before: null, ...page }))
    t.strictSame(await told({ limit: 1 }), [{ sequence: 3, transition: transition('v2', '3') }])
    t.strictSame(
      (await told({ variant: 'v2' })).map(({ sequence }) => sequence),
      [3, 1],
    )
    t.strictSame(
      (await told({ before: 3 })).map(({ sequence }) => sequence),
      [2, 1],
    )

    await write((w) => w.writeChecks('l', [check('v2', false), check('v3', false)], at(1)))
    await write((w) => w.writeChecks('l', [check('v2', true)], at(2)))
    await write((w) => w.writeChecks('l', [], at(3)))
    const latest = await store.read((reader) => reader.latestChecks('l'))
    t.strictSame(
      latest.sort((one, other) => one.sequence - other.sequence),
      [
        { sequence: 2, createdAt: at(1), check: check('v3', false) },
        { sequence: 3, createdAt: at(2), check: check('v2', true) },
      ],
    )
    const page = { limit: 10, before: null, variant: 'v2' }
    const checks = await store.read((reader) => reader.listChecks('l', page))
    t.strictSame(
      checks.map(({ sequence }) => sequence),
      [3, 1],
    )
  })

  t.test(`${name}: more entries at once than a statement holds parameters`, async (t) => {
    const { store, sql } = await open(t)
    await ladderIn(store)
    const check = { variant: 'v2', rung: 'shadow', rampStep: null, passed: false, predicates: [] } as const
    const moved: Transition = {
      variant: 'v2',
      from: 'registered',
      to: 'shadow',
      share: 0,
      cause: 'override',
      predicates: [],
      live: pointer(1),
      actor: 'x',
      reason: null,
      at: at(1),
    }
    await store.write(async (writer) => {
      await writer.writeChecks('l', Array<RungCheck>(14_000).fill(check), at(1))
      await writer.writeTransitions('l', Array<Transition>(17_000).fill(moved))
    })
    for (const [table, rows] of [
      ['ladder_checks', 14_000],
      ['ladder_transitions', 17_000],
    ] as const) {
      const [counted] = await sql<{ rows: unknown; newest: unknown }>(
        `select count(*) as rows, max(sequence) as newest from ${table}`,
      )
      t.same([Number(counted?.rows), Number(counted?.newest)], [rows, rows], table)
    }
  })
}
