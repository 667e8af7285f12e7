/** (g) How a verdict's time grows: with the runs of its series, with other series, and for metrics that few runs hold. */
import { Client, timesOf, warmUp } from './client.js'
import { median, type Figure } from './report.js'
import { withTarget, type BackendName, type Target } from './targets.js'
import { METRICS, metricName, openedOnce, seed, submissionBody, testPath } from './workload.js'

const COORDINATES = 20
const ROUNDS = 6
const TIMES = 20
const RUNS = [40, 400, 4_000, 10_000] as const

export function growth(backend: BackendName): Promise<Figure[]> {
  return withTarget(backend, async (target) => {
    for (const runs of RUNS) await seed(target, { name: `h${runs}`, coordinates: COORDINATES, runs })
    await holdSeldom(target, 'h10000')
    const client = new Client(1)
    const dry = (body: string) => () => client.send(`${target.server.url}/v1/runs?dry_run=true`, body)
    const usual = (name: string) => dry(submissionBody(name, COORDINATES))
    const alone = await pairs([usual('h40'), ...RUNS.slice(1).map((runs) => usual(`h${runs}`))])
    const seldom = await pairs([
      dry(oneMetric('h40', metricName(0))),
      dry(oneMetric('h10000', 'newest/3')),
      dry(oneMetric('h10000', 'every/100')),
    ])
    await manySeries(target, 10_000)
    const among = await pairs([usual('h400')])
    client.close()
    const figure = (what: string, value: number, rival: string, of: number): Figure => ({
      group: 'g growth',
      backend,
      what,
      value,
      unit: 'ms',
      rival: { what: rival, value: of },
      target: { atMost: 1.3 },
    })
    return [
      ...RUNS.slice(1).map((runs, index) =>
        figure(`a history of ${runs} runs`, alone[index + 1]!, 'of 40', alone[0]!),
      ),
      figure('a metric of the newest 3 of 10,000 runs', seldom[1]!, 'one of all of 40', seldom[0]!),
      figure('a metric of every hundredth of 10,000', seldom[2]!, 'one of all of 40', seldom[0]!),
      figure('among 10,000 other series', among[0]!, 'among 4', alone[1]!),
    ]
  })
}

/** The medians of some requests, sent in turns. */
async function pairs(sends: ReadonlyArray<() => Promise<unknown>>): Promise<number[]> {
  const times = sends.map((): number[] => [])
  for (const send of sends) await warmUp(1_000, send)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, send] of sends.entries()) times[index]!.push(...(await timesOf(send, TIMES, 3)))
  }
  return times.map((some) => median(some))
}

function oneMetric(name: string, metric: string): string {
  return JSON.stringify({
    series: { test_path: testPath(name), backend: 'cuda', suite: 'bench' },
    provenance: { commit_sha: 'c'.repeat(40) },
    declarations: [{ metric_key: metric, steps: [0], constraint: { rel_down: 0.9, rel_up: 9 } }],
    record: [{ metric, series: [[0, 1]] }],
  })
}

async function holdSeldom(target: Target, name: string): Promise<void> {
  const insert = (metric: string, which: string) => `
    insert into metric_values (run_id, metric_key, steps_key, constraint_key, step, value)
    select run_id, '${metric}', '', '', 0, 1 from runs where test_path = '${testPath(name)}' and ${which};`
  await target.execute(
    insert('newest/3', `run_id >= '${name}-0009998'`) + insert('every/100', `run_id like '${name}-_____00'`),
  )
  await copied(target)
}

async function manySeries(target: Target, count: number): Promise<void> {
  const numbers =
    target.backend === 'postgres'
      ? `(select n from generate_series(1, ${2 * count}) n)`
      : `(with recursive c(n) as (select 1 union all select n + 1 from c where n < ${2 * count}) select n from c)`
  const time =
    target.backend === 'postgres'
      ? "timestamptz '2026-02-01 00:00:00+00' + make_interval(secs => c.n)"
      : "strftime('%Y-%m-%dT%H:%M:%S.000000Z', '2026-02-01', '+' || c.n || ' seconds')"
  const trusted = target.backend === 'postgres' ? 'true' : '1'
  await target.execute(`
    insert into runs (run_id, test_path, backend, suite, commit_sha, created_at, trusted)
    select 'many-' || c.n, 'tests/many/' || (c.n % ${count}) || '.py', 'cuda', 'bench', 'c', ${time}, ${trusted}
    from ${numbers} c;
    insert into metric_values (run_id, metric_key, steps_key, constraint_key, step, value)
    select 'many-' || c.n, 'train/metric_' || m.n, '', '', 0, c.n
    from ${numbers} c cross join (${Array.from({ length: METRICS }, (_none, index) => `select ${index} as n`).join(' union all ')}) m`)
  await copied(target)
}

/** Has what was inserted copied. */
function copied(target: Target): Promise<void> {
  return openedOnce(target, () => Promise.resolve())
}
