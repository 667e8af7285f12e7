/** Grids, eval runs and comparisons. */
import { createHash } from 'node:crypto'
import t from 'tap'
import type { ItemPiece, NewEvalRun, NewEvalVerdict } from '../../src/store/evals.js'
import { NotStorable } from '../../src/store/write-checks.js'
import type { Backend } from './contract.js'
import { allPages, at, FIRST_PAGE } from './fixtures.js'

const HASH = createHash('sha256').update('x').digest('hex')
const LONGEST = '𝕬'.repeat(512)

function evalRun(name: string, fields: Partial<NewEvalRun> = {}): NewEvalRun {
  return {
    evalRunId: `id-${name.slice(0, 20)}`,
    name,
    createdAt: at(0),
    actor: 'token:ci',
    contentHash: HASH,
    head: '{"judge":null}',
    questions: 2,
    ...fields,
  }
}

function evalVerdict(evalId: string, fields: Partial<NewEvalVerdict> = {}): NewEvalVerdict {
  return {
    evalId,
    kind: 'grid',
    createdAt: at(0),
    name: null,
    outcome: 'fail',
    actor: 'token:ci',
    head: '{ "a": 1 }',
    detail: '{"b":[]}',
    ...fields,
  }
}

/** Two items a piece. */
function pieces(count: number): ItemPiece[] {
  return Array.from({ length: count }, (_none, index) => ({
    position: index * 2,
    items: `[${index * 2},"\\u0000${index * 2 + 1}"]`,
  }))
}

export function evalContract({ name, open }: Backend): void {
  t.test(`${name}: an eval run is found by exactly its name, with its questions in order`, async (t) => {
    const { store } = await open(t)
    const names = ['main', 'Main', 'main ', '__proto__', LONGEST, 'ünï/…']
    await store.write(async (writer) => {
      for (const [index, one] of names.entries()) {
        const run = evalRun(one, { evalRunId: `r${index}`, createdAt: at(index, 7) })
        t.equal(await writer.writeEvalRun(run, pieces(index === 0 ? 11 : 0)), true, one.slice(0, 20))
      }
    })
    await store.read(async (reader) => {
      for (const [index, one] of names.entries()) {
        const expected = evalRun(one, { evalRunId: `r${index}`, createdAt: at(index, 7) })
        t.strictSame(await reader.findEvalRun(one), { ...expected, deleted: null })
      }
      t.equal(await reader.findEvalRun('MAIN'), null)
      t.strictSame(await reader.evalRunQuestions('r0'), pieces(11), 'also beyond nine pieces')
      t.strictSame(await reader.evalRunQuestions('r1'), [])
    })
  })

  t.test(`${name}: a name is taken once, also after a deletion`, async (t) => {
    const { store } = await open(t)
    const write = (id: string) =>
      store.write((writer) => writer.writeEvalRun(evalRun('a', { evalRunId: id }), pieces(1)))
    t.equal(await write('first'), true)
    t.equal(await write('second'), false)
    const deletion = { createdAt: at(5), actor: 'token:boss' }
    await store.write((writer) => writer.writeEvalRunDeletion('first', deletion))
    await store.write((writer) => writer.writeEvalRunDeletion('first', { createdAt: at(6), actor: 'x' }))
    t.equal(await write('third'), false)
    const kept = await store.read((reader) => reader.findEvalRun('a'))
    t.strictSame(
      kept,
      { ...evalRun('a', { evalRunId: 'first' }), deleted: deletion },
      'the first of each stands',
    )
    t.strictSame(await store.read((reader) => reader.evalRunQuestions('second')), [])
    t.strictSame(await store.read((reader) => reader.listEvalRuns(FIRST_PAGE)), [])
  })

  t.test(`${name}: of two that take a name at once, one has it`, async (t) => {
    const { store, openAnother } = await open(t)
    const another = await openAnother()
    const written = await Promise.all(
      Array.from({ length: 8 }, (_none, index) =>
        (index % 2 === 0 ? store : another).write((writer) =>
          writer.writeEvalRun(evalRun('a', { evalRunId: `r${index}` }), pieces(3)),
        ),
      ),
    )
    t.equal(written.filter(Boolean).length, 1)
    const kept = await store.read((reader) => reader.findEvalRun('a'))
    t.equal(kept?.evalRunId, `r${written.indexOf(true)}`)
  })

  t.test(`${name}: eval runs are listed newest first, page by page`, async (t) => {
    const { store } = await open(t)
    const order = ['r5', 'r4', 'r3b', 'r3a', 'r1']
    await store.write(async (writer) => {
      for (const id of [...order, 'gone'].sort()) {
        const createdAt = at(id === 'gone' ? 2 : Number(id[1]))
        await writer.writeEvalRun(evalRun(id, { evalRunId: id, createdAt }), [])
      }
      await writer.writeEvalRunDeletion('gone', { createdAt: at(9), actor: 'x' })
    })
    const listed = await allPages(
      store,
      2,
      (reader, page) => reader.listEvalRuns(page),
      ({ evalRunId }) => evalRunId,
    )
    t.strictSame(
      listed.map(({ evalRunId }) => evalRunId),
      order,
    )
  })

  t.test(`${name}: a grid and a comparison keep their documents to the byte`, async (t) => {
    const { store } = await open(t)
    const grid = evalVerdict('g', { name: 'nightly “x”', createdAt: at(1, 7) })
    const comparison = evalVerdict('c', { kind: 'comparison', outcome: null, createdAt: at(2) })
    await store.write(async (writer) => {
      await writer.writeEvalVerdict(grid, pieces(5))
      await writer.writeEvalVerdict({ ...grid, head: '{}' }, pieces(1))
      await writer.writeEvalVerdict(comparison, [])
    })
    await store.read(async (reader) => {
      const { evalId, createdAt, head, detail } = grid
      t.strictSame(await reader.findEvalVerdict('grid', 'g'), { evalId, createdAt, head, detail })
      t.equal(await reader.findEvalVerdict('comparison', 'g'), null, 'of its own kind alone')
      t.equal(await reader.findEvalVerdict('grid', 'c'), null)
      t.equal((await reader.findEvalVerdict('comparison', 'c'))?.createdAt, at(2))
      t.strictSame(await reader.listEvalVerdicts('grid', FIRST_PAGE), [{ evalId, createdAt, head }])
      t.strictSame(await reader.gridRows('g', 0, 9), pieces(5))
      t.strictSame(await reader.gridRows('g', 3, 2), pieces(5).slice(1, 3), 'the piece that holds the place')
      t.strictSame(await reader.gridRows('g', 4, 1), pieces(5).slice(2, 3))
      t.strictSame(await reader.gridRows('g', 99, 9), pieces(5).slice(4), 'the last one, past the end')
      t.strictSame(await reader.gridRows('none', 0, 9), [])
    })
  })

  t.test(`${name}: verdicts are listed newest first, page by page, by kind`, async (t) => {
    const { store } = await open(t)
    await store.write(async (writer) => {
      for (const [id, second] of [
        ['b', 2],
        ['a', 2],
        ['c', 1],
        ['d', 3],
      ] as const)
        await writer.writeEvalVerdict(evalVerdict(id, { createdAt: at(second) }), [])
      await writer.writeEvalVerdict(evalVerdict('x', { kind: 'comparison', createdAt: at(2) }), [])
    })
    const listed = await allPages(
      store,
      1,
      (reader, page) => reader.listEvalVerdicts('grid', page),
      ({ evalId }) => evalId,
    )
    t.strictSame(
      listed.map(({ evalId }) => evalId),
      ['d', 'b', 'a', 'c'],
    )
  })

  t.test(`${name}: a key stands for its answer, for its owner alone`, async (t) => {
    const { store } = await open(t)
    const key = { owner: 'token:1', key: 'grid:build 7' }
    await store.write(async (writer) => {
      await writer.lockSubmissionKey(key)
      t.equal(await writer.findEvalKey(key), null)
      await writer.writeEvalVerdict(evalVerdict('g'), [])
      await writer.writeEvalKey(key, { evalId: 'g', contentHash: HASH, createdAt: at(1) })
    })
    await store.read(async (reader) => {
      t.strictSame(await reader.findEvalKey(key), { evalId: 'g', contentHash: HASH })
      t.equal(await reader.findEvalKey({ ...key, owner: 'token:2' }), null)
    })
    const again = store.write((writer) =>
      writer.writeEvalKey(key, { evalId: 'g', contentHash: HASH, createdAt: at(2) }),
    )
    await t.rejects(again, 'a key has one answer')
  })

  t.test(`${name}: what cannot be kept is refused before anything is written`, async (t) => {
    const { store } = await open(t)
    const refuse = (work: Parameters<typeof store.write<unknown>>[0], why: string) =>
      t.rejects(store.write(work), NotStorable, why)
    await refuse((writer) => writer.writeEvalRun(evalRun(`${LONGEST}x`), []), 'a name past an index entry')
    await refuse((writer) => writer.writeEvalRun(evalRun('a\0'), []), 'NUL')
    await refuse((writer) => writer.writeEvalRun(evalRun('a', { contentHash: 'x' }), []), 'no hash')
    await refuse((writer) => writer.writeEvalVerdict(evalVerdict('g', { name: '\ud800' }), []), 'a surrogate')
    await refuse((writer) => writer.writeEvalVerdict(evalVerdict('g', { createdAt: 'now' }), []), 'a time')
    await refuse(
      (writer) => writer.writeEvalRunDeletion('a', { createdAt: at(0), actor: '\0' }),
      'NUL in an actor',
    )
    t.strictSame(await store.read((reader) => reader.listEvalVerdicts('grid', FIRST_PAGE)), [])
  })
}
