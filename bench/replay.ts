/** (e) A replay of a million values. */
import { Client } from './client.js'
import type { Figure } from './report.js'
import { peakMemoryMib, withDatabase, withServer, type BackendName } from './targets.js'
import { METRICS, metricName, seed, testPath } from './workload.js'

const RUNS = 1_000
const COORDINATES = 1_000

export function replay(backend: BackendName): Promise<Figure[]> {
  return withDatabase(backend, async (database) => {
    await seed(database, { name: 'replayed', coordinates: COORDINATES, runs: RUNS })
    return withServer(database, async ({ url, process }) => {
      const client = new Client(1)
      const before = peakMemoryMib(process.pid!)
      const body = JSON.stringify({
        declarations: [
          {
            series: { test_path: testPath('replayed'), backend: 'cuda', suite: 'bench' },
            declarations: Array.from({ length: METRICS }, (_none, index) => ({
              metric_key: metricName(index),
              steps: 'all',
              constraint: { rel_up: 0.5, rel_down: 0.5 },
            })),
          },
        ],
      })
      const begun = performance.now()
      const answer = await client.send(`${url}/v1/replays`, body)
      const seconds = (performance.now() - begun) / 1_000
      client.close()
      const { counts } = JSON.parse(answer.body.toString()) as {
        counts: { comparisons: number; cold_starts: number }
      }
      const values = counts.comparisons + counts.cold_starts
      const group = 'e a replay of 1,000,000 values'
      return [
        {
          group,
          backend,
          what: 'values a second',
          value: values / seconds,
          unit: '/s',
          rival: { what: 'wanted', value: 500_000 },
          target: { atLeast: 1 },
        },
        {
          group,
          backend,
          what: `peak memory (${before} MiB before)`,
          value: peakMemoryMib(process.pid!),
          unit: 'MiB',
        },
      ]
    })
  })
}
