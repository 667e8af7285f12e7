import t from 'tap'
import { GatehouseError } from '../../src/errors.js'
import { Thread } from '../../src/thread/thread.js'

type Question = string | Uint8Array

// A thread alone keeps no process alive.
const holding = setInterval(() => undefined, 1_000)
t.teardown(() => clearInterval(holding))

function open(t: { teardown(work: () => Promise<void>): void }, script = './worker-of-test.js') {
  const thread = new Thread<Question, unknown>(new URL(script, import.meta.url), 'the sum')
  t.teardown(() => thread.close())
  return thread
}

t.test('each question gets its own answer', async (t) => {
  const thread = open(t)
  const asked = ['a', 'b', 'c'].map((question) => thread.ask(question))
  t.same(await Promise.all(asked), ['A', 'B', 'C'])
})

t.test('memory may be given away with a question', async (t) => {
  const thread = open(t)
  const bytes = new Uint8Array(7)
  t.equal(await thread.ask(bytes), 7)
  t.equal(bytes.length, 7, 'kept, where nothing is said')
  t.equal(await thread.ask(bytes, [bytes.buffer]), 7)
  t.equal(bytes.length, 0)
})

t.test('what the work refuses is refused here as there', async (t) => {
  const thread = open(t)
  const refused = (await thread.ask('refuse').catch((error: unknown) => error)) as GatehouseError
  t.type(refused, GatehouseError)
  t.match(refused, { code: 'invalid_input', status: 422, detail: 'here: is wrong' })
  t.same(refused.faults, [{ where: 'here', message: 'is wrong' }])
  await t.rejects(thread.ask('conflict'), { code: 'idempotency_conflict', faults: [] })
  await t.rejects(thread.ask('break'), { message: 'the sum could not be worked on: a bug' })
  t.equal(await thread.ask('after'), 'AFTER')
})

t.test('a thread that ends refuses what waits, and the next question starts another', async (t) => {
  const thread = open(t)
  const waiting = [thread.ask('end'), thread.ask('a')]
  for (const one of await Promise.allSettled(waiting))
    t.match(one, { status: 'rejected', reason: { code: 'unavailable', detail: /the sum .* broke down/ } })
  t.equal(await thread.ask('b'), 'B')
})

t.test('one that does not start is unavailable, and no end of the process', async (t) => {
  const thread = open(t, './no-such-worker.js')
  await t.rejects(thread.ask('a'), { code: 'unavailable' })
  await t.rejects(thread.ask('a'), { code: 'unavailable' })
})

t.test('closed, it refuses what waits and what comes', async (t) => {
  const thread = open(t)
  const waiting = t.rejects(thread.ask('a'), { code: 'unavailable', detail: /shutting down/ })
  await thread.close()
  await waiting
  await t.rejects(thread.ask('a'), { code: 'unavailable' })
})
