import { invalidInput } from '../errors.js'
import type { ReplayDocument } from '../documents/replay.js'
import { InputFault } from '../exchange/input-fault.js'
import type { Chunks } from '../exchange/lines.js'
import { readExport } from '../exchange/read-export.js'
import { encodeScope, scopeFaults } from '../exchange/scope.js'
import type { Fault } from '../gate/outcome.js'
import type { Series, Timestamp } from '../gate/run.js'
import { readStoredDeclarations } from '../gate/stored-declarations.js'
import { NewestDeclarations } from '../replay/newest-declarations.js'
import { DEFAULT_LIST_LIMIT, Replay, type DeclaredSeries, type ReplayRun } from '../replay/replay.js'
import type { ReplaySettings } from '../replay/report.js'
import type { HistoryReader } from '../store/store.js'
import type { SeriesFilter } from '../store/lists.js'
import type { Gatehouse, Settings } from './gatehouse.js'
import { replayDocument } from './replay-document.js'

export interface ReplayRequest {
  /** null takes, for each series, those of the newest run that brought any. */
  readonly declarations: readonly DeclaredSeries[] | null
  readonly series: SeriesFilter
  /** They bound the candidates and the coverage, not their baselines. */
  readonly since: Timestamp | null
  readonly until: Timestamp | null
}

const SERIES_PAGE = 1_000

/**
 * Is the stored history consistent with itself? Reads one snapshot and writes nothing.
 * @throws GatehouseError invalid_input
 */
export async function replayHistory(gatehouse: Gatehouse, request: ReplayRequest): Promise<ReplayDocument> {
  const { series, since, until } = request
  refuse(outside(series, request.declarations ?? []))
  return gatehouse.store.read(
    async (reader) => {
      const declared = request.declarations ?? (await newestDeclarations(reader, series))
      const filter = { ...series, ...(until !== null && { until }) }
      return replay(request, declared, gatehouse.settings, reader.replayRuns(filter), { since, until })
    },
    { replica: true, long: true },
  )
}

/**
 * The same over an export, without a store.
 * @param open the file from its beginning; it is read twice where the declarations are its own
 * @throws GatehouseError invalid_input for anything but a whole export of that scope
 */
export async function replayExport(
  open: () => Promise<Chunks>,
  request: ReplayRequest,
  settings: Settings,
): Promise<ReplayDocument> {
  const { series } = request
  refuse(outside(series, request.declarations ?? []))
  try {
    const declared = request.declarations ?? (await exportedDeclarations(await open(), series))
    const { header, runs } = await readExport(await open())
    const faults = scopeFaults(
      header.scope,
      declared.map((one) => one.series),
    )
    if (faults.length > 0) await runs.return(undefined)
    refuse(faults)
    return await replay(request, declared, settings, within(runs, series), request)
  } catch (error) {
    throw error instanceof InputFault ? invalidInput(error.faults) : error
  }
}

async function replay(
  { declarations, series }: ReplayRequest,
  declared: readonly DeclaredSeries[],
  settings: Settings,
  runs: AsyncIterable<ReplayRun>,
  { since, until }: Pick<ReplayRequest, 'since' | 'until'>,
): Promise<ReplayDocument> {
  const replaySettings: ReplaySettings = {
    window: settings.baselineWindow,
    minimum: settings.enforceMinHistory,
    listLimit: DEFAULT_LIST_LIMIT,
  }
  const judging = new Replay(declared, replaySettings, { since, until })
  for await (const run of runs) judging.add(run)
  const source = declarations === null ? 'newest_run' : 'given'
  return replayDocument(judging.report(), { filter: series, declarations: source })
}

/** A filter that leaves a declared series out would make its declarations look idle. */
function outside(filter: SeriesFilter, declared: readonly DeclaredSeries[]): Fault[] {
  return declared.flatMap(({ series }, index) =>
    matches(filter, series)
      ? []
      : [
          {
            where: `declarations/${index}/series`,
            message: `is outside the filter ${JSON.stringify(encodeScope(filter))}; leave one of them out`,
          },
        ],
  )
}

async function newestDeclarations(reader: HistoryReader, filter: SeriesFilter): Promise<DeclaredSeries[]> {
  const declared: DeclaredSeries[] = []
  const faults: Fault[] = []
  const { testPath, ...exact } = filter
  const listed = { ...exact, ...(testPath !== undefined && { testPathPrefix: testPath }) }
  for (let after: Series | null = null; ;) {
    const page = await reader.listSeries(listed, { limit: SERIES_PAGE, after })
    for (const { series } of page) {
      if (!matches(filter, series)) continue
      const text = await reader.newestDeclarations(series)
      if (text === null) continue
      const read = readStoredDeclarations(text, `declarations of ${JSON.stringify(Object.values(series))}`)
      if (read.ok) declared.push({ series, declarations: read.value })
      else faults.push(...read.faults)
    }
    after = page.at(-1)?.series ?? null
    if (page.length < SERIES_PAGE) break
  }
  refuse(faults)
  return declared
}

async function exportedDeclarations(
  chunks: Chunks,
  filter: SeriesFilter,
): Promise<readonly DeclaredSeries[]> {
  const newest = new NewestDeclarations()
  const { runs } = await readExport(chunks)
  for await (const run of within(runs, filter)) newest.add(run)
  const declared = newest.read()
  if (!declared.ok) refuse(declared.faults)
  return declared.ok ? declared.value : []
}

async function* within<Run extends { readonly series: Series }>(
  runs: AsyncIterable<Run>,
  filter: SeriesFilter,
): AsyncGenerator<Run> {
  for await (const run of runs) if (matches(filter, run.series)) yield run
}

function matches({ testPath, backend, suite }: SeriesFilter, series: Series): boolean {
  return (
    (testPath === undefined || testPath === series.testPath) &&
    (backend === undefined || backend === series.backend) &&
    (suite === undefined || suite === series.suite)
  )
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw invalidInput(faults)
}
