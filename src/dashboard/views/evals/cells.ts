/** The cells of a grid by state: planned ones in the order of the plan, found by task, harness and repeat. */
import type { Grid, GridRow } from '../../api/types'

export const CELL_STATES = [
  'passed',
  'scored',
  'planned',
  'missing',
  'errored',
  'unscored',
  'duplicate',
  'unplanned',
] as const
/** `scored` is a score below what counts as passed. `planned`: a dry run's. */
export type CellState = (typeof CELL_STATES)[number]

export const STATE_WORDS: Readonly<Record<CellState, string>> = {
  passed: 'passed',
  scored: 'scored lower',
  planned: 'dry run',
  missing: 'missing',
  errored: 'errored',
  unscored: 'unscored',
  duplicate: 'duplicate',
  unplanned: 'unplanned',
}

export interface Cell {
  readonly task: string
  readonly harness: string
  readonly repeat: number
  /** null where the rows are still coming. */
  readonly state: CellState | null
  /** As they came; the first one counts. */
  readonly rows: readonly GridRow[]
}

export interface TaskRow {
  readonly task: string
  /** By harness, each with all repeats. */
  readonly groups: ReadonlyArray<{ readonly harness: string; readonly cells: readonly Cell[] }>
}

export interface Matrix {
  readonly tasks: readonly TaskRow[]
  readonly harnesses: readonly string[]
  readonly unplanned: readonly GridRow[]
  readonly counts: Readonly<Record<CellState, number>>
}

/** @param isWhole whether all rows are there; until then a cell without one may still get it */
export function matrixOf(grid: Grid, rows: readonly GridRow[], isWhole: boolean): Matrix {
  const harnesses = grid.by_harness.map(({ harness }) => harness)
  const planned = new Set(grid.by_task.map(({ task }) => task))
  const known = new Set(harnesses)
  const byCell = new Map<string, GridRow[]>()
  const unplanned: GridRow[] = []
  for (const row of rows) {
    const { task, harness, repeat } = row
    if (!planned.has(task) || !known.has(harness) || repeat < 1 || repeat > grid.repeats) {
      unplanned.push(row)
      continue
    }
    const key = cellKey(task, harness, repeat)
    const before = byCell.get(key)
    if (before) before.push(row)
    else byCell.set(key, [row])
  }
  const counts = Object.fromEntries(CELL_STATES.map((state) => [state, 0])) as Record<CellState, number>
  counts.unplanned = unplanned.length
  const tasks = grid.by_task.map(({ task }) => ({
    task,
    groups: harnesses.map((harness) => ({
      harness,
      cells: Array.from({ length: grid.repeats }, (_, index): Cell => {
        const repeat = index + 1
        const found = byCell.get(cellKey(task, harness, repeat)) ?? []
        const state = stateOf(grid, found, isWhole)
        if (state !== null) counts[state] += 1
        return { task, harness, repeat, state, rows: found }
      }),
    })),
  }))
  return { tasks, harnesses, unplanned, counts }
}

export function cellKey(task: string, harness: string, repeat: number): string {
  return JSON.stringify([task, harness, repeat])
}

function stateOf(grid: Grid, rows: readonly GridRow[], isWhole: boolean): CellState | null {
  const [first] = rows
  if (first === undefined) return isWhole ? 'missing' : null
  return rows.length > 1 ? 'duplicate' : rowState(grid, first)
}

/** As the service sorts rows: a dry one under a dry plan, an error whatever it holds, a score, or none. */
export function rowState(
  { dry_run: isDry, reward_range: range, pass_threshold: threshold }: Grid,
  { dry_run: isDryRow, error, reward }: GridRow,
): CellState {
  if (isDry && isDryRow) return 'planned'
  if (error !== null) return 'errored'
  if (typeof reward !== 'number' || (range !== null && (reward < range.min || reward > range.max)))
    return 'unscored'
  return reward >= threshold ? 'passed' : 'scored'
}
