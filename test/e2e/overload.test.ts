import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { FIELDS, form } from '../http/support.js'
import { startServer, temporaryFolder } from '../support/server.js'

const MIB = 1_024 * 1_024
const BODY = 8 * MIB
const CLIENTS = 60

/** A submission that is large to hold and cheap to judge. */
function largeSubmission() {
  const line = (note: string) => `{"metric": "loss", "series": [[0, 1]], "note": "${note}"}\n`
  const lines = line('x'.repeat(1_000)).repeat(Math.floor(BODY / 1_060))
  return form([...FIELDS, ['declarations', '[]'], ['record', lines]])
}

/** Sends a whole upload as fast as the server takes it; answers the head of what comes back, or why nothing does. */
function upload(port: number, { headers, payload }: ReturnType<typeof largeSubmission>): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', (error) => resolve(String(error)))
    socket.on('close', () => resolve('closed without an answer'))
    socket.once('data', (chunk) => {
      resolve(chunk.toString('latin1'))
      socket.destroy()
    })
    socket.write(
      `POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${headers['content-type']}\r\nContent-Length: ${payload.length}\r\n\r\n`,
    )
    socket.write(payload)
  })
}

t.test(
  'many large uploads at once: bounded memory, refusals that say when to come again, a live server',
  async (t) => {
    const server = await startServer(
      { DATABASE_URL: `sqlite:${join(temporaryFolder(t), 'gatehouse.db')}`, MAX_BODY_MIB: '9' },
      // Budgets are shares of the heap's limit: some 60 MiB of bodies here.
      { nodeArgs: ['--max-old-space-size=192'] },
    )
    t.teardown(() => server.stop('SIGKILL'))
    const port = Number(new URL(server.url).port)
    const submission = largeSubmission()
    t.ok(submission.payload.length > 0.9 * BODY)
    t.match(await upload(port, submission), /^HTTP\/1.1 200 /, 'one alone is taken')
    const before = peakMemory(server.process.pid!)

    let isOver = false
    const slowest = { ms: 0 }
    const probing = (async () => {
      for (let probes = 0; ; probes++) {
        const begun = performance.now()
        t.equal((await fetch(`${server.url}/healthz`)).status, 200)
        slowest.ms = Math.max(slowest.ms, performance.now() - begun)
        if (isOver) return probes
        await sleep(50)
      }
    })()
    const answers = await Promise.all(Array.from({ length: CLIENTS }, () => upload(port, submission)))
    isOver = true
    t.ok((await probing) > 0)

    const taken = answers.filter((answer) => answer.startsWith('HTTP/1.1 200 ')).length
    const refused = answers.filter((answer) => /^HTTP\/1.1 503 [^]*retry-after: \d+/i.test(answer)).length
    t.same(
      answers.filter((answer) => !/^HTTP\/1.1 (?:200|503) /.test(answer)),
      [],
    )
    t.equal(taken + refused, CLIENTS)
    t.ok(taken >= 3, `${taken} were taken`)
    t.ok(refused > 0, `${refused} were refused`)
    const peak = peakMemory(server.process.pid!)
    t.comment(
      `${taken} taken, ${refused} refused; peak ${peak} MiB after ${before} alone; probe ${slowest.ms | 0} ms`,
    )
    // Twice the budget, for the pieces and the whole; without it the same clients took it to 390 MiB.
    t.ok(peak - before < 200, `${peak - before} MiB more; all bodies together are ${(CLIENTS * BODY) / MIB}`)
    t.ok(slowest.ms < 5_000, `the slowest probe took ${slowest.ms} ms`)

    t.match(await upload(port, submission), /^HTTP\/1.1 200 /, 'afterwards there is room again')
    t.equal(await server.stop(), 0)
  },
)

/** The most memory that a process ever held, in MiB. */
function peakMemory(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kib) / 1_024)
}
