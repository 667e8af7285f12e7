/** What stands in the cell that is pointed at or focused: its state in words, and its rows as they came. */
import type { Grid, GridRow } from '../../api/types'
import { Name } from '../../parts/name'
import { CellMark } from './cell-mark'
import { type Cell, rowState, STATE_WORDS } from './cells'

const MOST_TEXT = 400

export function CellReadout({ cell, grid }: { cell: Cell | null; grid: Grid }) {
  return (
    <section class="panel cell-readout" aria-label="Chosen cell">
      {cell === null ? (
        <p class="muted">No cell is chosen.</p>
      ) : (
        <>
          <p class="cell-readout-head">
            <CellMark state={cell.state} />
            <strong>{cell.state === null ? 'not loaded yet' : STATE_WORDS[cell.state]}</strong>
            <Name text={cell.task} />
            <span class="muted">
              <Name text={cell.harness} mono={false} />
            </span>
            <span class="muted">repeat {cell.repeat}</span>
          </p>
          {cell.state === 'missing' && <p class="muted">The plan holds this cell, and no row came for it.</p>}
          {cell.rows.map((row, index) => (
            <RowFacts key={index} row={row} grid={grid} isExtra={index > 0} />
          ))}
        </>
      )}
      <p class="muted small cell-readout-hint">
        Arrows walk the cells; <kbd>n</kbd> and <kbd>p</kbd> go to the next and the previous one of the chosen
        state, or to a missing one.
      </p>
    </section>
  )
}

function RowFacts({ row, grid, isExtra }: { row: GridRow; grid: Grid; isExtra: boolean }) {
  const { reward, error, metrics } = row
  return (
    <p class="cell-row">
      {isExtra && <span class="muted">further row, {STATE_WORDS[rowState(grid, row)]}: </span>}
      <span>
        reward <bdi class="mono">{asText(reward)}</bdi>
      </span>
      {error !== null && (
        <span class="cell-error">
          error <bdi class="mono">{asText(error)}</bdi>
        </span>
      )}
      {metrics !== null && (
        <span class="muted">
          metrics <bdi class="mono">{asText(metrics)}</bdi>
        </span>
      )}
    </p>
  )
}

/** As it came; a long one is cut. */
function asText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, bigintAsText) ?? '—')
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
