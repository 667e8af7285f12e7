/** Values that fail in a replay, newest first, each against the corridor that it was judged by. */
import { useMemo } from 'preact/hooks'
import type { Double, FailingCandidate } from '../../api/types'
import { seriesHref } from '../../hrefs'
import { corridorText } from '../../parts/chart/readout'
import { CorridorBar } from '../../parts/corridor-bar'
import { Icon } from '../../parts/icon'
import { Name } from '../../parts/name'
import { Value } from '../../parts/number'
import { SeriesName } from '../../parts/series-name'
import { StatusMark } from '../../parts/status'
import { stepPhrase } from '../../parts/step'
import { type Column, VirtualTable } from '../../parts/table'
import { Time } from '../../parts/time'
import { RUN_COLUMN } from './places'
import { ShowMore, useSome } from './show-more'

/** A section of thousands would bury the ones beneath it. */
const AT_A_TIME = 12

const COLUMNS: ReadonlyArray<Column<FailingCandidate>> = [
  {
    id: 'series',
    head: 'Series',
    cell: ({ series, metric_key: metric, step }) => (
      <SeriesName series={series} href={seriesHref(series, { metric, step })} />
    ),
  },
  {
    id: 'metric',
    head: 'Metric',
    cell: ({ metric_key: metric, step, insufficient_history: isShort }) => (
      <div class="candidate-metric">
        <Name text={metric} />
        <span class="muted small">
          {stepPhrase(step)}
          {isShort && ' · too little history to be enforced'}
        </span>
      </div>
    ),
  },
  {
    id: 'value',
    head: 'Value',
    align: 'end',
    cell: ({ value, side }) => (
      <span class={`candidate-value side side-${side ?? 'none'}`}>
        {side !== null && <Icon name={side === 'above' ? 'up' : 'down'} size={12} />}
        <Value value={value} />
        {side !== null && <span class="visually-hidden"> {side}</span>}
      </span>
    ),
  },
  {
    id: 'bar',
    head: 'Against the corridor',
    cell: ({ value, mean, lower, upper }) => (
      <CorridorBar value={finite(value)} mean={mean} lower={finite(lower)} upper={finite(upper)} failed />
    ),
  },
  {
    id: 'corridor',
    head: 'Corridor',
    align: 'end',
    cell: ({ lower, upper }) => <span class="muted">{corridorText(finite(lower), finite(upper))}</span>,
  },
  RUN_COLUMN,
  { id: 'time', head: 'Time', cell: ({ created_at: at }) => <Time iso={at} form="stacked" /> },
]

export function Candidates({
  id,
  label,
  items,
}: {
  id: 'trusted' | 'untrusted'
  label: string
  items: readonly FailingCandidate[]
}) {
  // The API tells the oldest first.
  const rows = useMemo(() => [...items].reverse(), [items])
  const some = useSome(rows, AT_A_TIME)
  return (
    <>
      <p class="candidates-note">
        <StatusMark
          status={id}
          quiet
          word={id === 'trusted' ? 'their runs are trusted' : 'their runs are untrusted'}
        />
      </p>
      <VirtualTable
        id="candidates"
        label={`${label}, newest first`}
        rows={some.shown}
        columns={COLUMNS}
        keyOf={({ run_id: run, metric_key: metric, step }) => `${run} ${step} ${metric}`}
        rowHeight={{ wide: 52, narrow: 116 }}
      />
      <ShowMore of={some} total={rows.length} />
    </>
  )
}

function finite(value: Double | null): number | null {
  return typeof value === 'number' ? value : null
}
