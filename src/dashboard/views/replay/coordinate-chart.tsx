/** The history of a coordinate that the report names, drawn when it comes into sight. */
import { useMemo, useRef } from 'preact/hooks'
import { historyChart } from '../../../charts/history-chart'
import { get } from '../../api/client'
import type { HistoryPoint, Page, Series } from '../../api/types'
import { useInSight } from '../../hooks/use-in-sight'
import { useResource } from '../../hooks/use-resource'
import { Legend } from '../../parts/chart/legend'
import { Plot } from '../../parts/chart/plot'
import { seriesKey } from '../../parts/series-name'
import { Loaded } from '../../parts/states'
import { stepPhrase } from '../../parts/step'

const POINTS = 1_000
const HEIGHT = 220

export interface Coordinate {
  readonly series: Series
  readonly metric_key: string
  readonly step: number
}

export function coordinateKey({ series, metric_key: metric, step }: Coordinate): string {
  return `${seriesKey(series)} ${step} ${metric}`
}

export function CoordinateChart({ of, revoked }: { of: Coordinate; revoked: ReadonlySet<string> }) {
  const place = useRef<HTMLDivElement>(null)
  const isSeen = useInSight(place)
  const { series, metric_key: metric, step } = of
  const history = useResource(isSeen ? coordinateKey(of) : null, (signal) =>
    get<Page<HistoryPoint>>('/v1/history', {
      query: { ...series, metric_key: metric, step, limit: POINTS },
      signal,
    }),
  )
  return (
    <div ref={place} class="coordinate-chart">
      <Loaded of={history} what="history" rows={4}>
        {({ items }) => <Drawn items={items} revoked={revoked} label={`${metric}, ${stepPhrase(step)}`} />}
      </Loaded>
    </div>
  )
}

function Drawn({
  items,
  revoked,
  label,
}: {
  items: readonly HistoryPoint[]
  revoked: ReadonlySet<string>
  label: string
}) {
  const chart = useMemo(() => historyChart(items, revoked), [items, revoked])
  return (
    <>
      <Plot chart={chart} label={label} height={HEIGHT} />
      <div class="coordinate-foot">
        <Legend chart={chart} />
      </div>
    </>
  )
}
