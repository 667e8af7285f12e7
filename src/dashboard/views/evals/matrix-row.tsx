/** A task of a matrix: its cells by harness, and what part of them passed. */
import type { Grid } from '../../api/types'
import { Name } from '../../parts/name'
import { count, share } from '../../parts/number'
import { CellMark } from './cell-mark'
import { type Cell, type CellState, STATE_WORDS, type TaskRow } from './cells'
import type { At } from './matrix-layout'

interface RowProps {
  readonly row: TaskRow
  readonly figures?: Grid['by_task'][number] | undefined
  readonly index: number
  readonly top: number
  readonly height: number
  readonly first: number
  readonly most: number
  readonly at: At
  readonly tabbable: At
  readonly wanted: CellState | null
  readonly onAt: (at: At) => void
}

export function Row(props: RowProps) {
  const { row, figures, index, top, height, first, most, at, tabbable, wanted, onAt } = props
  return (
    <div
      role="row"
      class="table-row matrix-row"
      aria-rowindex={index + 2}
      style={{ top: `${top}px`, height: `${height}px` }}
    >
      <div role="rowheader" class="matrix-task">
        <Name text={row.task} />
      </div>
      {row.groups.slice(first, first + most).map(({ harness, cells }, group) => (
        <div key={harness} class="matrix-group" role="presentation">
          {cells.map((cell, repeat) => {
            const here = { row: index, harness: first + group, repeat }
            return (
              <div
                key={repeat}
                role="gridcell"
                class={`matrix-cell ${wanted !== null && cell.state !== wanted ? 'matrix-cell-dim' : ''}`}
                aria-label={cellWords(cell)}
                aria-selected={isSame(at, here)}
                tabIndex={isSame(tabbable, here) ? 0 : -1}
                data-at={idOf(here)}
                onFocus={() => onAt(here)}
                onMouseEnter={() => onAt(here)}
              >
                <CellMark state={cell.state} />
              </div>
            )
          })}
        </div>
      ))}
      {figures && (
        <div role="cell" class="matrix-rate">
          {figures.pass_rate === null ? '—' : share(figures.pass_rate * figures.scored_n, figures.scored_n)}
          <span class="muted small"> of {count(figures.scored_n)}</span>
        </div>
      )}
    </div>
  )
}

function isSame(one: At, other: At): boolean {
  return one.row === other.row && one.harness === other.harness && one.repeat === other.repeat
}

function cellWords({ task, harness, repeat, state }: Cell): string {
  return `${task}, ${harness}, repeat ${repeat}: ${state === null ? 'not loaded yet' : STATE_WORDS[state]}`
}

/** By which a cell is found in the document. */
export function idOf({ row, harness, repeat }: At): string {
  return `${row}-${harness}-${repeat}`
}
