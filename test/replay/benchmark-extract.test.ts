import { createReadStream } from 'node:fs'
import t from 'tap'
import { readImport } from '../../src/exchange/read-import.js'
import type { ImportedRun } from '../../src/store/exchange.js'
import { replay } from './support.js'

/** Thirty real runs: execution times that fell to a fifth after the eighteenth, and benchmarks that came and went. */
async function extract(): Promise<ImportedRun[]> {
  const runs: ImportedRun[] = []
  const file = createReadStream('test/fixtures/benchmark-extract.ndjson')
  for await (const run of readImport(file, { now: '2026-11-30T00:00:00.000000Z' })) runs.push(run)
  return runs
}

t.test('a level that fell is stale, and one that holds is not', async (t) => {
  const runs = await extract()
  const metrics = new Set(runs.flatMap(({ values }) => values.map(({ metricKey }) => metricKey)))
  const declarations = [...metrics].map((metric_key) => ({
    metric_key,
    steps: 'last',
    constraint: { rel_up: 0.2, rel_down: 0.2 },
  }))
  const report = replay(runs, declarations, { series: runs[0]!.series })
  t.match(report.snapshot, { runs: 30, values: 345 })
  t.strictSame(
    report.staleCoordinates.items.map(({ metricKey, side }) => [metricKey, side]),
    [
      ['fib/100/execute', 'below'],
      ['fib/1000/execute', 'below'],
      ['fib/10000/execute', 'below'],
    ],
  )
  const composite = report.incomplete.items.filter(({ metricKey }) => metricKey === 'fib/100/composite')
  t.equal(composite.length, 0, 'a benchmark that came late is not missing before')
  const proved = report.incomplete.items.filter(({ metricKey }) => metricKey === 'fib/100/prove')
  t.equal(proved.length, 12, 'one that ended is missing after')
  t.match(report, { outcome: 'fail', zeroFlipCoordinates: { total: 0 }, untrustedRegressions: { total: 0 } })
})
