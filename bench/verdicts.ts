/** (a) A verdict over HTTP, beside a statement per coordinate and beside routes that do nothing else. */
import { Client, timesOf, warmUp } from './client.js'
import { median, type Figure } from './report.js'
import { withBare } from './rivals/bare.js'
import { openLoop } from './rivals/loop.js'
import { withDatabase, withServer, type BackendName, type Database } from './targets.js'
import { seed, submissionBody } from './workload.js'

export const SIZES = [
  { coordinates: 5, runs: 40 },
  { coordinates: 100, runs: 200 },
  { coordinates: 1_000, runs: 200 },
  { coordinates: 1_000, runs: 1_000 },
  { coordinates: 5_000, runs: 200 },
] as const

/** Those for which the ratio to the statements is to be reached. */
const LARGE = new Set(['1000x1000', '5000x200'])
const TIMES = 30
const ROUNDS = 6
const WARM_UP_MS = 2_000

export async function verdicts(backend: BackendName): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const size of SIZES) {
    figures.push(...(await withDatabase(backend, (database) => verdictsOf(database, size))))
  }
  return figures
}

async function verdictsOf(
  database: Database,
  { coordinates, runs }: (typeof SIZES)[number],
): Promise<Figure[]> {
  const label = `${coordinates}x${runs}`
  const name = 'verdict'
  await seed(database, { name, coordinates, runs })
  const loop = await openLoop(database)
  await warmUp(WARM_UP_MS, () => loop.read(name, coordinates))
  const loopMs = median(await timesOf(() => loop.read(name, coordinates), coordinates > 500 ? 5 : TIMES, 1))
  await loop.close()
  return withServer(database, async ({ url }) => {
    const client = new Client(1)
    const dry = submissionBody(name, coordinates)
    const sample = await client.send(`${url}/v1/runs?dry_run=true`, dry)
    if (sample.status !== 200) throw new Error(sample.body.toString().slice(0, 500))
    // Judged only, and kept: the store writes the verdict, and the history stays as it is.
    const stored = submissionBody(name, coordinates, { cadence: 'regular' })
    return withBare(database, sample.body, async (bare) => {
      const sends = {
        dry: () => client.send(`${url}/v1/runs?dry_run=true`, dry),
        bare: () => client.send(`${bare}/bare`, dry),
        stored: () => client.send(`${url}/v1/runs`, stored),
        durable: () => client.send(`${bare}/durable`, stored),
      }
      for (const send of Object.values(sends)) await warmUp(WARM_UP_MS, send)
      // In turns, so that what else the machine does meets all of them.
      const times = {
        dry: [] as number[],
        bare: [] as number[],
        stored: [] as number[],
        durable: [] as number[],
      }
      for (let round = 0; round < ROUNDS; round++) {
        for (const kind of ['dry', 'bare', 'stored', 'durable'] as const) {
          times[kind].push(...(await timesOf(sends[kind], TIMES / ROUNDS, 2)))
        }
      }
      client.close()
      const dryMs = median(times.dry)
      const group = 'a verdict'
      const common = { group, backend: database.backend, unit: 'ms' }
      return [
        {
          ...common,
          what: `${label} statements`,
          value: loopMs,
          rival: { what: 'dry_run', value: dryMs },
          ...(LARGE.has(label) && database.backend === 'postgres' && { target: { atLeast: 20 } }),
        },
        {
          ...common,
          what: `${label} dry_run`,
          value: dryMs,
          rival: { what: 'bare', value: median(times.bare) },
          target: { atMost: 2.5 },
        },
        {
          ...common,
          what: `${label} stored`,
          value: median(times.stored),
          rival: { what: 'durable bare', value: median(times.durable) },
          target: { atMost: 2.5 },
        },
      ]
    })
  })
}
