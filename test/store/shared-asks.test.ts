import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { SharedAsks } from '../../src/store/shared-asks.js'

t.test('those who ask in one turn share the question; whoever comes later has one of his own', async (t) => {
  const asked: string[] = []
  let truth = 'good'
  const asks = new SharedAsks((key) => {
    asked.push(key)
    return Promise.resolve(`${key} is ${truth}`)
  })
  const early = [asks.ask('a'), asks.ask('a'), asks.ask('b')]
  for (let later = 0; later < 10; later++) await Promise.resolve()
  early.push(asks.ask('a'))
  t.same(asked, [], 'it is put when all of the turn have come')
  truth = 'revoked'
  t.same(await Promise.all(early), ['a is revoked', 'a is revoked', 'b is revoked', 'a is revoked'])
  t.same(asked, ['a', 'b'])

  truth = 'good again'
  t.equal(await asks.ask('a'), 'a is good again', 'nothing is kept')
  t.same(asked, ['a', 'b', 'a'])
})

t.test('a question under way is not shared with those who come while it is', async (t) => {
  let answer: (text: string) => void = () => undefined
  const asks = new SharedAsks(() => new Promise<string>((resolve) => (answer = resolve)))
  const first = asks.ask('a')
  await turn()
  await turn()
  const answerFirst = answer
  const second = asks.ask('a')
  await turn()
  await turn()
  t.not(answer, answerFirst, 'it was put again')
  answer('new')
  answerFirst('old')
  t.same(await Promise.all([first, second]), ['old', 'new'])
})

t.test('a failure is that of all who share it, and of nobody else', async (t) => {
  let fails = true
  const asks = new SharedAsks(() =>
    fails ? Promise.reject(new Error('no database')) : Promise.resolve('there'),
  )
  const both = [asks.ask('a'), asks.ask('a')]
  for (const one of both) await t.rejects(one, /no database/)
  fails = false
  t.equal(await asks.ask('a'), 'there')
})
