import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startServer, temporaryFolder, type Server } from '../support/server.js'
import { fuzzRequest, type FuzzRequest } from './fuzz-requests.js'
import { body } from './support.js'

/**
 * Twenty thousand hostile submissions to a real process: no 500, no crash, no answer that takes a second, and memory
 * back to where it was. FUZZ_SEED repeats a run; FUZZ_REQUESTS makes it longer.
 */
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 20_000)
const WARM_UP = 2_000
const LANES = 8
const SLOW_MS = 1_000
/** Beyond this a request hangs. */
const DEADLINE_MS = 30_000
const MIB = 1_024 * 1_024

t.setTimeout(400_000)

/** A connection kept alive as long as the server keeps it, with one request on it at a time. */
class Lane {
  readonly #port: number
  #socket: Socket | null = null

  constructor(port: number) {
    this.#port = port
  }

  /** The status of the answer; null where the server closed without one. Rejects after the deadline. */
  async send({ bytes, isSound }: FuzzRequest): Promise<number | null> {
    const reused = this.#socket !== null
    const { status, isOpen } = await this.#exchange(bytes, isSound)
    if (!isOpen || !isSound) this.close()
    // The server may close an idle connection just as the next request is written.
    if (status === null && isSound && reused) return this.send({ kind: '', bytes, isSound })
    return status
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = null
  }

  #exchange(bytes: Buffer, isSound: boolean): Promise<{ status: number | null; isOpen: boolean }> {
    const socket = (this.#socket ??= connect(this.#port, '127.0.0.1').setNoDelay(true))
    return new Promise((resolve, reject) => {
      let text = ''
      const timer = setTimeout(() => settle(() => reject(new Error('no answer'))), DEADLINE_MS)
      const settle = (end: () => void) => {
        clearTimeout(timer)
        socket.removeAllListeners('data').removeAllListeners('close')
        end()
      }
      const answered = (isOpen: boolean) => {
        const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]
        settle(() => resolve({ status: status === undefined ? null : Number(status), isOpen }))
      }
      if (socket.listenerCount('error') === 0) socket.on('error', () => undefined)
      socket.on('close', () => answered(false))
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1')
        const head = text.indexOf('\r\n\r\n')
        if (head === -1) return
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0)
        if (text.length >= head + 4 + length) answered(!/\r\nconnection: close/i.test(text.slice(0, head)))
      })
      socket.write(bytes)
      // What was cut off ends here.
      if (!isSound) socket.end()
    })
  }
}

interface Slow {
  readonly number: number
  readonly kind: string
}

/** Sends the requests `from` to `to` - 1 over some lanes at once. */
async function sendAll(port: number, from: number, to: number) {
  const statuses = new Map<string, number>()
  const faults: string[] = []
  const slow: Slow[] = []
  let next = from
  const work = async () => {
    const lane = new Lane(port)
    while (next < to) {
      const number = next++
      const request = fuzzRequest(SEED, number)
      const begun = performance.now()
      const status = await lane.send(request).catch((error: unknown) => String(error))
      if (performance.now() - begun > SLOW_MS) slow.push({ number, kind: request.kind })
      statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1)
      const isGood = typeof status === 'number' ? status < 500 : status === null && !request.isSound
      if (!isGood) faults.push(`request ${number} (${request.kind}): ${status}`)
    }
    lane.close()
  }
  await Promise.all(Array.from({ length: LANES }, work))
  return { statuses, faults, slow }
}

/** Slow beside seven others on a busy machine says little; slow three times alone does. */
async function slowAlone(port: number, { number, kind }: Slow): Promise<string | null> {
  let fastest = Infinity
  for (let i = 0; i < 3 && fastest > SLOW_MS; i++) {
    const lane = new Lane(port)
    const begun = performance.now()
    await lane.send(fuzzRequest(SEED, number)).catch(() => null)
    fastest = Math.min(fastest, performance.now() - begun)
    lane.close()
  }
  return fastest > SLOW_MS ? `request ${number} (${kind}) takes ${Math.round(fastest)} ms alone` : null
}

/** What the process keeps: its heap and its buffers, in MiB, with all garbage collected. */
async function kept({ url, process: child }: Server): Promise<number> {
  await sleep(500)
  child.kill('SIGWINCH')
  await sleep(500)
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const figure = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1])
  return (figure('nodejs_heap_size_used_bytes') + figure('nodejs_external_memory_bytes')) / MIB
}

t.test(`${REQUESTS} hostile requests (FUZZ_SEED=${SEED})`, async (t: Test) => {
  const server = await startServer(
    // The address is told at level info; refusals are, too.
    { DATABASE_URL: `sqlite:${join(temporaryFolder(t), 'gatehouse.db')}`, LOG_LEVEL: 'info' },
    { nodeArgs: [`--import=${new URL('../support/collect-garbage.js', import.meta.url).href}`] },
  )
  t.teardown(() => server.stop('SIGKILL'))
  const port = Number(new URL(server.url).port)

  await sendAll(port, 0, WARM_UP)
  const before = await kept(server)
  const begun = performance.now()
  const { statuses, faults, slow } = await sendAll(port, WARM_UP, WARM_UP + REQUESTS)
  const seconds = (performance.now() - begun) / 1_000
  const hangs: string[] = []
  for (const request of slow) {
    const found = await slowAlone(port, request)
    if (found !== null) hangs.push(found)
  }
  const after = await kept(server)

  t.comment(
    `${Math.round(seconds)} s; ${slow.length} slow beside others; kept ${before.toFixed(1)}, then ${after.toFixed(1)} MiB`,
  )
  t.comment(JSON.stringify(Object.fromEntries(statuses)))
  t.equal(
    [...statuses.values()].reduce((sum, count) => sum + count, 0),
    REQUESTS,
  )
  t.same(faults.slice(0, 20), [], 'no 500, and an answer to every whole request')
  t.same(hangs, [], 'none takes over a second')
  for (const status of ['200', '400', '413', '422'])
    t.ok((statuses.get(status) ?? 0) > 0, `some were answered ${status}`)
  t.ok(after - before < 12, `memory is back: ${before.toFixed(1)} MiB before, ${after.toFixed(1)} after`)
  t.same(
    server.log.filter((line) => /"level":[56]0/.test(line)),
    [],
    'nothing that the service itself calls a fault',
  )
  const submitted = await fetch(`${server.url}/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body({ cadence: 'nightly' })),
  })
  t.equal(submitted.status, 201, 'and it still works')
  t.equal(await server.stop(), 0)
})
