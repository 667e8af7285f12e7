/** (c) Small submissions a second from sixteen connections. */
import { Client, throughputOf, type Answer } from './client.js'
import type { Figure } from './report.js'
import { withBare } from './rivals/bare.js'
import { withTarget, type BackendName } from './targets.js'
import { seed, submissionBody } from './workload.js'

const COORDINATES = 5
const CONNECTIONS = 16

/** @param seconds how long each is measured */
export function throughput(backend: BackendName, seconds: number): Promise<Figure[]> {
  return withTarget(backend, async (target) => {
    const name = 'small'
    await seed(target, { name, coordinates: COORDINATES, runs: 40 })
    const { url } = target.server
    const client = new Client(CONNECTIONS)
    const judged = submissionBody(name, COORDINATES, { cadence: 'regular' })
    const writing = submissionBody(name, COORDINATES, { cadence: 'nightly' })
    const sample = await client.send(`${url}/v1/runs?dry_run=true`, judged)
    return withBare(target, sample.body, async (bare) => {
      const measure = async (send: () => Promise<Answer>) => {
        await throughputOf(CONNECTIONS, 4_000, send)
        return throughputOf(CONNECTIONS, seconds * 1_000, send)
      }
      const results = {
        bare: await measure(() => client.send(`${bare}/bare`, judged)),
        durable: await measure(() => client.send(`${bare}/durable`, judged)),
        dry: await measure(() => client.send(`${url}/v1/runs?dry_run=true`, judged)),
        judged: await measure(() => client.send(`${url}/v1/runs`, judged)),
        writing: await measure(() => client.send(`${url}/v1/runs`, writing)),
      }
      client.close()
      const figure = (
        what: string,
        of: keyof typeof results,
        rival: 'bare' | 'durable',
        atLeast: number,
      ): Figure => ({
        group: 'c small submissions',
        backend,
        what: `${what} (p50 ${results[of].p50.toFixed(1)}, p99 ${results[of].p99.toFixed(1)} ms)`,
        value: results[of].perSecond,
        unit: '/s',
        rival: { what: rival, value: results[rival].perSecond },
        target: { atLeast },
      })
      return [
        figure('dry_run', 'dry', 'bare', 0.35),
        figure('judged only', 'judged', 'durable', 0.4),
        figure('writing', 'writing', 'durable', 0.4),
      ]
    })
  })
}
