/** (h) What a stored value takes, and what a second instance on one PostgreSQL adds. */
import { existsSync, readFileSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import pg from 'pg'
import { Client, throughputOf, type Answer } from './client.js'
import type { Server } from '../test/support/server.js'
import type { Figure } from './report.js'
import { withDatabase, withServer, type BackendName, type Database } from './targets.js'
import { METRICS, metricName, seed, submissionBody, testPath } from './workload.js'

/** @param seconds how long each throughput is measured */
export async function scale(backend: BackendName, seconds: number): Promise<Figure[]> {
  const bytes = await bytesOf(backend)
  return backend === 'postgres' ? [...bytes, ...(await instances(seconds))] : bytes
}

const RUNS = 1_000
const COORDINATES = 1_000
const WRITTEN = 50

/** A million values of another writer, then runs of the server's own with their verdicts. */
function bytesOf(backend: BackendName): Promise<Figure[]> {
  return withDatabase(backend, async (database) => {
    const name = 'bytes'
    await seed(database, { name, coordinates: COORDINATES, runs: RUNS })
    const seeded = await sizes(database)
    await withServer(database, async ({ url }) => {
      const client = new Client(1)
      for (let number = 0; number < WRITTEN; number++) {
        const body = submissionBody(name, COORDINATES, { cadence: 'nightly' })
        const { status, body: answer } = await client.send(`${url}/v1/runs`, body)
        if (status !== 201) throw new Error(answer.toString().slice(0, 500))
      }
      client.close()
    })
    const written = await sizes(database)
    const figure = (what: string, bytes: number, values: number): Figure => ({
      group: 'h bytes a value',
      backend,
      what,
      value: bytes / values,
      unit: 'B',
    })
    const size = (of: ReadonlyMap<string, number>, table: string) => of.get(table) ?? 0
    return ['metric_values', 'run_vectors', 'verdict_checks'].flatMap((table) => [
      figure(`${table}, of another writer`, size(seeded, table), RUNS * COORDINATES),
      figure(`${table}, of the server`, size(written, table) - size(seeded, table), WRITTEN * COORDINATES),
    ])
  })
}

/** Bytes of each table with its indexes and what is stored out of line. */
async function sizes({ backend, url }: Database): Promise<Map<string, number>> {
  if (backend === 'sqlite') {
    const handle = new BetterSqlite3(url.slice('sqlite:'.length), { readonly: true })
    try {
      const rows = handle
        .prepare(
          'select m.tbl_name as name, sum(s.pgsize) as bytes from dbstat s join sqlite_schema m using (name) group by 1',
        )
        .all() as ReadonlyArray<{ name: string; bytes: number }>
      return new Map(rows.map(({ name, bytes }) => [name, bytes]))
    } finally {
      handle.close()
    }
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; bytes: string }>(
      `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
       where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
    )
    return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
  } finally {
    await client.end()
  }
}

const CONNECTIONS = 16
const HISTORY_RUNS = 10_000
const ROUNDS = 4

/** The processor time so far, in milliseconds, of the instances and of the database's processes. */
async function cpuOf({ url }: Database, servers: readonly Server[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
  await client.end()
  const sum = (pids: readonly number[]) => pids.reduce((all, pid) => all + cpuMs(pid), 0)
  return {
    instances: sum(servers.map((server) => server.process.pid!)),
    database: sum(rows.map(({ pid }) => pid)),
  }
}

/** User and system time; 0 of a process that has ended. The kernel counts in hundredths of a second. */
function cpuMs(pid: number): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return 0
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** One instance, then two on the same database; requests go to them in turn. */
function instances(seconds: number): Promise<Figure[]> {
  return withDatabase('postgres', async (database) => {
    await seed(database, { name: 'small', coordinates: METRICS, runs: 40 })
    await seed(database, { name: 'wide', coordinates: COORDINATES, runs: 40 })
    await seed(database, { name: 'long', coordinates: METRICS, runs: HISTORY_RUNS })
    return withServer(database, (one) =>
      withServer(database, async (other) => {
        const client = new Client(CONNECTIONS)
        const judged = submissionBody('small', METRICS, { cadence: 'regular' })
        const writing = submissionBody('small', METRICS, { cadence: 'nightly' })
        const wide = submissionBody('wide', COORDINATES, { cadence: 'regular' })
        const query = new URLSearchParams({
          ...{ test_path: testPath('long'), backend: 'cuda', suite: 'bench' },
          ...{ metric_key: metricName(0), limit: '100' },
        }).toString()
        const kinds: ReadonlyArray<readonly [string, (url: string) => Promise<Answer>]> = [
          ['dry_run', (url) => client.send(`${url}/v1/runs?dry_run=true`, judged)],
          ['judged only', (url) => client.send(`${url}/v1/runs`, judged)],
          ['writing', (url) => client.send(`${url}/v1/runs`, writing)],
          ['dry_run of 1,000', (url) => client.send(`${url}/v1/runs?dry_run=true`, wide)],
          ['a page of history', (url) => client.get(`${url}/v1/history?${query}`)],
        ]
        const figures: Figure[] = []
        for (const [what, send] of kinds) {
          const over = (urls: readonly string[], milliseconds: number) => {
            let turn = 0
            return throughputOf(CONNECTIONS, milliseconds, () => send(urls[turn++ % urls.length]!))
          }
          const both = [one.url, other.url]
          await over(both, 1_000)
          const found = { alone: 0, both: 0 }
          const cpu = { instances: 0, database: 0 }
          // In turns, so that what else the machine does meets both.
          for (let round = 0; round < ROUNDS; round++) {
            const milliseconds = (seconds * 1_000) / ROUNDS
            found.alone += (await over([one.url], milliseconds)).perSecond / ROUNDS
            const before = await cpuOf(database, [one, other])
            const { perSecond } = await over(both, milliseconds)
            const after = await cpuOf(database, [one, other])
            found.both += perSecond / ROUNDS
            const requests = (perSecond * milliseconds) / 1_000
            cpu.instances += (after.instances - before.instances) / requests / ROUNDS
            cpu.database += (after.database - before.database) / requests / ROUNDS
          }
          const common = { group: 'h two instances', backend: 'postgres' }
          figures.push(
            {
              ...common,
              what,
              value: found.both,
              unit: '/s',
              rival: { what: 'one instance', value: found.alone },
            },
            {
              ...common,
              what: `${what}, CPU of the instances`,
              value: cpu.instances,
              unit: 'ms',
              rival: { what: 'of PostgreSQL', value: cpu.database },
            },
          )
        }
        client.close()
        return figures
      }),
    )
  })
}
