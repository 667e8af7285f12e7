/** A series: its metrics, and the history of the one that is chosen. */
import type { CoordinateItem, Series } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { runHref } from '../../hrefs'
import { PathName } from '../../parts/name'
import { plural, share } from '../../parts/number'
import { PageHead } from '../../parts/page-head'
import { SeriesPlace, seriesKey } from '../../parts/series-name'
import { Empty, Loaded } from '../../parts/states'
import { StatusMark, TrustMark } from '../../parts/status'
import { Time } from '../../parts/time'
import { useLocation } from '../../router'
import { loadHead, type SeriesHead } from './load'
import { MetricHistory } from './metric-history'
import { MetricPicker } from './metrics'
import './series.css'

export function SeriesView() {
  const { query } = useLocation()
  const series: Series = {
    test_path: query.get('test_path') ?? '',
    backend: query.get('backend') ?? '',
    suite: query.get('suite') ?? '',
  }
  const isNamed = series.test_path !== '' && series.backend !== '' && series.suite !== ''
  const key = seriesKey(series)
  const head = useResource(isNamed ? key : null, (signal) =>
    loadHead(series, query.get('metric_key') === null, signal),
  )

  if (!isNamed) {
    return (
      <>
        <PageHead title="Series" />
        <div class="panel">
          <Empty title="This address names no series.">
            The <a href="/">overview</a> lists them.
          </Empty>
        </div>
      </>
    )
  }
  return (
    <>
      <PageHead
        title={series.test_path}
        heading={<PathName text={series.test_path} />}
        above={<a href="/">Overview</a>}
        below={
          <>
            <SeriesPlace series={series} />
            {head.data?.item && <Standing item={head.data.item} />}
          </>
        }
      />
      <Loaded of={head} what="series">
        {(data) => <Metrics series={series} head={data} wanted={query.get('metric_key')} />}
      </Loaded>
    </>
  )
}

function Standing({ item }: { item: NonNullable<SeriesHead['item']> }) {
  const { last_outcome: outcome, last_run: last, runs, trusted_runs: trusted } = item
  return (
    <>
      <span class="standing">
        <a href={runHref(last.run_id)} title="The newest run">
          {outcome && <StatusMark status={outcome} />} <TrustMark trusted={last.trusted} />{' '}
          <Time iso={last.created_at} />
        </a>
      </span>
      <span>
        {plural(runs, 'run')}, {share(trusted, runs)} trusted
      </span>
    </>
  )
}

function Metrics({ series, head, wanted }: { series: Series; head: SeriesHead; wanted: string | null }) {
  const { metrics, revoked } = head
  const begun = wanted ?? head.failed
  const chosen =
    metrics.find(({ metric_key: metric }) => metric === begun) ?? (wanted === null ? first(metrics) : null)
  if (metrics.length === 0) {
    return (
      <div class="panel">
        <Empty title={head.item === null ? 'Nothing is stored of this series.' : 'Its runs hold no values.'}>
          {head.item === null
            ? 'Only nightly and weekly runs are stored; it may also be written otherwise.'
            : 'Their test files declare no gates.'}
        </Empty>
      </div>
    )
  }
  return (
    <div class="series-body">
      <MetricPicker series={series} metrics={metrics} chosen={chosen?.metric_key ?? ''} />
      {chosen ? (
        <MetricHistory key={chosen.metric_key} series={series} metric={chosen} revoked={revoked} />
      ) : (
        <div class="panel">
          <Empty title="The series holds no such metric.">Choose one of those that it holds.</Empty>
        </div>
      )}
    </div>
  )
}

/** What is judged comes before what is only kept. */
function first(metrics: readonly CoordinateItem[]): CoordinateItem | null {
  return metrics.find(({ declaration }) => declaration?.enforce) ?? metrics[0] ?? null
}
