/**
 * A long history in and out over HTTP: two million values by default, with the time and the server's peak memory.
 * `node build/bench/exchange.js [RUNS [BACKEND]]`, a thousand values a run.
 */
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { BACKENDS, peakMemoryMib, type Target, withTarget } from './targets.js'

const VALUES_PER_RUN = 1_000
const METRICS = 5

const runs = Number(process.argv[2] ?? 2_000)
const backends = BACKENDS.filter((backend) => (process.argv[3] ?? backend) === backend)
for (const backend of backends) console.log(JSON.stringify(await withTarget(backend, measure)))

async function measure({ backend, server }: Target) {
  const pid = server.process.pid!
  const idleMib = peakMemoryMib(pid)
  const [imported, importSeconds] = await timed(() => send(`${server.url}/v1/admin/import`))
  const importMib = peakMemoryMib(pid)
  const [exported, exportSeconds] = await timed(() => receive(`${server.url}/v1/export`))
  return {
    backend,
    imported: JSON.parse(imported) as unknown,
    import_s: importSeconds,
    exported,
    export_s: exportSeconds,
    peak_mib: { idle: idleMib, import: importMib, export: peakMemoryMib(pid) },
  }
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const begun = performance.now()
  return [await work(), Math.round((performance.now() - begun) / 100) / 10]
}

/** The lines of the plain form, made as they are sent. */
function* lines(): Generator<string> {
  const begun = Date.parse('2026-01-01T00:00:00Z')
  for (let run = 0; run < runs; run++) {
    const values = Array.from({ length: VALUES_PER_RUN }, (_, index) => ({
      metric_key: `metric/${index % METRICS}`,
      step: Math.floor(index / METRICS),
      value: Math.sin(run * 7 + index) + index / 3,
      steps_key: '"all"',
      constraint_key: '{"rel_down":0.5}',
    }))
    const line = {
      series: { test_path: `tests/test_${run % 10}.py`, backend: 'cuda', suite: 'bench' },
      provenance: { commit_sha: run.toString(16).padStart(40, '0') },
      created_at: new Date(begun + run * 60_000).toISOString(),
      trusted: true,
      values,
    }
    yield `${JSON.stringify(line)}\n`
  }
}

function send(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const sending = request(url, { method: 'POST', headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      response.on('end', () =>
        response.statusCode === 201 ? resolve(body) : reject(new Error(`${response.statusCode}: ${body}`)),
      )
    })
    sending.on('error', reject)
    Readable.from(lines()).pipe(sending)
  })
}

/** Reads an export to its end, and holds it to what its trailer says. */
async function receive(url: string): Promise<{ runs: number; values: number; mib: number }> {
  const response = await fetch(url)
  if (!response.ok || response.body === null)
    throw new Error(`the export answered ${response.status}: ${await response.text()}`)
  const hash = createHash('sha256')
  let bytes = 0
  let held = Buffer.alloc(0)
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    held = Buffer.concat([held, chunk])
    // The trailer is the last line and short: what stands before it is hashed as it comes.
    const sure = held.lastIndexOf('\n', Math.max(0, held.length - 2)) + 1
    hash.update(held.subarray(0, sure))
    held = held.subarray(sure)
  }
  const { end } = JSON.parse(held.toString()) as { end: { runs: number; values: number; sha256: string } }
  if (end.sha256 !== hash.digest('hex')) throw new Error('the export does not have the hash that it says')
  return { runs: end.runs, values: end.values, mib: Math.round(bytes / 1_048_576) }
}
