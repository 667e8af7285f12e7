/** (d) History queries over a series of 10,000 runs. */
import { Client, timesOf } from './client.js'
import { median, type Figure } from './report.js'
import { withTarget, type BackendName } from './targets.js'
import { metricName, seed, testPath } from './workload.js'

export function history(backend: BackendName): Promise<Figure[]> {
  return withTarget(backend, async (target) => {
    await seed(target, { name: 'long', coordinates: 20, runs: 10_000 })
    const client = new Client(1)
    const { url } = target.server
    const series = `test_path=${testPath('long')}&backend=cuda&suite=bench`
    const metric = `${series}&metric_key=${metricName(0)}&step=0`
    const deep = 'until=2026-01-02T00:00:00Z'
    const figures: Figure[] = []
    for (const [what, path] of [
      ['one coordinate, newest 100', `/v1/history?${metric}`],
      ['one coordinate, 1,000 of long ago', `/v1/history?${metric}&limit=1000&${deep}`],
      ['runs, newest 100', `/v1/runs?${series}`],
      ['runs, 1,000 of long ago', `/v1/runs?${series}&limit=1000&${deep}`],
      ['coordinates', `/v1/coordinates?${series}`],
      ['series', '/v1/series'],
      ['a baseline', `/v1/baselines?${metric}`],
    ] as const) {
      const { status, body } = await client.get(url + path)
      if (status !== 200) throw new Error(`${path}: ${body.toString()}`)
      figures.push({
        group: 'd of 10,000 runs',
        backend,
        what,
        value: median(await timesOf(() => client.get(url + path), 15)),
        unit: 'ms',
      })
    }
    client.close()
    return figures
  })
}
