/** The points of a chart as a table, newest first. */
import { useMemo } from 'preact/hooks'
import type { HistoryChart } from '../../../charts/history-chart'
import { type ChartPoint, KIND_WORDS } from '../../../charts/points'
import { runHref } from '../../hrefs'
import { KindMark } from '../../parts/chart/legend'
import { corridorText } from '../../parts/chart/readout'
import { ShortId } from '../../parts/name'
import { Value, short } from '../../parts/number'
import { type Column, VirtualTable } from '../../parts/table'
import { Time } from '../../parts/time'

const COLUMNS: ReadonlyArray<Column<ChartPoint>> = [
  { id: 'time', head: 'Time', cell: ({ item }) => <Time iso={item.created_at} form="stacked" /> },
  {
    id: 'kind',
    head: 'Verdict',
    cell: ({ kind }) => (
      <span class={`kind-words kind-words-${kind}`}>
        <KindMark kind={kind} /> {KIND_WORDS[kind]}
      </span>
    ),
  },
  { id: 'value', head: 'Value', align: 'end', cell: ({ item }) => <Value value={item.value} /> },
  { id: 'mean', head: 'Mean', align: 'end', cell: ({ mean }) => <span class="muted">{short(mean)}</span> },
  {
    id: 'corridor',
    head: 'Corridor',
    align: 'end',
    cell: ({ lower, upper }) => <span class="muted">{corridorText(lower, upper)}</span>,
  },
  {
    id: 'commit',
    head: 'Commit',
    cell: ({ item }) => (item.commit_sha === null ? '—' : <ShortId id={item.commit_sha} length={10} />),
  },
  {
    id: 'run',
    head: 'Run',
    cell: ({ item }) => (
      <a href={runHref(item.run_id)}>
        <ShortId id={item.run_id} length={13} />
      </a>
    ),
  },
]

export function PointsTable({ chart }: { chart: HistoryChart }) {
  const rows = useMemo(() => [...chart.points].reverse(), [chart])
  return (
    <VirtualTable
      id="points"
      label="Values, newest first"
      rows={rows}
      columns={COLUMNS}
      keyOf={({ item }) => `${item.run_id} ${item.step} ${item.value}`}
      rowHeight={{ wide: 44, narrow: 72 }}
      rowClass={({ kind }) => (kind === 'failed' ? 'row-fail' : undefined)}
    />
  )
}
