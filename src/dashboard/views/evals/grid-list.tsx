/** Grids, newest first: complete or not, and what is wrong with those that are not. */
import { get } from '../../api/client'
import type { GridHead, Page } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { gridHref } from '../../hrefs'
import { Name, ShortId } from '../../parts/name'
import { count, share, short } from '../../parts/number'
import { Pager } from '../../parts/pager'
import { Empty, Loaded } from '../../parts/states'
import { StatusMark } from '../../parts/status'
import { type Column, VirtualTable } from '../../parts/table'
import { Time } from '../../parts/time'
import { CellMark } from './cell-mark'
import { type CellState, STATE_WORDS } from './cells'

const PER_PAGE = 50

const COLUMNS: ReadonlyArray<Column<GridHead>> = [
  { id: 'status', head: 'Grid', cell: (grid) => <Completeness grid={grid} /> },
  {
    id: 'name',
    head: 'Name',
    cell: ({ grid_id: id, name }) => (
      <a class="eval-link" href={gridHref(id)}>
        {name === null ? <ShortId id={id} length={13} /> : <Name text={name} mono={false} />}
      </a>
    ),
  },
  { id: 'faults', head: 'Not in order', cell: (grid) => <Faults grid={grid} /> },
  {
    id: 'cells',
    head: 'Cells',
    align: 'end',
    cell: ({ counts }) => (
      <>
        {count(counts.planned_cells)}
        <span class="eval-unit"> cells</span>
      </>
    ),
  },
  {
    id: 'rate',
    head: 'Pass rate',
    align: 'end',
    cell: ({ pass_rate: rate, scored_n: n }) => (
      <>
        {rate === null ? '—' : share(rate * n, n)}
        <span class="muted small"> of {count(n)}</span>
      </>
    ),
  },
  {
    id: 'mean',
    head: 'Mean reward',
    align: 'end',
    cell: ({ mean_reward: mean }) => short(mean === null ? null : Number(mean.toPrecision(4))),
  },
  { id: 'time', head: 'Time', cell: ({ created_at: at }) => <Time iso={at} form="stacked" /> },
]

export function GridList({ query }: { query: URLSearchParams }) {
  const cursor = query.get('cursor')
  const page = useResource(`grids ${cursor}`, (signal) =>
    get<Page<GridHead>>('/v1/evals/grids', { query: { limit: PER_PAGE, cursor }, signal }),
  )
  return (
    <Loaded of={page} what="grids" rows={8}>
      {({ items, next_cursor: next }) =>
        items.length === 0 ? (
          <div class="panel">
            <Empty title={cursor === null ? 'No grid was judged yet.' : 'There are no older ones.'}>
              Grids that are sent to <code>POST /v1/evals/grids</code> appear here;{' '}
              <code>gatehouse eval import</code> makes one of an eval tool’s log.
            </Empty>
          </div>
        ) : (
          <>
            <VirtualTable
              id="grids"
              label="Grids, newest first"
              rows={items}
              columns={COLUMNS}
              keyOf={({ grid_id: id }) => id}
              rowHeight={{ wide: 52, narrow: 120 }}
              rowClass={({ complete }) => (complete ? undefined : 'row-fail')}
            />
            <Pager path="/evals" query={query} next={next} />
          </>
        )
      }
    </Loaded>
  )
}

export function Completeness({ grid: { complete, dry_run: isDry } }: { grid: GridHead }) {
  return (
    <span class="completeness">
      <StatusMark status={complete ? 'pass' : 'fail'} word={complete ? 'complete' : 'incomplete'} />
      {isDry && <span class="muted small">dry run</span>}
    </span>
  )
}

const FAULTS: readonly CellState[] = ['missing', 'errored', 'unscored', 'duplicate', 'unplanned']

function Faults({ grid: { counts } }: { grid: GridHead }) {
  const found = FAULTS.filter((state) => counts[state as keyof typeof counts] > 0)
  if (found.length === 0) return <span class="muted">—</span>
  return (
    <span class="grid-faults">
      {found.map((state) => (
        <span key={state} class="grid-fault">
          <CellMark state={state} /> {count(counts[state as keyof typeof counts])} {STATE_WORDS[state]}
        </span>
      ))}
    </span>
  )
}
