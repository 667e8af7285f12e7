import type { Listed } from '../replay/report.js'

/** Every task with every harness, `repeats` times. */
export interface GridPlan {
  readonly tasks: readonly string[]
  readonly harnesses: readonly string[]
  readonly repeats: number
  readonly dryRun: boolean
}

export interface Cell {
  readonly task: string
  readonly harness: string
  /** From 1. */
  readonly repeat: number
}

/** One row of the results, with its reward and its error as they were sent. */
export interface GridRow extends Cell {
  readonly reward: unknown
  /** null and undefined: none. */
  readonly error: unknown
  readonly dryRun: boolean
}

export interface GridRequest {
  readonly plan: GridPlan
  /** Both ends are inside. */
  readonly rewardRange: { readonly min: number; readonly max: number } | null
  /** The reward from which a cell counts as passed. */
  readonly passThreshold: number
  readonly rows: readonly GridRow[]
}

export type CellState = 'planned' | 'errored' | 'scored' | 'unscored'

/** Rows, but for the planned cells and those without a row. `scored + errored + unscored + dryRun` are all rows. */
export interface GridCounts {
  readonly plannedCells: number
  readonly scored: number
  readonly errored: number
  readonly unscored: number
  readonly missing: number
  readonly duplicate: number
  readonly unplanned: number
  /** Rows of a dry run. */
  readonly dryRun: number
}

/** The rows as they came, the missing cells in the plan's order. */
export interface GridCells {
  readonly missing: Listed<Cell>
  readonly errored: Listed<Cell>
  readonly unscored: Listed<Cell>
  readonly duplicate: Listed<Cell>
  readonly unplanned: Listed<Cell>
}

/** Mean reward and pass rate rest on the first row of each planned cell, where that is scored. */
export interface GridReport extends Figures {
  readonly complete: boolean
  readonly outcome: 'pass' | 'fail'
  readonly counts: GridCounts
  readonly cells: GridCells
  readonly byTask: ReadonlyArray<{ readonly task: string } & GroupFigures>
  readonly byHarness: ReadonlyArray<{ readonly harness: string } & GroupFigures>
}

/** Cells of one task or harness by the state of their first row. */
export interface GroupFigures extends Figures {
  readonly plannedCells: number
  readonly errored: number
  readonly unscored: number
  readonly dryRun: number
  readonly missing: number
}

/** Means and rates, only beside the number of cells that they rest on; null where that is 0. */
export interface Figures {
  readonly meanReward: number | null
  readonly passRate: number | null
  readonly scoredN: number
}

/** The first row of a planned cell. */
export interface FirstRow {
  readonly task: number
  readonly harness: number
  readonly state: CellState
  readonly reward: number
}
