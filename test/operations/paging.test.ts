import t from 'tap'
import { isText, isTimestamp, newestFirst, readPage } from '../../src/operations/paging.js'

interface Row {
  readonly createdAt: string
  readonly id: string
}

const ROWS = [3, 2, 1].map((second) => ({
  createdAt: `2026-11-01T00:00:0${second}.000000Z`,
  id: `r${second}`,
}))

function page(cursor: string | null, list: [string, object] = ['rows', {}]) {
  return readPage<Row, Row, string>(
    list,
    { limit: 1, cursor },
    newestFirst((row) => row),
    ({ limit, after }) => {
      const from = after === null ? 0 : ROWS.findIndex(({ id }) => id === after.id) + 1
      return Promise.resolve(ROWS.slice(from, from + limit))
    },
    ({ id }) => id,
  )
}

t.test('a list is read to its end', async (t) => {
  const seen: string[] = []
  for (let cursor: string | null = null; ;) {
    const { items, next_cursor } = await page(cursor)
    seen.push(...items)
    if (next_cursor === null) break
    cursor = next_cursor
  }
  t.same(seen, ['r3', 'r2', 'r1'])
})

t.test('a cursor that was changed in any place is none', async (t) => {
  const { next_cursor: cursor } = await page(null)
  for (let i = 0; i <= cursor!.length; i++) {
    for (const changed of [
      `${cursor!.slice(0, i)}${cursor![i] === 'x' ? 'y' : 'x'}${cursor!.slice(i + 1)}`,
      `${cursor!.slice(0, i)}!${cursor!.slice(i)}`,
      cursor!.slice(0, i),
    ]) {
      if (changed !== cursor) await t.rejects(page(changed), { code: 'bad_cursor' }, changed)
    }
  }
})

t.test('a cursor belongs to its list', async (t) => {
  const { next_cursor: cursor } = await page(null)
  await t.rejects(page(cursor, ['others', {}]), { code: 'bad_cursor' })
  await t.rejects(page(cursor, ['rows', { trusted: true }]), { code: 'bad_cursor', detail: /other filters/ })
})

t.test('only what both databases can compare with is a part of a cursor', async (t) => {
  t.ok(isTimestamp('2026-11-01T00:00:00.000001Z'))
  for (const part of [
    '2026-02-30T00:00:00.000000Z',
    '0000-01-01T00:00:00.000000Z',
    '2026-01-01T24:00:00.000000Z',
    '2026-01-01T00:00:00Z',
    7,
  ])
    t.notOk(isTimestamp(part), String(part))
  t.ok(isText(''))
  for (const part of ['a\0', '\ud800', 7, null]) t.notOk(isText(part))
})
