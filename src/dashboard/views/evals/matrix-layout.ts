/** How a matrix fits its place, and where the keys lead in it. */
import type { CellState, TaskRow } from './cells'

const CELL_PX = 26
const GROUP_PADDING_PX = 12
/** A harness' name is to be read, however few its repeats. */
const LEAST_GROUP_PX = 92
const ROW_PADDING_PX = 8
const TASK_PX = { wide: 280, narrow: 132 }
const MOST_GROUP_PX = 200
/** The rate of each task stands at the end where there is room. */
const RATE_PX = { wide: 116, narrow: 0 }
const SIDES_PX = { wide: 32, narrow: 24 }

export interface Layout {
  /** How many harnesses are shown at a time. */
  readonly harnesses: number
  readonly rowPx: number
  readonly style: Readonly<Record<string, string>>
}

/** Repeats that do not fit into one line go on in the next. */
export function layOut(width: number, harnesses: number, repeats: number, isNarrow: boolean): Layout {
  const form = isNarrow ? 'narrow' : 'wide'
  const taskPx = TASK_PX[form]
  const room = Math.max(LEAST_GROUP_PX, width - taskPx - RATE_PX[form] - SIDES_PX[form])
  const perLine = Math.max(1, Math.min(repeats, Math.floor((room - GROUP_PADDING_PX) / CELL_PX)))
  const groupPx = Math.max(LEAST_GROUP_PX, perLine * CELL_PX + GROUP_PADDING_PX)
  const lines = Math.ceil(repeats / perLine)
  const fitting = Math.max(1, Math.min(harnesses, Math.floor(room / groupPx)))
  return {
    harnesses: fitting,
    rowPx: lines * CELL_PX + ROW_PADDING_PX,
    style: {
      '--columns': `minmax(${taskPx}px, 1fr) repeat(${fitting}, minmax(${groupPx}px, ${Math.max(groupPx, MOST_GROUP_PX)}px)) ${RATE_PX[form]}px`,
      '--matrix-repeats': String(perLine),
    },
  }
}

/** A place in the rows that are shown: all counts from 0. */
export interface At {
  readonly row: number
  readonly harness: number
  readonly repeat: number
}

const PAGE_ROWS = 12

/** Where a key leads; null for a key that does not lead anywhere. */
export function step(rows: readonly TaskRow[], at: At, key: string): At | null {
  const repeats = rows[0]?.groups[0]?.cells.length ?? 0
  const columns = (rows[0]?.groups.length ?? 0) * repeats
  if (columns === 0) return null
  const column = at.harness * repeats + at.repeat
  const target = {
    ArrowRight: [at.row, column + 1],
    ArrowLeft: [at.row, column - 1],
    ArrowDown: [at.row + 1, column],
    ArrowUp: [at.row - 1, column],
    PageDown: [at.row + PAGE_ROWS, column],
    PageUp: [at.row - PAGE_ROWS, column],
    Home: [at.row, 0],
    End: [at.row, columns - 1],
  }[key]
  if (target === undefined) return null
  const [row, to] = [clamp(target[0]!, rows.length), clamp(target[1]!, columns)]
  return { row, harness: Math.floor(to / repeats), repeat: to % repeats }
}

/** The next cell of a state in reading order, or the one before, round the end; null where there is none. */
export function nextIn(
  rows: readonly TaskRow[],
  state: CellState,
  { row, harness, repeat }: At,
  by: 1 | -1,
): At | null {
  const repeats = rows[0]?.groups[0]?.cells.length ?? 0
  const columns = (rows[0]?.groups.length ?? 0) * repeats
  const total = rows.length * columns
  const start = row * columns + harness * repeats + repeat
  for (let moved = 1; moved <= total; moved++) {
    const place = (((start + by * moved) % total) + total) % total
    const to = {
      row: Math.floor(place / columns),
      harness: Math.floor((place % columns) / repeats),
      repeat: place % repeats,
    }
    if (rows[to.row]!.groups[to.harness]!.cells[to.repeat]!.state === state) return to
  }
  return null
}

function clamp(place: number, length: number): number {
  return Math.min(Math.max(place, 0), length - 1)
}
