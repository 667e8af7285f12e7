import fc from 'fast-check'
import t from 'tap'
import { FirstItems } from '../../src/evals/first-items.js'

function listed(items: readonly number[], limit: number, compare?: (a: number, b: number) => number) {
  const first = new FirstItems<number>(limit, compare ?? null)
  for (const item of items) first.push(item)
  return first.list()
}

t.test('the first items as they came, or by an order, and how many there were', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 })), fc.integer({ min: 0, max: 6 }), (items, limit) => {
      const ascending = (a: number, b: number) => a - b
      const cases = [
        [listed(items, limit), items.slice(0, limit)],
        [listed(items, limit, ascending), [...items].sort(ascending).slice(0, limit)],
      ] as const
      return cases.every(
        ([list, wanted]) =>
          list.total === items.length && JSON.stringify(list.items) === JSON.stringify(wanted),
      )
    }),
  )
  t.pass('nothing was lost')
})
