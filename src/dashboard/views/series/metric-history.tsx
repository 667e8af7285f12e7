/** The history of one metric: of one step as a large chart and a table, of several as small ones, of many as a map. */
import { useMemo } from 'preact/hooks'
import { historyChart } from '../../../charts/history-chart'
import type { CoordinateItem, HistoryPoint, Series } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { Legend } from '../../parts/chart/legend'
import { Plot } from '../../parts/chart/plot'
import { Name } from '../../parts/name'
import { count, plural } from '../../parts/number'
import { seriesKey } from '../../parts/series-name'
import { Empty, Loaded } from '../../parts/states'
import { stepPhrase } from '../../parts/step'
import { setQuery, useLocation } from '../../router'
import { FailingSince } from './failing-since'
import { HeatMap } from './heat-map'
import { type History, loadHistory } from './load'
import { constraintText } from './metrics'
import { Multiples } from './multiples'
import { PointsTable } from './points-table'

/** So many steps are shown by a chart each. */
const MOST_MULTIPLES = 12

const RANGES: ReadonlyArray<readonly [range: string, word: string, days: number | null]> = [
  ['7d', '7 days', 7],
  ['30d', '30 days', 30],
  ['90d', '90 days', 90],
  ['1y', '1 year', 365],
  ['all', 'All', null],
]

interface Props {
  readonly series: Series
  readonly metric: CoordinateItem
  readonly revoked: ReadonlySet<string>
}

export function MetricHistory({ series, metric, revoked }: Props) {
  const { query } = useLocation()
  const step = stepOf(metric, query.get('step'))
  const range = RANGES.find(([name]) => name === query.get('range')) ?? RANGES.at(-1)!
  const key = `${seriesKey(series)} ${metric.metric_key} ${step} ${range[0]}`
  const history = useResource<History>(key, (signal, show) =>
    loadHistory(series, metric.metric_key, step, sinceOf(range[2]), signal, show),
  )
  const { declaration } = metric
  return (
    <section class="metric" aria-label={metric.metric_key}>
      <div class="metric-head">
        <h2>
          <Name text={metric.metric_key} />
        </h2>
        <span class="muted small">
          {declaration ? constraintText(declaration) : 'not declared by the newest run'}
          {declaration && !declaration.enforce && ' · not enforced'}
        </span>
      </div>
      <div class="toolbar metric-tools">
        {metric.steps.length > 1 && <StepChoice steps={metric.steps} chosen={step} />}
        <div class="segmented" role="group" aria-label="Time range">
          {RANGES.map(([name, word]) => (
            <button
              key={name}
              type="button"
              aria-pressed={range[0] === name}
              onClick={() => setQuery({ range: name === 'all' ? null : name })}
            >
              {word}
            </button>
          ))}
        </div>
        <span class="muted small metric-found" role="status">
          {history.data && found(history.data, history.isLoading)}
        </span>
      </div>
      <Loaded of={history} what="history" rows={8}>
        {({ items }) =>
          items.length === 0 ? (
            <div class="panel">
              <Empty title="No values in this time.">
                {range[2] !== null && (
                  <button type="button" class="button button-small" onClick={() => setQuery({ range: null })}>
                    Show all
                  </button>
                )}
              </Empty>
            </div>
          ) : step !== null ? (
            <OneStep items={items} revoked={revoked} label={`${metric.metric_key}, ${stepPhrase(step)}`} />
          ) : metric.steps.length <= MOST_MULTIPLES ? (
            <SomeSteps items={items} revoked={revoked} series={series} metric={metric} />
          ) : (
            <ManySteps items={items} revoked={revoked} metric={metric.metric_key} />
          )
        }
      </Loaded>
    </section>
  )
}

function OneStep({
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
      <FailingSince chart={chart} />
      <div class="panel chart-panel">
        <Plot chart={chart} label={label} />
        <div class="chart-foot">
          <Legend chart={chart} />
          <span class="muted small">
            axis in UTC
            <span class="chart-handling">
              {' '}
              · drag to zoom, double click for all · keys: ← → walk, N P failures
            </span>
          </span>
        </div>
      </div>
      <PointsTable chart={chart} />
    </>
  )
}

function SomeSteps({ items, revoked, series, metric }: Props & { items: readonly HistoryPoint[] }) {
  const charts = useMemo(
    () =>
      metric.steps.map((step) => ({
        step,
        chart: historyChart(
          items.filter((item) => item.step === step),
          revoked,
        ),
      })),
    [items, revoked, metric],
  )
  return <Multiples series={series} metric={metric.metric_key} charts={charts} />
}

function ManySteps(props: { items: readonly HistoryPoint[]; revoked: ReadonlySet<string>; metric: string }) {
  return (
    <div class="panel chart-panel">
      <HeatMap {...props} />
      <ul class="legend heat-legend" aria-label="Legend">
        <li>
          <span class="heat-scale" aria-hidden="true" /> from the lower bound over the mean to the upper
        </li>
        <li>
          <span class="heat-fail" aria-hidden="true">
            ×
          </span>{' '}
          failed
        </li>
        <li>
          <span class="heat-none" aria-hidden="true" /> not compared
        </li>
      </ul>
    </div>
  )
}

function StepChoice({ steps, chosen }: { steps: readonly number[]; chosen: number | null }) {
  return (
    <label class="step-choice">
      <span class="muted">Step</span>
      <select
        class="select"
        value={chosen === null ? '' : String(chosen)}
        onChange={(event) => setQuery({ step: event.currentTarget.value })}
      >
        <option value="">all {count(steps.length)}</option>
        {steps.map((step) => (
          <option key={step} value={String(step)}>
            {stepPhrase(step)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** null is all steps; a metric of one step has no other choice. */
function stepOf({ steps }: CoordinateItem, asked: string | null): number | null {
  if (steps.length === 1) return steps[0]!
  const step = asked === null || asked === '' ? null : Number(asked)
  return step !== null && Number.isSafeInteger(step) ? step : null
}

function sinceOf(days: number | null): string | null {
  return days === null ? null : new Date(Date.now() - days * 86_400_000).toISOString()
}

function found({ items, isCut }: History, isLoading: boolean): string {
  if (isLoading) return `${plural(items.length, 'value')} so far …`
  return isCut ? `the newest ${plural(items.length, 'value')}` : plural(items.length, 'value')
}
