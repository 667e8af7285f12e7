/** Runs and histories of any size: five metrics, each at as many steps as it takes. */
import { openStore, type StoreSettings } from '../src/store/open.js'
import type { Database } from './targets.js'

export const METRICS = 5

export function metricName(index: number): string {
  return `train/metric_${index}`
}

/** The test path of a seeded series. */
export function testPath(name: string): string {
  return `tests/bench/${name}.py`
}

const BACKEND = 'cuda'
const SUITE = 'bench'

/** A JSON submission of one run with so many coordinates. */
export function submissionBody(name: string, coordinates: number, more: object = {}): string {
  const metrics = Math.min(METRICS, coordinates)
  const steps = Math.ceil(coordinates / metrics)
  return JSON.stringify({
    series: { test_path: testPath(name), backend: BACKEND, suite: SUITE },
    provenance: { commit_sha: 'c'.repeat(40) },
    declarations: Array.from({ length: metrics }, (_none, metric) => ({
      metric_key: metricName(metric),
      steps: 'all',
      constraint: { rel_up: 0.5, abs_floor_up: 0.02, rel_down: 0.8, abs_floor_down: 0.02 },
    })),
    record: Array.from({ length: metrics }, (_none, metric) => ({
      metric: metricName(metric),
      series: Array.from({ length: steps }, (_none, step) => [
        step,
        1 + Math.sin(metric * 31 + step * 7) / 9,
      ]),
    })),
    ...more,
  })
}

export interface History {
  readonly name: string
  readonly coordinates: number
  readonly runs: number
}

/** Seeds trusted runs, a minute apart, and has them copied as the service would. */
export async function seed(database: Database, { name, coordinates, runs }: History): Promise<void> {
  await openedOnce(database, async () => {
    const noise = '1 + ((r.n * 7919 + v.n * 104729) % 1000) / 9000.0'
    const series = `'${testPath(name)}', '${BACKEND}', '${SUITE}'`
    const metric = `'train/metric_' || (v.n % ${METRICS})`
    if (database.backend === 'postgres') {
      await database.execute(`
        insert into runs (run_id, test_path, backend, suite, commit_sha, created_at, trusted)
        select '${name}-' || lpad(n::text, 7, '0'), ${series}, repeat('a', 40),
          timestamptz '2026-01-01 00:00:00+00' + make_interval(mins => n), true
        from generate_series(1, ${runs}) n;
        insert into metric_values (run_id, metric_key, steps_key, constraint_key, step, value)
        select '${name}-' || lpad(r.n::text, 7, '0'), ${metric}, '"all"', '{"rel_down":0.8}', v.n / ${METRICS}, ${noise}
        from generate_series(1, ${runs}) r(n), generate_series(0, ${coordinates - 1}) v(n)`)
      return
    }
    const numbers = (table: string, from: number, to: number) =>
      `${table}(n) as (select ${from} union all select n + 1 from ${table} where n < ${to})`
    await database.execute(`
      with recursive ${numbers('c', 1, runs)}
      insert into runs (run_id, test_path, backend, suite, commit_sha, created_at, trusted)
      select '${name}-' || printf('%07d', n), ${series}, '${'a'.repeat(40)}',
        strftime('%Y-%m-%dT%H:%M:%S.000000Z', '2026-01-01', '+' || n || ' minutes'), 1
      from c;
      with recursive ${numbers('r', 1, runs)}, ${numbers('v', 0, coordinates - 1)}
      insert into metric_values (run_id, metric_key, steps_key, constraint_key, step, value)
      select '${name}-' || printf('%07d', r.n), ${metric}, '"all"', '{"rel_down":0.8}', v.n / ${METRICS}, ${noise}
      from r cross join v;`)
  })
}

/** How the store of a database is opened in this process. */
export function storeSettings({ backend, url }: Database): StoreSettings {
  return {
    database:
      backend === 'sqlite'
        ? { kind: 'sqlite', path: url.slice('sqlite:'.length) }
        : { kind: 'postgres', url },
    readReplicaUrl: null,
    databasePoolSize: 2,
  }
}

/** SQLite's schema is made by opening the store; copies are made by it on both backends. */
export async function openedOnce(database: Database, work: () => Promise<void>): Promise<void> {
  const store = await openStore(storeSettings(database))
  try {
    await store.read((reader) => reader.now())
    await work()
    while ((await store.copySome()) > 0);
  } finally {
    await store.close()
  }
  if (database.backend === 'postgres') await database.execute('vacuum analyze')
}
