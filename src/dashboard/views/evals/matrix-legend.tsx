/** What the marks of a matrix mean; each chooses its state. And the harnesses that are shown, where not all fit. */
import { Icon } from '../../parts/icon'
import { count } from '../../parts/number'
import { setQuery } from '../../router'
import { CellMark } from './cell-mark'
import { CELL_STATES, type CellState, type Matrix, STATE_WORDS } from './cells'

export function Legend({ matrix, wanted }: { matrix: Matrix; wanted: CellState | null }) {
  const total = matrix.tasks.reduce(
    (sum, { groups }) => sum + groups.reduce((n, { cells }) => n + cells.length, 0),
    0,
  )
  return (
    <div class="cell-legend" role="group" aria-label="Show cells by state">
      <button type="button" aria-pressed={wanted === null} onClick={() => setQuery({ state: null })}>
        All <span class="muted">{count(total)}</span>
      </button>
      {CELL_STATES.filter(
        (state) => state !== 'unplanned' && (matrix.counts[state] > 0 || state === wanted),
      ).map((state) => (
        <button
          key={state}
          type="button"
          aria-pressed={wanted === state}
          onClick={() => setQuery({ state: wanted === state ? null : state })}
        >
          <CellMark state={state} /> {STATE_WORDS[state]}{' '}
          <span class="muted">{count(matrix.counts[state])}</span>
        </button>
      ))}
    </div>
  )
}

interface PagesProps {
  readonly page: number
  readonly pages: number
  readonly first: number
  readonly shown: number
  readonly total: number
}

export function HarnessPages({ page, pages, first, shown, total }: PagesProps) {
  const to = (target: number) => setQuery({ page: target === 0 ? null : String(target + 1) })
  return (
    <div class="harness-pages" role="group" aria-label="Harnesses">
      <button
        type="button"
        class="icon-button"
        aria-label="Harnesses before"
        disabled={page === 0}
        onClick={() => to(page - 1)}
      >
        <Icon name="left" size={14} />
      </button>
      <span class="muted small">
        {shown === 1 ? `harness ${first + 1}` : `harnesses ${first + 1} to ${first + shown}`} of{' '}
        {count(total)}
      </span>
      <button
        type="button"
        class="icon-button"
        aria-label="Further harnesses"
        disabled={page === pages - 1}
        onClick={() => to(page + 1)}
      >
        <Icon name="right" size={14} />
      </button>
    </div>
  )
}
