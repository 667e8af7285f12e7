import t, { type Test } from 'tap'
import { RecordReader } from '../../src/record-reader/record-reader.js'
import { measure, MOST_AT_ONCE_MS } from '../support/longest-stretch.js'
import { body, DECLARED, FIELDS, form, post } from './support.js'
import { dial, listen, readAnswer } from './wire.js'

// A record of 30 MB takes seconds on a busy machine.
t.setTimeout(240_000)

const LINE = `${JSON.stringify({ metric: 'loss', series: [[0, 1]] })}\n`

function recordOf(megabytes: number): string {
  const lines: string[] = [LINE]
  for (let bytes = 0; bytes < megabytes * 1_000_000; bytes += lines.at(-1)!.length)
    lines.push(
      `${JSON.stringify({ metric: `m${lines.length}`, series: Array.from({ length: 5_000 }, (_none, step) => [step, step / 7]) })}\n`,
    )
  return lines.join('')
}

async function open(t: Test) {
  const reader = new RecordReader()
  t.teardown(() => reader.close())
  const memory: number[] = []
  const wire = await listen(t, {
    gatehouse: {
      planRecord: (source, declarations) => {
        if (source?.kind === 'parts') memory.push(source.parts[0]!.buffer.byteLength)
        return reader.plan(source, declarations)
      },
    },
  })
  return { ...wire, memory }
}

/** Sends a request over a socket; its body in pieces of this size, where it is to be of unknown length. */
async function send(t: Test, port: number, request: ReturnType<typeof form>, piece: number | null = null) {
  const socket = dial(t, port)
  const { payload } = request
  const length = piece === null ? `Content-Length: ${payload.length}` : 'Transfer-Encoding: chunked'
  socket.write(
    `POST ${request.url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: ${request.headers['content-type']}\r\n${length}\r\n\r\n`,
  )
  if (piece === null) socket.write(payload)
  else {
    for (let at = 0; at < payload.length; at += piece) {
      const bytes = payload.subarray(at, at + piece)
      socket.write(`${bytes.length.toString(16)}\r\n`)
      socket.write(bytes)
      socket.write('\r\n')
    }
    socket.write('0\r\n\r\n')
  }
  return readAnswer(socket, 10_000)
}

const dryRun = (record: string) =>
  form([...FIELDS, ['declarations', DECLARED], ['record', record]], '/v1/runs?dry_run=true')

t.test('nobody waits while a form of 30 MB arrives, is taken apart and read', async (t) => {
  const { port, memory } = await open(t)
  const request = dryRun(recordOf(30))
  // Others hold this process up now and then: what it can do shows in the best of some tries.
  let longest = Infinity
  for (let attempt = 0; attempt < 5 && longest >= MOST_AT_ONCE_MS; attempt++) {
    const { longestMs } = await measure(async () => {
      t.match(await send(t, port, request), /^HTTP\/1.1 200 [^]*"counts":\{"checks":1,"pass":0,/)
    })
    longest = Math.min(longest, longestMs)
  }
  t.comment(`the longest stretch ${longest.toFixed(1)} ms`)
  t.ok(longest < MOST_AT_ONCE_MS, `the loop stood still for ${longest.toFixed()} ms`)
  t.equal(memory[0], request.payload.length, 'its record lies in the memory that the body was put in')
})

t.test('a body is whole, however it comes', async (t) => {
  const { port, call } = await open(t)
  for (const megabytes of [0.03, 0.2, 1.5]) {
    const request = dryRun(recordOf(megabytes))
    const answers = [await send(t, port, request)]
    for (const piece of [1_000, 65_536, 300_000]) answers.push(await send(t, port, request, piece))
    const expected = checksOf((await call(request)).body)
    for (const answer of answers) t.same(checksOf(answer.slice(answer.indexOf('\r\n\r\n'))), expected)
  }
})

function checksOf(answer: string): unknown {
  const {
    counts,
    undeclared_metrics: undeclared,
    checks,
  } = JSON.parse(answer.trim()) as Record<string, unknown>
  return { counts, undeclared, checks }
}

t.test('a body that grows beyond the limit is refused as one that declares it', async (t) => {
  const { port } = await listen(t, { deps: { maxBodyBytes: 1_000_000 } })
  const request = dryRun(recordOf(1.5))
  for (const piece of [null, 65_536])
    t.match(await send(t, port, request, piece), /^HTTP\/1.1 413 [^]*larger than 1000000 bytes/)
})

t.test('a body of another length than was declared is no body', async (t) => {
  const { call } = await listen(t)
  const response = await call({ ...post(body()), headers: { 'content-length': '7' } })
  t.equal(response.statusCode, 400)
})

t.test('a large verdict is answered whole, and is the same when it is read back', async (t) => {
  const { call } = await listen(t)
  const series = Array.from({ length: 5_000 }, (_none, step) => [step, step / 7])
  const declarations = [{ metric_key: 'loss', steps: 'all', constraint: { rel_down: 0.5 } }]
  const given = await call(
    post(body({ cadence: 'nightly', declarations, record: [{ metric: 'loss', series }] })),
  )
  t.equal(given.statusCode, 201)
  t.equal(given.json<{ checks: unknown[] }>().checks.length, 5_000)
  t.equal(Number(given.headers['content-length']), given.rawPayload.length)
  const read = await call(given.headers.location!)
  t.equal(read.headers['content-type'], given.headers['content-type'])
  t.equal(read.body, given.body)
})
