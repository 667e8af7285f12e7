/** The runs that a revocation matched; what it flipped stands first. Each row in sight asks what its run is. */
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { get } from '../../api/client'
import type { Revocation, Run } from '../../api/types'
import { useKept } from '../../hooks/use-kept'
import { runHref, seriesHref } from '../../hrefs'
import { ShortId } from '../../parts/name'
import { SeriesName } from '../../parts/series-name'
import { Empty } from '../../parts/states'
import { StatusMark, TrustMark } from '../../parts/status'
import { VirtualTable } from '../../parts/table'
import { Time } from '../../parts/time'

interface Row {
  readonly id: string
  readonly isFlipped: boolean
  /** What is kept of a run says whether it is trusted, which an undo changes. */
  readonly key: string
}

export function FlippedRuns({ revocation }: { revocation: Revocation }) {
  const rows = useMemo(() => rowsOf(revocation), [revocation])
  if (rows.length === 0) {
    return (
      <div class="panel">
        <Empty title="No run matched." />
      </div>
    )
  }
  return (
    <VirtualTable
      id="flipped"
      label="Runs, flipped ones first"
      rows={rows}
      keyOf={({ id }) => id}
      rowHeight={{ wide: 52, narrow: 96 }}
      columns={[
        {
          id: 'run',
          head: 'Run',
          cell: ({ id }) => (
            <a href={runHref(id)}>
              <ShortId id={id} length={13} />
            </a>
          ),
        },
        {
          id: 'series',
          head: 'Series',
          cell: (row) => (
            <OfRun row={row}>
              {({ series }) => <SeriesName series={series} href={seriesHref(series)} />}
            </OfRun>
          ),
        },
        {
          id: 'effect',
          head: 'Effect then',
          cell: ({ isFlipped }) =>
            isFlipped ? (
              <StatusMark status="revoked" word="flipped" />
            ) : (
              <StatusMark status="inactive" word="untrusted already" />
            ),
        },
        {
          id: 'now',
          head: 'Now',
          cell: (row) => <OfRun row={row}>{(run) => <TrustMark trusted={run.trusted} quiet />}</OfRun>,
        },
        {
          id: 'time',
          head: 'Run of',
          cell: (row) => <OfRun row={row}>{({ created_at: at }) => <Time iso={at} form="stacked" />}</OfRun>,
        },
      ]}
    />
  )
}

function OfRun({ row, children }: { row: Row; children: (run: Run) => ComponentChildren }) {
  const run = useKept(row.key, (signal) => get<Run>(`/v1/runs/${encodeURIComponent(row.id)}`, { signal }))
  if (run === undefined) return <span class="muted">…</span>
  return run === null ? <span class="muted">—</span> : <>{children(run)}</>
}

function rowsOf({
  revocation_id: revocation,
  run_ids: flipped,
  matched_run_ids: matched,
  undone,
}: Revocation): readonly Row[] {
  const isFlipped = new Set(flipped)
  const row = (id: string): Row => ({
    id,
    isFlipped: isFlipped.has(id),
    key: `revoked ${revocation} ${undone?.created_at} ${id}`,
  })
  return [...flipped, ...matched.filter((id) => !isFlipped.has(id))].map(row)
}
