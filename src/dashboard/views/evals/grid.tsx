/** A grid: whether it is complete, its figures, and every cell of it by state. */
import { useMemo } from 'preact/hooks'
import { get, getAll } from '../../api/client'
import type { Grid, GridRow } from '../../api/types'
import { useResource } from '../../hooks/use-resource'
import { Name } from '../../parts/name'
import { count, plural, share, short } from '../../parts/number'
import { PageHead } from '../../parts/page-head'
import { Empty, Failure, Loaded } from '../../parts/states'
import { Time } from '../../parts/time'
import type { ViewProps } from '../../view-props'
import { CellMark } from './cell-mark'
import { matrixOf, rowState, STATE_WORDS } from './cells'
import { Completeness } from './grid-list'
import { MatrixView } from './matrix'
import './evals.css'

const MOST_UNPLANNED = 50
/** What is there is shown when it has grown by so much. */
const MORE_ENOUGH = 2

interface Rows {
  readonly items: readonly GridRow[]
  readonly isWhole: boolean
}

export function GridView({ params }: ViewProps) {
  const id = params.get('grid_id') ?? ''
  const path = `/v1/evals/grids/${encodeURIComponent(id)}`
  const grid = useResource(`grid ${id}`, (signal) => get<Grid>(path, { signal }))
  const rows = useResource<Rows>(grid.data ? `rows ${id}` : null, async (signal, show) => {
    // Drawn anew for every page, a grid of 200,000 rows would be sorted two hundred times.
    let shown = 0
    const onPage = (items: readonly GridRow[]) => {
      if (items.length < MORE_ENOUGH * shown) return
      shown = items.length
      show({ items: [...items], isWhole: false })
    }
    return { items: (await getAll<GridRow>(`${path}/results`, { signal, onPage })).items, isWhole: true }
  })
  const { data } = grid
  const name = data?.name ?? null
  return (
    <>
      <PageHead
        title={name === null ? 'Grid' : `Grid ${name}`}
        heading={name === null ? 'Grid' : <Name text={name} mono={false} />}
        above={<a href="/evals">Evals</a>}
        {...(data && {
          below: (
            <>
              <Completeness grid={data} />
              <span>
                {plural(data.by_task.length, 'task')} ×{' '}
                {plural(data.by_harness.length, 'harness', 'harnesses')} × {plural(data.repeats, 'repeat')}
              </span>
              <Time iso={data.created_at} form="line" />
            </>
          ),
        })}
      />
      <Loaded of={grid} what="grid" rows={8}>
        {(loaded) => (
          <>
            <Figures grid={loaded} />
            {rows.error && <Failure error={rows.error} what="rows of the grid" onRetry={rows.reload} />}
            {!rows.error && <Cells grid={loaded} rows={rows.data} />}
          </>
        )}
      </Loaded>
    </>
  )
}

function Cells({ grid, rows }: { grid: Grid; rows: Rows | undefined }) {
  const matrix = useMemo(() => matrixOf(grid, rows?.items ?? [], rows?.isWhole ?? false), [grid, rows])
  return (
    <>
      <MatrixView grid={grid} matrix={matrix} isWhole={rows?.isWhole ?? false} />
      {matrix.unplanned.length > 0 && (
        <section class="section" aria-labelledby="unplanned">
          <div class="section-head">
            <h2 id="unplanned">
              Unplanned rows <span class="muted">{count(matrix.unplanned.length)}</span>
            </h2>
            <span class="muted small">Their cells are not in the plan</span>
          </div>
          <ul class="panel unplanned">
            {matrix.unplanned.slice(0, MOST_UNPLANNED).map((row, index) => (
              <li key={index}>
                <CellMark state="unplanned" />
                <Name text={row.task} />
                <span class="muted">
                  <Name text={row.harness} mono={false} />, repeat {row.repeat},{' '}
                  {STATE_WORDS[rowState(grid, row)]}
                </span>
              </li>
            ))}
            {matrix.unplanned.length > MOST_UNPLANNED && (
              <li class="muted">and {count(matrix.unplanned.length - MOST_UNPLANNED)} more</li>
            )}
          </ul>
        </section>
      )}
      {grid.by_task.length === 0 && (
        <div class="panel">
          <Empty title="The plan holds no task." />
        </div>
      )}
    </>
  )
}

function Figures({ grid }: { grid: Grid }) {
  const {
    mean_reward: mean,
    pass_rate: rate,
    scored_n: n,
    pass_threshold: threshold,
    reward_range: range,
    counts,
  } = grid
  return (
    <dl class="panel facts">
      <div>
        <dt>Pass rate</dt>
        <dd>
          {rate === null ? '—' : share(rate * n, n)}{' '}
          <span class="muted small">of {plural(n, 'scored cell')}</span>
        </dd>
      </div>
      <div>
        <dt>Mean reward</dt>
        <dd>{short(mean === null ? null : Number(mean.toPrecision(4)))}</dd>
      </div>
      <div>
        <dt>Passed from</dt>
        <dd>{short(threshold)}</dd>
      </div>
      <div>
        <dt>Reward range</dt>
        <dd>{range === null ? 'any' : `${short(range.min)} to ${short(range.max)}`}</dd>
      </div>
      <div>
        <dt>Planned cells</dt>
        <dd>{count(counts.planned_cells)}</dd>
      </div>
    </dl>
  )
}
