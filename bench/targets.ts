/** Real servers to measure: one on each backend, each in a process of its own, with its store beside it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/support/embedded-postgres.js'
import { startServer, type Server } from '../test/support/server.js'

export const BACKENDS = ['sqlite', 'postgres'] as const
export type BackendName = (typeof BACKENDS)[number]

export interface Target {
  readonly backend: BackendName
  readonly server: Server
  /** What the server was given as DATABASE_URL. */
  readonly databaseUrl: string
}

/** Starts a server over an empty store of the given kind, and ends both after the work. */
export async function withTarget<T>(backend: BackendName, work: (target: Target) => Promise<T>): Promise<T> {
  return withDatabase(backend, async (databaseUrl) => {
    const server = await startServer({ DATABASE_URL: databaseUrl })
    try {
      return await work({ backend, server, databaseUrl })
    } finally {
      await server.stop()
    }
  })
}

async function withDatabase<T>(backend: BackendName, work: (url: string) => Promise<T>): Promise<T> {
  if (backend === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
    try {
      return await work(`sqlite:${join(folder, 'bench.db')}`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  // Durable, as in earnest: what a commit costs is part of what is measured.
  const postgres = await startPostgres({ durable: true })
  try {
    const database = await postgres.createDatabase()
    return await work(database.url)
  } finally {
    await postgres.stop()
  }
}

/** The largest resident memory of a process so far, in MiB. */
export function peakMemoryMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
  if (kib === undefined) throw new Error('this system does not tell the peak memory of a process')
  return Math.round(Number(kib) / 1_024)
}

/** The processor time that a process has used so far, in seconds; tells the same on a busy machine as on an idle one. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const TICKS_PER_SECOND = 100
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
