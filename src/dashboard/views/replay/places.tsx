/** How the lists of a replay name what they are about: a coordinate at the head of a card, and a run in a table. */
import type { Series } from '../../api/types'
import { runHref, seriesHref } from '../../hrefs'
import { Name, ShortId } from '../../parts/name'
import { SeriesName } from '../../parts/series-name'
import { stepPhrase } from '../../parts/step'
import type { Column } from '../../parts/table'

export const RUN_COLUMN: Column<{ readonly run_id: string }> = {
  id: 'run',
  head: 'Run',
  cell: ({ run_id: id }) => (
    <a href={runHref(id)}>
      <ShortId id={id} length={13} />
    </a>
  ),
}

interface Coordinate {
  readonly series: Series
  readonly metric_key: string
  readonly step: number
}

export function CoordinateName({ of: { series, metric_key: metric, step } }: { of: Coordinate }) {
  const href = seriesHref(series, { metric, step })
  return (
    <>
      <SeriesName series={series} href={href} />
      <p class="coordinate-metric">
        <a href={href}>
          <Name text={metric} />
        </a>
        <span class="muted">{stepPhrase(step)}</span>
      </p>
    </>
  )
}
