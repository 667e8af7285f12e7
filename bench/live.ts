/**
 * What a router's poll costs: `GET …/live`, read from the store each time, beside a bare Fastify route in a process of
 * its own, and beside a route of the same server that asks no store (`/healthz`, which is logged, as `live` is
 * not), measured in turns. `node build/bench/live.js [SECONDS]`
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { requestsPerSecond } from './load.js'
import { BACKENDS, cpuSeconds, withTarget, type Target } from './targets.js'

const ROUNDS = 2
const BODY = { version: 'v1', generation: 1, since: '2026-11-30T18:00:00.123456Z' }

if (process.argv[2] === 'bare') await serveBare()
else {
  const seconds = Number(process.argv[2] ?? 5)
  for (const backend of BACKENDS) {
    console.log(JSON.stringify(await withTarget(backend, (target) => measure(target, seconds))))
  }
}

async function serveBare(): Promise<void> {
  const app = Fastify()
  app.get('/live', () => BODY)
  process.send?.(await app.listen({ port: 0, host: '127.0.0.1' }))
}

async function measure({ backend, server }: Target, seconds: number) {
  const created = await fetch(`${server.url}/v1/ladders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ladder: 'bench', live: { version: 'v1' } }),
  })
  if (created.status !== 201) throw new Error(await created.text())
  const child = fork(fileURLToPath(import.meta.url), ['bare'])
  const [bareUrl] = (await once(child, 'message')) as [string]
  const bare: Measured[] = []
  const live: Measured[] = []
  const storeless: Measured[] = []
  try {
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await rate(child.pid!, `${bareUrl}/live`, seconds))
      storeless.push(await rate(server.process.pid!, `${server.url}/healthz`, seconds))
      live.push(await rate(server.process.pid!, `${server.url}/v1/ladders/bench/live`, seconds))
    }
  } finally {
    child.kill()
  }
  const own = fastest(live)
  const part = (of: Measured) => Math.round((own.per_s / of.per_s) * 1_000) / 1_000
  return {
    backend,
    bare: fastest(bare),
    healthz: fastest(storeless),
    live: own,
    part_of_bare: part(fastest(bare)),
    part_of_healthz: part(fastest(storeless)),
  }
}

interface Measured {
  readonly per_s: number
  /** Of the server's process alone. */
  readonly cpu_us: number
}

async function rate(pid: number, url: string, seconds: number): Promise<Measured> {
  const [before, begun] = [cpuSeconds(pid), performance.now()]
  const perSecond = await requestsPerSecond(url, seconds)
  const answers = perSecond * ((performance.now() - begun) / 1_000)
  return { per_s: perSecond, cpu_us: Math.round(((cpuSeconds(pid) - before) * 1e6) / answers) }
}

function fastest(rates: readonly Measured[]): Measured {
  return rates.reduce((best, one) => (one.per_s > best.per_s ? one : best))
}
