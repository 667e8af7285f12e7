import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { accepted } from '../../src/gate/outcome.js'
import { missingHeap } from '../../src/http/plugins/memory.js'
import { body, post } from './support.js'
import { dial, listen, readAnswer, type Wire } from './wire.js'

const BUDGETS = { deps: { memory: { bytesInFlight: 1_000_000 }, maxBodyBytes: 2_000_000 } }

t.test('a heap that one body of the largest size could exhaust is told', async (t) => {
  const mib = 1_048_576
  t.equal(missingHeap(32 * mib, 2_096 * mib), null)
  const wanted = missingHeap(32 * mib, 512 * mib)
  t.ok(wanted !== null && wanted > 1_024 * mib && wanted < 2_048 * mib)
  t.equal(missingHeap(1 * mib, 512 * mib), null)
})

/** A submission of about this size. */
function submission(bytes: number): string {
  const text = JSON.stringify(body({ record: [{ metric: 'loss', series: [[0, 1]], note: '' }] }))
  return text.replace('"note":""', `"note":"${'x'.repeat(bytes - text.length)}"`)
}

/** Sends the head of a submission and so much of its body; answers how to send the rest. */
function begin(t: Test, { port }: Wire, text: string, sent: number, chunked = false) {
  const socket = dial(t, port)
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${text.length}`
  socket.write(
    `POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
  )
  socket.write(text.slice(0, sent))
  return {
    socket,
    answer: readAnswer(socket),
    finish: () => socket.write(text.slice(sent)),
  }
}

async function bytesInFlight({ call }: Wire): Promise<number> {
  const [, held] = /^gatehouse_bytes_in_flight (\d+)$/m.exec((await call('/metrics')).body) ?? []
  return Number(held)
}

async function until(t: Test, condition: () => Promise<boolean>, what: string): Promise<void> {
  for (let i = 0; i < 250 && !(await condition()); i++) await sleep(20)
  t.ok(await condition(), what)
}

t.test('beyond the budget an upload is refused before it is read; what is in flight finishes', async (t) => {
  const wire = await listen(t, BUDGETS)
  const first = begin(t, wire, submission(900_000), 10_000)
  await until(t, async () => (await bytesInFlight(wire)) === 900_000, 'counted by its declared length')

  const second = begin(t, wire, submission(200_000), 0)
  const refused = await second.answer
  t.match(refused, /^HTTP\/1.1 503 /, 'not a byte of its body was sent')
  t.match(refused, /retry-after: \d+/i)
  t.match(refused, /urn:gatehouse:problem:unavailable/)
  t.equal((await wire.call('/healthz')).statusCode, 200)
  t.equal((await wire.call('/v1/runs')).statusCode, 200, 'what needs no room is taken')
  t.equal((await wire.call(post(body()))).statusCode, 200, 'and what there is room for')
  t.match((await wire.call('/metrics')).body, /refused_total\{reason="bytes_in_flight"\} 1/)

  first.finish()
  t.match(await first.answer, /^HTTP\/1.1 200 /)
  await until(t, async () => (await bytesInFlight(wire)) === 0, 'given back')
  const again = begin(t, wire, submission(200_000), 200_000)
  t.match(await again.answer, /^HTTP\/1.1 200 /)
})

t.test('large uploads leave room for small ones, however many there are', async (t) => {
  const wire = await listen(t, BUDGETS)
  begin(t, wire, submission(400_000), 10_000)
  await until(t, async () => (await bytesInFlight(wire)) === 400_000, 'one is under way')
  t.match(
    await begin(t, wire, submission(400_000), 0).answer,
    /^HTTP\/1.1 503 /,
    'two would leave too little',
  )
  const small = submission(250_000)
  t.match(await begin(t, wire, small, small.length).answer, /^HTTP\/1.1 200 /)
})

t.test('one request is taken always, whatever its size', async (t) => {
  const wire = await listen(t, BUDGETS)
  const text = submission(1_900_000)
  t.match(await begin(t, wire, text, text.length).answer, /^HTTP\/1.1 200 /)
})

t.test('a body of unknown length counts as the largest until it is there', async (t) => {
  const wire = await listen(t, BUDGETS)
  const first = begin(t, wire, '', 0, true)
  await until(t, async () => (await bytesInFlight(wire)) === 2_000_000, 'as the largest that is taken')
  t.match(await begin(t, wire, submission(1_000), 0).answer, /^HTTP\/1.1 503 /)
  const text = submission(1_000)
  first.socket.write(`${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`)
  t.match(await first.answer, /^HTTP\/1.1 200 /)
  await until(t, async () => (await bytesInFlight(wire)) === 0, 'given back')
})

t.test('a client that goes away gives back what it held, but not before the work for it ends', async (t) => {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => (finish = resolve))
  const wire = await listen(t, {
    ...BUDGETS,
    gatehouse: { readPython: () => finished.then(() => accepted([])) },
  })
  const half = begin(t, wire, submission(900_000), 10_000)
  await until(t, async () => (await bytesInFlight(wire)) === 900_000, 'held')
  half.socket.destroy()
  await until(
    t,
    async () => (await bytesInFlight(wire)) === 0,
    'a body that never came is given back at once',
  )

  const { declarations: _, ...rest } = body()
  const text = JSON.stringify({ ...rest, test_source: 'x = 1' })
  const whole = begin(t, wire, text, text.length)
  await until(t, async () => (await bytesInFlight(wire)) === text.length, 'held')
  whole.socket.destroy()
  await sleep(200)
  t.equal(await bytesInFlight(wire), text.length, 'its work goes on')
  finish()
  await until(t, async () => (await bytesInFlight(wire)) === 0, 'given back')
})

t.test('a declared length beyond the limit holds nothing', async (t) => {
  const wire = await listen(t, BUDGETS)
  const waiting = begin(t, wire, submission(900_000), 0)
  await until(t, async () => (await bytesInFlight(wire)) === 900_000, 'held')
  t.match(await begin(t, wire, submission(3_000_000), 0).answer, /^HTTP\/1.1 413 /, 'the truer answer')
  waiting.socket.destroy()
})

t.test('bodies that have arrived are worked on by turns', async (t) => {
  let atOnce = 0
  let most = 0
  const wire = await listen(t, {
    // One is taken always.
    deps: { memory: { work: 1 } },
    gatehouse: {
      readPython: async () => {
        most = Math.max(most, ++atOnce)
        await sleep(50)
        atOnce--
        return accepted([])
      },
    },
  })
  const parse = () => wire.call(post({ test_source: 'x = 1' }, '/v1/declarations/parse'))
  const answers = await Promise.all(Array.from({ length: 5 }, parse))
  t.same(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200]))
  t.equal(most, 1)
})
