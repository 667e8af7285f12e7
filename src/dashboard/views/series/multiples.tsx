/** One small chart for each of some steps; each leads to its large one. */
import type { HistoryChart } from '../../../charts/history-chart'
import type { Series } from '../../api/types'
import { seriesHref } from '../../hrefs'
import { KindMark } from '../../parts/chart/legend'
import { Plot } from '../../parts/chart/plot'
import { short } from '../../parts/number'
import { stepPhrase } from '../../parts/step'

interface Props {
  readonly series: Series
  readonly metric: string
  readonly charts: ReadonlyArray<{ readonly step: number; readonly chart: HistoryChart }>
}

export function Multiples({ series, metric, charts }: Props) {
  return (
    <ul class="multiples">
      {charts.map(({ step, chart }) => {
        const last = chart.points.at(-1)
        return (
          <li key={step}>
            <a class="panel multiple" href={seriesHref(series, { metric, step })}>
              <span class="multiple-head">
                <span class="multiple-step">{stepPhrase(step)}</span>
                {last && (
                  <span class="multiple-last">
                    <KindMark kind={last.kind} /> {short(last.value)}
                  </span>
                )}
              </span>
              <Plot chart={chart} label={stepPhrase(step)} height={140} small />
            </a>
          </li>
        )
      })}
    </ul>
  )
}
