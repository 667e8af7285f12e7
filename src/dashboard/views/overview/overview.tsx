/** Every series at a glance: what failed lately first, then all of them, to be searched, filtered and sorted. */
import { getAll } from '../../api/client'
import type { SeriesItem, VerdictHead } from '../../api/types'
import { type Resource, useResource } from '../../hooks/use-resource'
import { Icon } from '../../parts/icon'
import { plural, share } from '../../parts/number'
import { PageHead } from '../../parts/page-head'
import { Empty, Failure, Loading } from '../../parts/states'
import type { Sort } from '../../parts/table'
import { relativeTime, useNow } from '../../parts/time'
import { setQuery, useLocation } from '../../router'
import { FailedLately } from './failed-lately'
import { Toolbar } from './toolbar'
import { choices, filterRows, type Filters, overviewRows, sortRows, type StateFilter } from './rows'
import { SeriesTable } from './table'
import './overview.css'

const DAYS = 14
const EVERY_MS = 60_000
const MOST_LATELY = 5

interface Loaded {
  readonly series: readonly SeriesItem[]
  readonly failing: readonly VerdictHead[]
}

async function load(signal: AbortSignal, show: (part: Loaded) => void): Promise<Loaded> {
  const since = new Date(Date.now() - DAYS * 86_400_000).toISOString()
  const verdicts = getAll<VerdictHead>('/v1/verdicts', {
    query: { outcome: 'fail', since },
    most: 1_000,
    signal,
  })
  let failing: readonly VerdictHead[] = []
  const onPage = (series: readonly SeriesItem[]) => show({ series: [...series], failing })
  const series = getAll<SeriesItem>('/v1/series', { signal, onPage })
  // Both at once: where the server is gone, neither refusal may be left unheard.
  const [listed] = await Promise.all([series, verdicts.then(({ items }) => (failing = items))])
  return { series: listed.items, failing }
}

export function Overview() {
  const resource = useResource('overview', load, { everyMs: EVERY_MS })
  const { query } = useLocation()
  const { data } = resource
  const rows = data ? overviewRows(data.series, data.failing) : []
  const filters: Filters = {
    text: query.get('q') ?? '',
    backend: query.get('backend') ?? '',
    suite: query.get('suite') ?? '',
    state: stateOf(query.get('state')),
  }
  const sort: Sort = { by: query.get('sort') ?? 'pressing', descending: query.get('order') === 'desc' }
  const shown = sortRows(filterRows(rows, filters), sort)
  const lately = sortRows(rows, { by: 'pressing', descending: false }).filter(
    ({ lastFailure }) => lastFailure,
  )
  const isFiltered =
    filters.text !== '' || filters.backend !== '' || filters.suite !== '' || filters.state !== 'all'

  return (
    <>
      <PageHead
        title="Overview"
        {...(data && { below: <Summary series={data.series} /> })}
        actions={<Freshness of={resource} />}
      />
      {resource.error && <Failure error={resource.error} what="series" onRetry={resource.reload} />}
      {!data && !resource.error && (
        <div class="panel">
          <Loading what="the series" rows={9} />
        </div>
      )}
      {data && data.series.length === 0 && !resource.isLoading && <NothingYet />}
      {data && data.series.length > 0 && (
        <>
          {!isFiltered && <FailedLately rows={lately.slice(0, MOST_LATELY)} days={DAYS} />}
          <Toolbar
            filters={filters}
            backends={choices(rows, 'backend')}
            suites={choices(rows, 'suite')}
            found={shown.length}
            total={rows.length}
          />
          {shown.length > 0 ? (
            <SeriesTable
              rows={shown}
              sort={sort}
              onSort={({ by, descending }) => setQuery({ sort: by, order: descending ? 'desc' : null })}
            />
          ) : (
            <div class="panel">
              <Empty title="No series fits.">
                <button
                  type="button"
                  class="button button-small"
                  onClick={() => setQuery({ q: null, backend: null, suite: null, state: null })}
                >
                  Clear the filters
                </button>
              </Empty>
            </div>
          )}
        </>
      )}
    </>
  )
}

function stateOf(text: string | null): StateFilter {
  return text === 'failing' || text === 'untrusted' ? text : 'all'
}

function Summary({ series }: { series: readonly SeriesItem[] }) {
  const failing = series.filter(({ last_outcome }) => last_outcome === 'fail').length
  const runs = series.reduce((sum, item) => sum + item.runs, 0)
  const trusted = series.reduce((sum, item) => sum + item.trusted_runs, 0)
  return (
    <span>
      {plural(series.length, 'series', 'series')} · {failing === 0 ? 'none failing' : `${failing} failing`} ·{' '}
      {plural(runs, 'run')}, {share(trusted, runs)} trusted
    </span>
  )
}

function Freshness({ of }: { of: Resource<unknown> }) {
  const now = useNow(15_000)
  if (of.loadedAt === undefined) return null
  return (
    <span class="freshness muted small">
      updated {relativeTime(of.loadedAt, Math.max(now, of.loadedAt))}
      <button type="button" class="icon-button" aria-label="Load anew" title="Load anew" onClick={of.reload}>
        <Icon name="reload" />
      </button>
    </span>
  )
}

function NothingYet() {
  return (
    <div class="panel">
      <Empty title="No run has been stored yet.">
        Nightly and weekly runs that are submitted appear here. To look around with made-up ones, fill a store
        by <code>npm run demo</code>; how to submit your own is in the <a href="/docs">API’s description</a>.
      </Empty>
    </div>
  )
}
