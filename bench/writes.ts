/** (b) Writing one run of 5,000 values, beside a COPY of its rows into a table with the same indexes. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uuidv7 } from 'uuidv7'
import { openStore } from '../src/store/open.js'
import type { NewRun } from '../src/store/runs.js'
import { timesOf } from './client.js'
import { median, type Figure } from './report.js'
import { withDatabase, type BackendName, type Database } from './targets.js'
import { METRICS, metricName, storeSettings } from './workload.js'

const VALUES = 5_000
const TIMES = 12

function newRun(): NewRun {
  return {
    runId: uuidv7(),
    series: { testPath: 'tests/bench/write.py', backend: 'cuda', suite: 'bench' },
    provenance: {
      commitSha: 'c'.repeat(40),
      prNumber: null,
      githubRunId: null,
      githubRunAttempt: null,
      eventName: null,
      ref: null,
    },
    createdAt: new Date().toISOString().replace('Z', '000Z'),
    trusted: true,
    values: Array.from({ length: VALUES }, (_none, index) => ({
      metricKey: metricName(index % METRICS),
      step: Math.floor(index / METRICS),
      value: Math.sin(index),
      stepsKey: '"all"',
      constraintKey: '{"rel_down":0.8}',
    })),
  }
}

export async function writes(backend: BackendName): Promise<Figure[]> {
  return withDatabase(backend, async (database) => {
    const store = await openStore(storeSettings(database))
    try {
      await store.read((reader) => reader.now())
      const write = () => store.write((writer) => writer.writeRun(newRun()))
      const common = { group: 'b a run of 5,000 values', backend, unit: 'ms' }
      if (backend === 'sqlite')
        return [{ ...common, what: 'written', value: median(await timesOf(write, TIMES)) }]
      const copy = await openCopy(database)
      const times = { written: [] as number[], copied: [] as number[] }
      for (let round = 0; round < 3; round++) {
        times.written.push(...(await timesOf(write, TIMES / 3, 2)))
        times.copied.push(...(await timesOf(() => copy.run(), TIMES / 3, 2)))
      }
      await copy.close()
      const rival = { what: 'COPY', value: median(times.copied) }
      return [{ ...common, what: 'written', value: median(times.written), rival, target: { atMost: 1.6 } }]
    } finally {
      await store.close()
    }
  })
}

/** The server reads a file, so that not even the way to it counts. */
async function openCopy(database: Database): Promise<{ run(): Promise<void>; close(): Promise<void> }> {
  const client = await database.connect('superuser')
  await client.query(`
    create table copied_runs (like runs including all);
    create table copied_values (like metric_values including all);
    alter table copied_values add foreign key (run_id) references copied_runs (run_id)`)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-copy-'))
  chmodSync(folder, 0o755)
  const file = join(folder, 'rows')
  return {
    run: async () => {
      const { runId, series, createdAt, values } = newRun()
      const rows = values.map((value) =>
        [runId, value.metricKey, value.stepsKey, value.constraintKey, value.step, value.value].join('\t'),
      )
      writeFileSync(file, `${rows.join('\n')}\n`, { mode: 0o644 })
      await client.query('begin')
      await client.query(
        `insert into copied_runs (run_id, test_path, backend, suite, commit_sha, created_at, trusted)
         values ($1, $2, $3, $4, 'c', $5, true)`,
        [runId, series.testPath, series.backend, series.suite, createdAt],
      )
      await client.query(
        `copy copied_values (run_id, metric_key, steps_key, constraint_key, step, value) from '${file}'`,
      )
      await client.query('commit')
    },
    close: async () => {
      await client.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
