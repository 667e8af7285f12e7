import type { CoordinatePage, SeriesPage } from '../documents/history.js'
import type { Series } from '../gate/run.js'
import { readStoredDeclarations } from '../gate/stored-declarations.js'
import type { CoordinateListing, SeriesListFilter, SeriesListing } from '../store/history.js'
import { encodeSeries } from './encode.js'
import type { Gatehouse } from './gatehouse.js'
import { isText, readPage, type PageRequest, type Place } from './paging.js'
import { declarationDocument } from './read-declarations.js'

const bySeries: Place<SeriesListing, Series> = {
  of: ({ series: { testPath, backend, suite } }) => [testPath, backend, suite],
  read: ([testPath, backend, suite, ...more]) =>
    isText(testPath) && isText(backend) && isText(suite) && more.length === 0
      ? { testPath, backend, suite }
      : null,
}

/** Series by name, each with its newest run and what that run's verdict said. */
export async function listSeries(
  { store }: Gatehouse,
  filter: SeriesListFilter,
  request: PageRequest,
): Promise<SeriesPage> {
  return store.read(
    (reader) =>
      readPage(
        ['series', filter],
        request,
        bySeries,
        (page) => reader.listSeries(filter, page),
        ({ series, runs, trustedRuns, lastRun, lastOutcome }) => ({
          ...encodeSeries(series),
          runs,
          trusted_runs: trustedRuns,
          last_run: { run_id: lastRun.runId, created_at: lastRun.createdAt, trusted: lastRun.trusted },
          last_outcome: lastOutcome,
        }),
      ),
    { replica: true },
  )
}

const byMetric: Place<CoordinateListing, string> = {
  of: ({ metricKey }) => [metricKey],
  read: ([metricKey, ...more]) => (isText(metricKey) && more.length === 0 ? metricKey : null),
}

/** The metrics of one series, with the declaration of its newest writing run beside each. */
export async function listCoordinates(
  { store }: Gatehouse,
  series: Series,
  request: PageRequest,
): Promise<CoordinatePage> {
  return store.read(
    async (reader) => {
      const text = await reader.newestDeclarations(series)
      // What another program put there is no reason to refuse the list.
      const read = text === null ? null : readStoredDeclarations(text, 'declarations')
      const declared = new Map(
        (read?.ok ? read.value : []).map((one) => [one.metricKey, declarationDocument(one)]),
      )
      return readPage(
        ['coordinates', series],
        request,
        byMetric,
        (page) => reader.listCoordinates(series, page),
        ({ metricKey, steps, values }) => ({
          metric_key: metricKey,
          steps: [...steps],
          values,
          declaration: declared.get(metricKey) ?? null,
        }),
      )
    },
    { replica: true },
  )
}
