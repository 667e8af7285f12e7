import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { streamed } from '../../src/operations/streamed.js'

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

t.test('tells what was written, in order, and nothing twice', async (t) => {
  const produce = async (write: (item: number | undefined) => Promise<void>) => {
    for (const item of [1, 2, undefined, 3]) {
      await write(item)
      if (item === 2) await sleep(1)
    }
  }
  t.same(await collect(streamed(produce)), [1, 2, undefined, 3])
  t.same(await collect(streamed(async () => undefined)), [])
})

t.test('is not ahead of its consumer', async (t) => {
  let written = 0
  const items = streamed<number>(async (write) => {
    for (; written < 10; written++) await write(written)
  })
  await items.next()
  await sleep(5)
  t.equal(written, 0, 'the first item is still in hand')
  await items.next()
  await sleep(5)
  t.equal(written, 1)
  await items.return(undefined)
})

t.test('a failure comes after what was written before it', async (t) => {
  const seen: number[] = []
  const items = streamed<number>(async (write) => {
    await write(1)
    throw new Error('lost')
  })
  await t.rejects(
    (async () => {
      for await (const item of items) seen.push(item)
    })(),
    { message: 'lost' },
  )
  t.same(seen, [1])
  await t.rejects(collect(streamed(() => Promise.reject(new Error('at once')))), { message: 'at once' })
})

t.test('a consumer that goes ends the work, and waits for its end', async (t) => {
  let closed = false
  const items = streamed<number>(async (write) => {
    try {
      for (let i = 0; ; i++) await write(i)
    } finally {
      await sleep(5)
      closed = true
    }
  })
  for await (const item of items) if (item === 3) break
  t.ok(closed)

  closed = false
  const failing = streamed<number>(async (write) => {
    await write(1).catch(() => (closed = true))
    await t.rejects(write(2), 'also a later one')
  })
  await t.rejects(
    (async () => {
      for await (const _item of failing) throw new Error('of the consumer')
    })(),
    { message: 'of the consumer' },
  )
  t.ok(closed)
})
