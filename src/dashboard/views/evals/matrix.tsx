/**
 * Every planned cell of a grid: tasks down, harnesses across, their repeats side by side. One cell is in the tab order;
 * arrows walk, and what the legend chooses is found one after another. Rows out of sight do not exist, and where
 * harnesses do not fit the window they are shown by the page.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { NARROW, useMedia } from '../../hooks/use-media'
import { useWidth } from '../../hooks/use-width'
import { useWindowRange } from '../../hooks/use-window-range'
import type { Grid } from '../../api/types'
import { Icon } from '../../parts/icon'
import { Name } from '../../parts/name'
import { count } from '../../parts/number'
import { Empty } from '../../parts/states'
import { setQuery, useLocation } from '../../router'
import { CELL_STATES, type CellState, type Matrix, STATE_WORDS, type TaskRow } from './cells'
import { CellReadout } from './cell-readout'
import { type At, layOut, nextIn, step } from './matrix-layout'
import { HarnessPages, Legend } from './matrix-legend'
import { idOf, Row } from './matrix-row'

interface Props {
  readonly grid: Grid
  readonly matrix: Matrix
  readonly isWhole: boolean
}

export function MatrixView({ grid, matrix, isWhole }: Props) {
  const { query } = useLocation()
  const place = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const isNarrow = useMedia(NARROW)
  const wanted = CELL_STATES.find((state) => state === query.get('state')) ?? null
  const text = query.get('q') ?? ''
  const figures = useMemo(() => new Map(grid.by_task.map((one) => [one.task, one])), [grid])
  const rows = useMemo(() => filtered(matrix, wanted, text), [matrix, wanted, text])
  const layout = layOut(width, matrix.harnesses.length, grid.repeats, isNarrow)
  const pages = Math.ceil(matrix.harnesses.length / layout.harnesses)
  const page = Math.min(pages, Math.max(1, Number(query.get('page')) || 1)) - 1
  const first = page * layout.harnesses
  const shown = matrix.harnesses.slice(first, first + layout.harnesses)
  const { start, end, reveal } = useWindowRange(body, rows.length, layout.rowPx)
  const [at, setAt] = useState<At>({ row: 0, harness: 0, repeat: 0 })
  const [hasSought, setSought] = useState(false)
  const current = rows[at.row]?.groups[at.harness]?.cells[at.repeat] ?? null

  // What is filtered away takes the place in the grid along.
  useEffect(() => {
    const start = { row: 0, harness: 0, repeat: 0 }
    const isThere = rows[0]?.groups[0]?.cells[0]?.state === wanted
    setAt(wanted === null || isThere ? start : (nextIn(rows, wanted, start, 1) ?? start))
    setSought(false)
  }, [wanted, text, isWhole])
  // One cell is in the tab order, and it has to exist.
  const isAtShown =
    at.row >= start && at.row < end && at.harness >= first && at.harness < first + layout.harnesses
  const tabbable = isAtShown ? at : { row: start, harness: first, repeat: 0 }

  function go(to: At) {
    setAt(to)
    const itsPage = Math.floor(to.harness / layout.harnesses)
    if (itsPage !== page) setQuery({ page: itsPage === 0 ? null : String(itsPage + 1) })
    reveal(to.row, () => body.current?.querySelector<HTMLElement>(`[data-at="${idOf(to)}"]`)?.focus())
  }

  function walk(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const to =
      event.key === 'n' || event.key === 'p'
        ? nextIn(rows, wanted ?? 'missing', at, event.key === 'n' ? 1 : -1)
        : step(rows, at, event.key)
    if (to === null) return
    event.preventDefault()
    go(to)
  }

  const found = wanted === null ? 0 : matrix.counts[wanted]
  return (
    <section class="matrix-section" aria-label="Cells">
      <Legend matrix={matrix} wanted={wanted} />
      <div class="toolbar matrix-tools">
        <label class="search">
          <Icon name="search" />
          <input
            class="input"
            type="search"
            placeholder="Search task"
            aria-label="Search tasks"
            value={text}
            onInput={(event) => setQuery({ q: event.currentTarget.value })}
          />
        </label>
        {wanted !== null && wanted !== 'unplanned' && found > 0 && (
          <button
            type="button"
            class="button"
            onClick={() => {
              // Where one begins may be such a cell.
              const to = !hasSought && current?.state === wanted ? at : nextIn(rows, wanted, at, 1)
              setSought(true)
              if (to !== null) go(to)
            }}
          >
            Next {STATE_WORDS[wanted]} cell <Icon name="right" size={14} />
          </button>
        )}
        {pages > 1 && (
          <HarnessPages
            page={page}
            pages={pages}
            first={first}
            shown={shown.length}
            total={matrix.harnesses.length}
          />
        )}
        <span class="muted small matrix-found" role="status">
          {!isWhole
            ? 'loading rows …'
            : rows.length === matrix.tasks.length
              ? `${count(rows.length)} tasks`
              : `${count(rows.length)} of ${count(matrix.tasks.length)} tasks`}
        </span>
      </div>
      <div ref={place} class="panel matrix-place" style={layout.style}>
        {rows.length === 0 ? (
          <Empty title="No task fits.">
            <button
              type="button"
              class="button button-small"
              onClick={() => setQuery({ q: null, state: null })}
            >
              Clear the filters
            </button>
          </Empty>
        ) : (
          width > 0 && (
            <div
              class="matrix"
              role="grid"
              aria-label="Cells by task and harness"
              aria-rowcount={rows.length + 1}
              aria-colcount={matrix.harnesses.length * grid.repeats + 1}
            >
              <div role="rowgroup" class="table-head">
                <div role="row" class="table-row matrix-row" aria-rowindex={1}>
                  <div role="columnheader" class="matrix-task">
                    Task
                  </div>
                  {shown.map((harness) => (
                    <div key={harness} role="columnheader" class="matrix-harness" aria-colspan={grid.repeats}>
                      <Name text={harness} mono={false} />
                    </div>
                  ))}
                  {!isNarrow && (
                    <div role="columnheader" class="matrix-rate">
                      Pass rate
                    </div>
                  )}
                </div>
              </div>
              <div
                ref={body}
                role="rowgroup"
                class="table-body"
                style={{ height: `${rows.length * layout.rowPx}px` }}
                onKeyDown={walk}
              >
                {rows.slice(start, end).map((row, offset) => (
                  <Row
                    key={row.task}
                    row={row}
                    {...(!isNarrow && { figures: figures.get(row.task) })}
                    index={start + offset}
                    top={(start + offset) * layout.rowPx}
                    height={layout.rowPx}
                    first={first}
                    most={layout.harnesses}
                    at={at}
                    tabbable={tabbable}
                    wanted={wanted}
                    onAt={setAt}
                  />
                ))}
              </div>
            </div>
          )
        )}
      </div>
      <CellReadout cell={current} grid={grid} />
    </section>
  )
}

function filtered({ tasks }: Matrix, wanted: CellState | null, text: string): readonly TaskRow[] {
  const needle = text.trim().toLowerCase()
  return tasks.filter(
    ({ task, groups }) =>
      task.toLowerCase().includes(needle) &&
      (wanted === null || groups.some(({ cells }) => cells.some(({ state }) => state === wanted))),
  )
}
