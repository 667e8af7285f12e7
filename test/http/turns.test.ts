import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Turns } from '../../src/http/turns.js'

t.test('work begins within the budget, the rest waits in order', async (t) => {
  const turns = new Turns(10, 5_000)
  const begun: string[] = []
  const enter = async (name: string, cost: number) => {
    const turn = await turns.enter(cost)
    begun.push(name)
    return turn
  }
  const [a, b] = await Promise.all([enter('a', 6), enter('b', 4)])
  const large = enter('large', 9)
  const tiny = enter('tiny', 1)
  await sleep(5)
  t.same(begun, ['a', 'b'], 'what would fit does not overtake')
  a.cost(1)
  await sleep(5)
  t.same(begun, ['a', 'b'], 'what is left of a still counts')
  b.cost(0)
  await sleep(5)
  t.same(begun, ['a', 'b', 'large'])
  a.cost(0)
  ;(await large).cost(0)
  ;(await tiny).cost(0)
  t.same(begun, ['a', 'b', 'large', 'tiny'])
})

t.test('one piece of work may always run', async (t) => {
  const turns = new Turns(10, 5_000)
  const first = await turns.enter(1_000)
  const next = turns.enter(1)
  first.cost(0)
  ;(await next).cost(0)
  t.pass()
})

t.test('what waits in vain is refused, and no longer in the way', async (t) => {
  const turns = new Turns(10, 30)
  const first = await turns.enter(8)
  const refused = turns.enter(9)
  await sleep(10)
  const small = turns.enter(2)
  await t.rejects(refused, { code: 'unavailable' })
  ;(await small).cost(0)
  first.cost(0)
  ;(await turns.enter(10)).cost(0)
})
