/** Every revocation that was made, newest first; undone ones are told from standing ones by icon and word. */
import { get } from '../../api/client'
import type { Page, Revocation } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { revocationHref } from '../../hrefs'
import { Name } from '../../parts/name'
import { count, plural } from '../../parts/number'
import { PageHead } from '../../parts/page-head'
import { Pager } from '../../parts/pager'
import { Empty, Loaded } from '../../parts/states'
import { StatusMark } from '../../parts/status'
import { type Column, VirtualTable } from '../../parts/table'
import { Time } from '../../parts/time'
import { useLocation } from '../../router'
import './revocations.css'

const PATH = '/revocations'
const PER_PAGE = 50

const COLUMNS: ReadonlyArray<Column<Revocation>> = [
  { id: 'status', head: 'Status', cell: ({ undone }) => <Standing undone={undone !== null} /> },
  {
    id: 'reason',
    head: 'Reason',
    cell: ({ revocation_id: id, reason }) => (
      <a class="revocation-link" href={revocationHref(id ?? '')} title={reason}>
        <bdi dir="auto">{reason}</bdi>
      </a>
    ),
  },
  {
    id: 'runs',
    head: 'Runs flipped',
    align: 'end',
    cell: ({ revoked, matched_run_ids: matched }) => (
      <>
        {count(revoked)}
        <span class="revocation-unit"> {revoked === 1 ? 'run' : 'runs'} flipped</span>
        {matched.length > revoked && <span class="muted small"> of {count(matched.length)}</span>}
      </>
    ),
  },
  {
    id: 'impact',
    head: 'Impact',
    cell: ({ impact: { coordinates_total: coordinates, verdicts_total: verdicts } }) => (
      <span class="muted">
        {plural(coordinates, 'coordinate')}, {plural(verdicts, 'verdict')}
      </span>
    ),
  },
  { id: 'actor', head: 'By', cell: ({ actor }) => <Name text={actor} mono={false} /> },
  { id: 'time', head: 'Time', cell: ({ created_at: at }) => <Time iso={at} form="stacked" /> },
]

export function RevocationsView() {
  const { query } = useLocation()
  const cursor = query.get('cursor')
  const page = useResource(`revocations ${cursor}`, (signal) =>
    get<Page<Revocation>>('/v1/admin/revocations', { query: { limit: PER_PAGE, cursor }, signal }),
  )
  return (
    <>
      <PageHead title="Revocations" below="Whose trust was taken, why, and what that changed" />
      <Loaded of={page} what="revocations" rows={8}>
        {({ items, next_cursor: next }) =>
          items.length === 0 ? (
            <div class="panel">
              <Empty title={cursor === null ? 'Nothing was ever revoked.' : 'There are no older ones.'}>
                A run that was trusted by mistake is revoked in its own view, or from a{' '}
                <a href="/replay">replay</a>.
              </Empty>
            </div>
          ) : (
            <>
              <VirtualTable
                id="revocations"
                label="Revocations, newest first"
                rows={items}
                columns={COLUMNS}
                keyOf={({ revocation_id: id }) => id ?? ''}
                rowHeight={{ wide: 52, narrow: 92 }}
              />
              <Pager path={PATH} query={query} next={next} />
            </>
          )
        }
      </Loaded>
    </>
  )
}

export function Standing({ undone }: { undone: boolean }) {
  return undone ? <StatusMark status="undone" /> : <StatusMark status="revoked" word="standing" />
}
