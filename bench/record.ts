/** (f) Reading a record of 30 MB beside `JSON.parse` of it, and who waits meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../test/support/server.js'
import { planRecord } from '../src/operations/plan-record.js'
import { Client, timesOf } from './client.js'
import { median, type Figure } from './report.js'
import { withTarget, type BackendName, type Target } from './targets.js'
import { seed, submissionBody, testPath } from './workload.js'

const MEGABYTES = 30
const LOOP_DELAY = new URL('./loop-delay.js', import.meta.url).href

/** Lines of 5,000 points each. */
function recordText(): string {
  const lines: string[] = []
  for (let bytes = 0, index = 0; bytes < MEGABYTES * 1_000_000; index++) {
    const series = Array.from({ length: 5_000 }, (_none, step) => [step, Math.sin(step + index) * 100])
    const line = JSON.stringify({ metric: `metric/${index}`, series })
    lines.push(line)
    bytes += line.length + 1
  }
  return `${lines.join('\n')}\n`
}

export async function record(backend: BackendName): Promise<Figure[]> {
  const text = recordText()
  const figures: Figure[] = []
  if (backend === 'sqlite') {
    const bytes = Buffer.from(text)
    const lines = text.trimEnd().split('\n')
    const times = { read: [] as number[], parsed: [] as number[] }
    for (let round = 0; round < 3; round++) {
      const read = () => Promise.resolve(planRecord({ kind: 'parts', parts: [bytes] }, []))
      times.read.push(...(await timesOf(read, 2, 1)))
      times.parsed.push(
        ...(await timesOf(() => Promise.resolve(lines.map((line) => JSON.parse(line) as unknown)), 2, 1)),
      )
    }
    figures.push({
      group: 'f a record of 30 MB',
      backend: '-',
      what: 'read, merged, hashed',
      value: median(times.read),
      unit: 'ms',
      rival: { what: 'JSON.parse', value: median(times.parsed) },
      target: { atMost: 1.6 },
    })
  }
  figures.push(await withTarget(backend, (target) => heldUp(target, text), [`--import=${LOOP_DELAY}`]))
  return figures
}

/** How long the server's event loop is held up while it reads large records, judges and writes large runs. */
async function heldUp({ server, ...database }: Target, text: string): Promise<Figure> {
  const { url } = server
  await seed(database, { name: 'beside', coordinates: 5_000, runs: 30 })
  const client = new Client(2)
  const form = multipart(text)
  const writing = submissionBody('beside', 5_000, { cadence: 'nightly' })
  const both = async (milliseconds: number) => {
    const end = performance.now() + milliseconds
    const work = async (send: () => Promise<{ status: number; body: Buffer }>) => {
      while (performance.now() < end) {
        const { status, body } = await send()
        if (status >= 300) throw new Error(`HTTP ${status}: ${body.toString().slice(0, 300)}`)
      }
    }
    await Promise.all([
      work(() => client.send(`${url}/v1/runs?dry_run=true`, form.body, form.type)),
      work(() => client.send(`${url}/v1/runs`, writing)),
    ])
  }
  await both(4_000)
  await loopDelay(server)
  await sleep(6_000)
  const idle = await loopDelay(server)
  await both(12_000)
  const busy = await loopDelay(server)
  client.close()
  return {
    group: 'f a record of 30 MB',
    backend: database.backend,
    what: `p99.9 of the loop's delay beside records and runs of 5,000, less idle (${idle.p999}; longest ${busy.max} ms)`,
    value: Math.max(0, busy.p999 - idle.p999),
    unit: 'ms',
    rival: { what: 'bound', value: 50 },
    target: { atMost: 1 },
  }
}

/** Since it was last asked. */
async function loopDelay({ process, log }: Server): Promise<{ p999: number; max: number }> {
  const before = log.length
  process.kill('SIGWINCH')
  for (;;) {
    await sleep(20)
    const told = log.slice(before).find((line) => line.startsWith('event loop '))
    if (told !== undefined)
      return JSON.parse(told.slice('event loop '.length)) as { p999: number; max: number }
  }
}

function multipart(text: string): { body: Buffer; type: string } {
  const boundary = 'bench-boundary-31415'
  const fields = {
    test_path: testPath('record'),
    backend: 'cuda',
    suite: 'bench',
    commit_sha: 'd'.repeat(40),
    declarations: '[{"metric_key":"metric/0","steps":"mean","constraint":{"rel_down":0.5}}]',
    record: text,
  }
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return {
    body: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}
