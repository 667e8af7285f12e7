/** A client that keeps its connections, as cheap as Node has one: what it costs is part of every figure alike. */
import { Agent, request, type RequestOptions } from 'node:http'

export interface Answer {
  readonly status: number
  readonly bytes: number
  readonly body: Buffer
}

export class Client {
  readonly #agent: Agent

  constructor(connections: number) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  send(url: string, body: Buffer | string, contentType = 'application/json'): Promise<Answer> {
    const bytes = Buffer.from(body)
    const headers = { 'content-type': contentType, 'content-length': bytes.length }
    return this.#ask(url, { method: 'POST', headers }, bytes)
  }

  get(url: string): Promise<Answer> {
    return this.#ask(url, {})
  }

  #ask(url: string, options: RequestOptions, body?: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sending = request(url, { ...options, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const whole = Buffer.concat(chunks)
          resolve({ status: response.statusCode ?? 0, bytes: whole.length, body: whole })
        })
        response.on('error', reject)
      })
      sending.on('error', reject)
      sending.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Milliseconds that some work takes, several times after a few that warm it up. */
export async function timesOf(work: () => Promise<unknown>, times: number, warm = 3): Promise<number[]> {
  const measured: number[] = []
  for (let round = 0; round < warm + times; round++) {
    const begun = performance.now()
    await work()
    if (round >= warm) measured.push(performance.now() - begun)
  }
  return measured
}

/**
 * Does some work over and over for a while, unmeasured. A service runs for months, and its code is compiled for what it
 * does most within its first hundreds of requests.
 */
export async function warmUp(milliseconds: number, work: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + milliseconds
  while (performance.now() < end) await work()
}

export interface Throughput {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** Sends as fast as answers come, over so many connections, for so long. */
export async function throughputOf(
  connections: number,
  milliseconds: number,
  send: () => Promise<Answer>,
): Promise<Throughput> {
  const times: number[] = []
  const end = performance.now() + milliseconds
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const at = performance.now()
        const { status, body } = await send()
        if (status >= 300) throw new Error(`HTTP ${status}: ${body.toString().slice(0, 300)}`)
        times.push(performance.now() - at)
      }
    }),
  )
  const seconds = (performance.now() - begun) / 1_000
  const sorted = times.sort((a, b) => a - b)
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) }
}
