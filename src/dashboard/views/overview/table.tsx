/** The series, a row each. */
import { seriesHref } from '../../hrefs'
import { useKept } from '../../hooks/use-kept'
import { Name } from '../../parts/name'
import { count, plural, share, Value } from '../../parts/number'
import { RunStrip } from '../../parts/run-strip'
import { SeriesName } from '../../parts/series-name'
import { Sparkline } from '../../parts/sparkline'
import { StatusMark, TrustMark } from '../../parts/status'
import { type Column, type Sort, VirtualTable } from '../../parts/table'
import { Time } from '../../parts/time'
import { loadRecent, type Recent } from './recent'
import type { Row } from './rows'

const COLUMNS: ReadonlyArray<Column<Row>> = [
  {
    id: 'series',
    head: 'Series',
    sorts: true,
    cell: ({ series }) => <SeriesName series={series} href={seriesHref(series)} />,
  },
  {
    id: 'outcome',
    head: 'Last run',
    cell: ({ series: { last_outcome: outcome, last_run: run } }) => (
      <span class="outcome">
        {outcome === null ? (
          <StatusMark status="inactive" word="imported" />
        ) : (
          <StatusMark status={outcome} />
        )}
        {!run.trusted && outcome !== 'fail' && <TrustMark trusted={false} quiet />}
      </span>
    ),
  },
  { id: 'recent', head: 'Recent runs', cell: (row) => <Strip row={row} /> },
  { id: 'lead', head: 'Metric', cell: (row) => <Course row={row} /> },
  {
    id: 'trusted',
    head: 'Trusted',
    sorts: true,
    cell: ({ series: { trusted_runs: trusted, runs } }) => (
      <span class="share" title={`${count(trusted)} of ${plural(runs, 'run')} trusted`}>
        <svg class="share-bar" viewBox="0 0 64 4" width="64" height="4" aria-hidden="true">
          <rect class="share-all" width="64" height="4" rx="2" />
          <rect class="share-part" width={runs === 0 ? 0 : (64 * trusted) / runs} height="4" rx="2" />
        </svg>
        <span>{share(trusted, runs)}</span>
        <span class="muted small">of {count(runs)}</span>
      </span>
    ),
  },
  {
    id: 'last',
    head: 'Finished',
    sorts: true,
    cell: ({ series }) => <Time iso={series.last_run.created_at} form="stacked" />,
  },
]

export function SeriesTable(props: { rows: readonly Row[]; sort: Sort; onSort: (sort: Sort) => void }) {
  return (
    <VirtualTable
      id="overview"
      label="Series"
      columns={COLUMNS}
      keyOf={({ key }) => key}
      rowHeight={{ wide: 60, narrow: 136 }}
      rowClass={({ series }) => (series.last_outcome === 'fail' ? 'row-fail' : undefined)}
      {...props}
    />
  )
}

/** Anew with every run, and whenever trust was taken or given back. */
function useRecent({ key, series }: Row): Recent | null | undefined {
  return useKept(`recent ${key} ${series.last_run.run_id} ${series.trusted_runs}`, (signal) =>
    loadRecent(series, signal),
  )
}

function Strip({ row }: { row: Row }) {
  const recent = useRecent(row)
  return recent ? <RunStrip runs={recent.runs} /> : null
}

function Course({ row }: { row: Row }) {
  const lead = useRecent(row)?.lead
  if (!lead) return null
  return (
    <a class="course" href={seriesHref(row.series, { metric: lead.metric, step: lead.step })}>
      <span class="course-text small">
        <Name text={lead.metric} />
        <span class="muted">
          <Value value={lead.last} />
        </span>
      </span>
      <Sparkline points={lead.points} label={lead.metric} />
    </a>
  )
}
