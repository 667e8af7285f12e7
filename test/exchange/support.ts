import fc from 'fast-check'
import { keyFault } from '../../src/gate/text.js'
import type { ExportedRun, ImportedRun } from '../../src/store/exchange.js'
import type { Chunks } from '../../src/exchange/lines.js'
import { InputFault } from '../../src/exchange/input-fault.js'
import { readExport } from '../../src/exchange/read-export.js'
import { readImport } from '../../src/exchange/read-import.js'
import { writeExport } from '../../src/exchange/write-export.js'
import type { RunFilter } from '../../src/store/runs.js'

export const NOW = '2026-11-30T18:00:00.000000Z'
export const SHA = '0123456789abcdef0123456789abcdef01234567'

/** A line of the plain form, whole, and what a test wants otherwise. */
export function plain(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    series: { test_path: 'tests/test_a.py', backend: 'cuda', suite: 'nightly' },
    provenance: { commit_sha: SHA },
    created_at: '2026-11-01T15:00:00Z',
    trusted: true,
    values: [{ metric_key: 'm', step: -1, value: 1.5 }],
    ...changes,
  }
}

/** A stored run, and what a test wants otherwise. */
export function stored(changes: Partial<ExportedRun> = {}): ExportedRun {
  return {
    runId: '01936f0c-0000-7000-8000-000000000001',
    series: { testPath: 'tests/test_a.py', backend: 'cuda', suite: 'nightly' },
    provenance: {
      commitSha: SHA,
      prNumber: null,
      githubRunId: 9_007_199_254_740_993n,
      githubRunAttempt: 1,
      eventName: 'schedule',
      ref: 'refs/heads/main',
    },
    createdAt: '2026-11-01T15:00:00.123456Z',
    trusted: true,
    cadence: 'nightly',
    values: [{ metricKey: 'm', step: -1, value: 1.5, stepsKey: '"last"', constraintKey: '{"rel_down":1.0}' }],
    declarations: '[{"metric_key": "m", "steps": "last", "constraint": {"rel_down": 1.0}}]',
    ...changes,
  }
}

export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

export function exported(runs: readonly ExportedRun[], filter: RunFilter = {}): Promise<string> {
  return textOf(writeExport({ createdAt: NOW, filter }, runs))
}

export function bytesOf(text: string): Uint8Array[] {
  return [Buffer.from(text)]
}

/** What the reader of exports makes of a file: its runs, or its refusal. */
export async function readBack(chunks: Chunks, maxLineBytes?: number): Promise<ExportedRun[]> {
  const { runs } = await readExport(chunks, maxLineBytes === undefined ? {} : { maxLineBytes })
  return withoutPlace(runs)
}

export async function imported(chunks: Chunks, maxLineBytes?: number): Promise<ImportedRun[]> {
  const runs: ImportedRun[] = []
  const options = { now: NOW, ...(maxLineBytes !== undefined && { maxLineBytes }) }
  for await (const run of readImport(chunks, options)) runs.push(run)
  return runs
}

export async function withoutPlace(
  runs: AsyncIterable<ExportedRun & { readonly where: string }>,
): Promise<ExportedRun[]> {
  const read: ExportedRun[] = []
  for await (const { where: _, ...run } of runs) read.push(run)
  return read
}

/** The faults of a refusal, as `where: message`. */
export async function refusal(work: Promise<unknown>): Promise<string[]> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof InputFault)) throw error
    return error.faults.map(({ where, message }) => `${where}: ${message}`)
  }
  throw new Error('nothing was refused')
}

/** Any cutting of bytes into chunks. */
export function cutsOf(bytes: Uint8Array): fc.Arbitrary<Uint8Array[]> {
  return fc.array(fc.nat({ max: bytes.length }), { maxLength: 12 }).map((at) => {
    const cuts = [0, ...at.sort((a, b) => a - b), bytes.length]
    return cuts.slice(1).map((end, i) => bytes.subarray(cuts[i], end))
  })
}

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((one) => !one.includes('\0'))
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)

/** Objects as a reader makes them, with the usual prototype. */
function plainRecord<T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(members, { noNullPrototype: true })
}

/** Runs as a store holds them, in the order of an export, each coordinate once. */
export const storedRuns: fc.Arbitrary<ExportedRun[]> = fc
  .array(
    plainRecord({
      series: plainRecord({ testPath: text, backend: text, suite: text }),
      provenance: plainRecord({
        commitSha: fc.option(fc.oneof(text, fc.constant(SHA))),
        prNumber: fc.option(fc.nat()),
        githubRunId: fc.option(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })),
        githubRunAttempt: fc.option(fc.nat()),
        eventName: fc.option(text),
        ref: fc.option(text),
      }),
      trusted: fc.boolean(),
      cadence: fc.option(fc.constantFrom('nightly' as const, 'weekly' as const)),
      values: fc.uniqueArray(
        plainRecord({
          metricKey: text,
          step: fc.integer({ min: -2, max: Number.MAX_SAFE_INTEGER }),
          value: finite,
          stepsKey: fc.string({ unit: 'grapheme-ascii' }),
          constraintKey: fc.string({ unit: 'grapheme-ascii' }),
        }),
        { selector: ({ metricKey, step }) => `${metricKey}\0${step}`, maxLength: 6 },
      ),
      declarations: fc.option(
        fc
          .uniqueArray(text, { maxLength: 3, comparator: (a, b) => a.trim() === b.trim() })
          .map((keys) => keys.filter((key) => keyFault(key) === null))
          .map((keys) =>
            JSON.stringify(keys.map((metric_key) => ({ metric_key, steps: 'all', hard_ref: { max: 1 } }))),
          ),
      ),
    }),
    { maxLength: 6 },
  )
  .map((runs) =>
    runs.map((run, i) => ({
      ...run,
      runId: `run-${i}`,
      createdAt: `2026-01-0${1 + Math.floor(i / 2)}T00:00:00.00000${i}Z`,
    })),
  )
