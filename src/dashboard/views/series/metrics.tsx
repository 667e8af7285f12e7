/** Which metric of a series is shown: a list to search on a wide screen, a choice on a narrow one. */
import { visibleText } from '../../../charts/visible-text'
import { useMemo, useState } from 'preact/hooks'
import type { CoordinateItem, Declaration, Series } from '../../api/types'
import { NARROW, useMedia } from '../../hooks/use-media'
import { seriesHref } from '../../hrefs'
import { Icon } from '../../parts/icon'
import { Name } from '../../parts/name'
import { count, plural } from '../../parts/number'
import { navigate, useLocation } from '../../router'

/** More than these are found by searching. */
const MOST_SHOWN = 200
const WORTH_SEARCHING = 8

interface Props {
  readonly series: Series
  readonly metrics: readonly CoordinateItem[]
  readonly chosen: string
}

export function MetricPicker(props: Props) {
  return useMedia(NARROW) ? <MetricSelect {...props} /> : <MetricList {...props} />
}

function MetricSelect({ series, metrics, chosen }: Props) {
  const range = useLocation().query.get('range')
  return (
    <label class="field metric-select">
      <span class="small muted">Metric</span>
      <select
        class="select mono"
        value={chosen}
        onChange={(event) =>
          navigate(seriesHref(series, { metric: event.currentTarget.value, range }), { replace: true })
        }
      >
        {metrics.map(({ metric_key: metric }) => (
          <option key={metric} value={metric}>
            {visibleText(metric)}
          </option>
        ))}
      </select>
    </label>
  )
}

function MetricList({ series, metrics, chosen }: Props) {
  const range = useLocation().query.get('range')
  const [text, setText] = useState('')
  const found = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    return metrics.filter(({ metric_key: metric }) =>
      words.every((word) => metric.toLowerCase().includes(word)),
    )
  }, [metrics, text])
  return (
    <nav class="metric-list panel" aria-label="Metrics">
      <h2>{plural(metrics.length, 'metric')}</h2>
      {metrics.length > WORTH_SEARCHING && (
        <label class="search">
          <Icon name="search" />
          <input
            class="input"
            type="search"
            placeholder="Search"
            aria-label="Search metrics"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
      )}
      <ul>
        {found.slice(0, MOST_SHOWN).map((item) => (
          <li key={item.metric_key}>
            <a
              href={seriesHref(series, { metric: item.metric_key, range })}
              {...(item.metric_key === chosen && { 'aria-current': 'true' as const })}
            >
              <Name text={item.metric_key} />
              <span class="muted small">{summary(item)}</span>
            </a>
          </li>
        ))}
      </ul>
      {found.length > MOST_SHOWN && (
        <p class="muted small">{count(found.length - MOST_SHOWN)} more: search for them</p>
      )}
      {found.length === 0 && <p class="muted small">No metric fits.</p>}
    </nav>
  )
}

function summary({ steps, declaration }: CoordinateItem): string {
  const many = steps.length === 1 ? '' : `${plural(steps.length, 'step')} · `
  return `${many}${declaration === null ? 'not declared any more' : constraintText(declaration)}`
}

/** How the metric is judged: `rel_up 0.1, rel_down 0.05`, `at least 0.95`. */
export function constraintText({ constraint, hard_ref: limit }: Declaration): string {
  if (limit !== null) {
    const { min, max } = limit
    return [min === null ? null : `at least ${min}`, max === null ? null : `at most ${max}`]
      .filter(Boolean)
      .join(', ')
  }
  return Object.entries(constraint ?? {})
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}
