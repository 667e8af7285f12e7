/** What the marks of a chart mean, those that it has. */
import type { HistoryChart } from '../../../charts/history-chart'
import { KIND_WORDS, POINT_KINDS, type PointKind } from '../../../charts/points'
import { count } from '../number'

const SHAPES: Readonly<Record<PointKind, string>> = {
  trusted: 'M11 7a4 4 0 1 0-8 0 4 4 0 1 0 8 0',
  unjudged: 'M11 7a4 4 0 1 0-8 0 4 4 0 1 0 8 0',
  failed: 'M7 1.8L12.2 11.4H1.8Z',
  untrusted: 'M7 1.6L12.4 7 7 12.4 1.6 7Z',
  revoked: 'M11 7a4 4 0 1 0-8 0 4 4 0 1 0 8 0M1.6 12.4L12.4 1.6',
}

export function KindMark({ kind }: { kind: PointKind }) {
  return (
    <svg class={`kind kind-${kind}`} viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
      <path d={SHAPES[kind]} />
    </svg>
  )
}

export function Legend({ chart }: { chart: HistoryChart }) {
  const { counts, corridor } = chart
  return (
    <ul class="legend" aria-label="Legend">
      {POINT_KINDS.filter((kind) => counts[kind] > 0).map((kind) => (
        <li key={kind}>
          <KindMark kind={kind} /> {KIND_WORDS[kind]} <span class="muted">{count(counts[kind])}</span>
        </li>
      ))}
      {corridor.areas.length > 0 && (
        <li>
          <svg class="kind-band" viewBox="0 0 20 14" width="20" height="14" aria-hidden="true">
            <path class="kind-band-fill" d="M0 2H20V12H0Z" />
            <path class="kind-band-edge" d="M0 2H20M0 12H20" />
            <path class="kind-band-mean" d="M0 7H20" />
          </svg>{' '}
          corridor and mean
        </li>
      )}
      {chart.notDrawn > 0 && <li class="muted">{count(chart.notDrawn)} not finite, not drawn</li>}
    </ul>
  )
}
