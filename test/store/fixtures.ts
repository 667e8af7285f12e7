/** Rows for the store's tests, complete but for what a test is about. */
import type { Test } from 'tap'
import type { Coordinate, Provenance, Series, Timestamp } from '../../src/gate/run.js'
import type { ExportedRun, ReplayedRun, ImportResult, ImportedRun } from '../../src/store/exchange.js'
import type { HistoryReader, MetricHistoryStore } from '../../src/store/store.js'
import type { NewRevocation, RunSelector } from '../../src/store/trust.js'
import type { NewRun, RunFilter, RunValue, StoredRun } from '../../src/store/runs.js'
import type { NewVerdict } from '../../src/store/verdicts.js'
import type { Page } from '../../src/store/lists.js'

export const SERIES: Series = { testPath: 'tests/e2e/test_ppo.py', backend: 'cuda', suite: 'stage-c' }
export const SHA = 'a'.repeat(40)
export const LOSS: Coordinate = { metricKey: 'train/loss', step: 0 }
export const FIRST_PAGE: Page = { limit: 1_000, after: null }

export const PROVENANCE: Provenance = {
  commitSha: SHA,
  prNumber: null,
  githubRunId: null,
  githubRunAttempt: null,
  eventName: null,
  ref: null,
}

/** The `second`th second of a day, with microseconds. */
export function at(second: number, micros = 0): Timestamp {
  const time = new Date(Date.UTC(2026, 10, 30) + second * 1_000).toISOString().slice(0, 19)
  return `${time}.${String(micros).padStart(6, '0')}Z`
}

export function value(metricKey: string, step: number, number: number): RunValue {
  return { metricKey, step, value: number, stepsKey: '"all"', constraintKey: '{"rel_down":0.5}' }
}

export function run(runId: string, fields: Partial<NewRun> = {}): NewRun {
  return {
    runId,
    series: SERIES,
    provenance: PROVENANCE,
    createdAt: at(0),
    trusted: true,
    values: [],
    ...fields,
  }
}

/** A run with one value of `LOSS`. */
export function lossRun(
  runId: string,
  createdAt: Timestamp,
  loss: number,
  fields: Partial<NewRun> = {},
): NewRun {
  return run(runId, { createdAt, values: [value(LOSS.metricKey, LOSS.step, loss)], ...fields })
}

/** A run of a file. */
export function imported(runId: string, fields: Partial<ImportedRun> = {}): ImportedRun {
  return { ...run(runId), cadence: null, declarations: null, where: `run ${runId}`, ...fields }
}

export function asImport(exportedRun: ExportedRun): ImportedRun {
  return { ...exportedRun, where: exportedRun.runId }
}

export function verdict(verdictId: string, fields: Partial<NewVerdict> = {}): NewVerdict {
  return {
    verdictId,
    createdAt: at(0),
    series: SERIES,
    provenance: PROVENANCE,
    cadence: 'nightly',
    runId: null,
    trusted: true,
    outcome: 'pass',
    failingCi: 0,
    actor: 'token:ci',
    document: '{"outcome":"pass"}',
    checks: [],
    declarations: '[]',
    evidence: [],
    ...fields,
  }
}

export async function writeRuns(store: MetricHistoryStore, ...runs: NewRun[]): Promise<void> {
  await store.write(async (writer) => {
    for (const one of runs) await writer.writeRun(one)
  })
}

export function importRuns(store: MetricHistoryStore, ...runs: ImportedRun[]): Promise<ImportResult> {
  return store.importRuns(
    (async function* () {
      for (const one of runs) yield Promise.resolve(one)
    })(),
  )
}

/** A whole export at once. */
export function exported(store: MetricHistoryStore, filter: RunFilter = {}): Promise<ExportedRun[]> {
  return store.read(async (reader) => {
    const runs: ExportedRun[] = []
    for await (const one of reader.exportRuns(filter)) runs.push(one)
    return runs
  })
}

/** What a replay reads holds what an export does, but for what judged the values. */
export async function holdsReplayToExport(
  t: Test,
  store: MetricHistoryStore,
  filter: RunFilter = {},
): Promise<void> {
  const replayed = await store.read(async (reader) => {
    const runs: ReplayedRun[] = []
    for await (const one of reader.replayRuns(filter)) {
      runs.push({ ...one, values: one.values.map(coordinateAndValue) })
    }
    return runs
  })
  const expected = (await exported(store, filter)).map(
    ({ cadence: _cadence, declarations: _declarations, ...run }): ReplayedRun => ({
      ...run,
      values: run.values.map(coordinateAndValue),
    }),
  )
  t.strictSame(replayed, expected, `a replay reads what is exported (${Object.keys(filter).join() || 'all'})`)
}

function coordinateAndValue({ metricKey, step, value }: ReplayedRun['values'][number]) {
  return { metricKey, step, value }
}

export async function writeVerdicts(store: MetricHistoryStore, ...verdicts: NewVerdict[]): Promise<void> {
  await store.write(async (writer) => {
    for (const one of verdicts) await writer.writeVerdict(one)
  })
}

/** The numbers of a baseline. */
export async function numbers(
  store: MetricHistoryStore,
  limit = 20,
  coordinate = LOSS,
  series = SERIES,
): Promise<number[]> {
  const [baseline] = await store.read((reader) => reader.recentTrustedValues(series, [coordinate], limit))
  return [...(baseline?.values ?? [])]
}

/** Revokes as the operation does: match, flip, record, in one transaction. */
export async function revoke(
  store: MetricHistoryStore,
  revocationId: string,
  selector: RunSelector,
  fields: Partial<NewRevocation> = {},
): Promise<string[]> {
  return store.write(async (writer) => {
    await writer.lockTrust()
    const matched = (await writer.matchRuns(selector)).map((one) => one.runId)
    const flipped = await writer.markUntrusted(selector)
    await writer.writeRevocation({
      revocationId,
      createdAt: await writer.now(),
      actor: 'token:ops',
      reason: 'bad host',
      selector,
      matched,
      flipped,
      impact: '{}',
      ...fields,
    })
    return flipped
  })
}

/** Undoes as the operation does; answers the restored runs. */
export async function undo(store: MetricHistoryStore, revocationId: string): Promise<readonly string[]> {
  return store.write(async (writer) => {
    await writer.lockTrust()
    const { restore } = await writer.restorableRuns(revocationId)
    await writer.writeUndo({
      revocationId,
      createdAt: await writer.now(),
      actor: 'token:ops',
      reason: 'was fine',
      restore,
    })
    return restore
  })
}

/** The trust of runs, in the order asked. */
export async function trustOf(
  store: MetricHistoryStore,
  ...runIds: string[]
): Promise<Array<boolean | null>> {
  return store.read(async (reader) => {
    const trust: Array<boolean | null> = []
    for (const runId of runIds) trust.push((await findRun(reader, runId))?.trusted ?? null)
    return trust
  })
}

/** All rows of a list, page by page. */
export async function allPages<Row extends { readonly createdAt: Timestamp }>(
  store: MetricHistoryStore,
  limit: number,
  list: (reader: HistoryReader, page: Page) => Promise<Row[]>,
  idOf: (row: Row) => string,
  betweenPages: () => Promise<void> = () => Promise.resolve(),
): Promise<Row[]> {
  const rows: Row[] = []
  for (let after: Page['after'] = null; ;) {
    const page = await store.read((reader) => list(reader, { limit, after }))
    rows.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return rows
    after = { createdAt: last.createdAt, id: idOf(last) }
    await betweenPages()
  }
}

/** One run, as a list of runs tells it. */
export async function findRun(reader: HistoryReader, runId: string): Promise<StoredRun | null> {
  const [listed] = await reader.listRuns({ runId }, { limit: 1, after: null })
  if (listed === undefined) return null
  const { cadence: _cadence, verdictId: _verdictId, outcome: _outcome, ...run } = listed
  return run
}

/** The steps of the newest trusted run that holds each metric. */
export async function trustedSteps(
  store: MetricHistoryStore,
  metricKeys: readonly string[],
  series = SERIES,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const question = { coordinates: [], stepsOf: metricKeys, limit: 20 }
  return (await store.read((reader) => reader.gateHistory(series, question))).trustedSteps
}
