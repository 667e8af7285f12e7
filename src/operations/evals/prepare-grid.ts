import type { CellDocument, GridDetail, GridHead, GridRowDocument } from '../../documents/evals-grid.js'
import { invalidInput } from '../../errors.js'
import { LIST_LIMIT } from '../../evals/first-items.js'
import { judgeGrid } from '../../evals/grid.js'
import type {
  Cell,
  Figures,
  GridReport,
  GridRequest,
  GridRow,
  GroupFigures,
} from '../../evals/grid-report.js'
import type { Sliced } from '../../gate/slices.js'
import type { ItemPiece } from '../../store/evals.js'
import { asSent } from './encode-run.js'
import { hashContent, toPieces } from './pieces.js'

export interface SubmittedRow extends GridRow {
  /** Kept, and not judged. */
  readonly metrics: object | null
}

export interface GridSubmission extends GridRequest {
  readonly name: string | null
  readonly rows: readonly SubmittedRow[]
}

/** A grid that was judged, as it is to be kept. */
export interface PreparedGrid {
  /** All but its id and time. */
  readonly head: Omit<GridHead, 'grid_id' | 'created_at'>
  /** A JSON object. */
  readonly detail: string
  readonly rows: readonly ItemPiece[]
  /** SHA-256 (hex) of the content; null where no key asks for it. */
  readonly hash: string | null
}

/**
 * Judges a grid.
 * @param keyed whether the request has a key, under which its content is told from another's
 * @throws GatehouseError invalid_input
 */
export function* prepareGrid(submission: GridSubmission, keyed: boolean): Sliced<PreparedGrid> {
  const judged = yield* judgeGrid(submission)
  if (!judged.ok) throw invalidInput(judged.faults)
  const report = judged.value
  const rows = yield* toPieces(submission.rows, encodeRow)
  const { name, plan, rewardRange, passThreshold } = submission
  const hash = keyed ? yield* hashContent([name, plan, rewardRange, passThreshold], rows) : null
  return { head: gridHead(submission, report), detail: JSON.stringify(gridDetail(report)), rows, hash }
}

function encodeRow(row: SubmittedRow): GridRowDocument {
  return {
    task: row.task,
    harness: row.harness,
    repeat: row.repeat,
    reward: asSent(row.reward),
    error: asSent(row.error),
    dry_run: row.dryRun,
    metrics: asSent(row.metrics) as GridRowDocument['metrics'],
  }
}

function gridHead(
  { name, plan, rewardRange, passThreshold }: GridSubmission,
  report: GridReport,
): PreparedGrid['head'] {
  const { counts } = report
  return {
    complete: report.complete,
    outcome: report.outcome,
    name,
    dry_run: plan.dryRun,
    repeats: plan.repeats,
    reward_range: rewardRange && { min: rewardRange.min, max: rewardRange.max },
    pass_threshold: passThreshold,
    counts: {
      planned_cells: counts.plannedCells,
      scored: counts.scored,
      errored: counts.errored,
      unscored: counts.unscored,
      missing: counts.missing,
      duplicate: counts.duplicate,
      unplanned: counts.unplanned,
      dry_run: counts.dryRun,
    },
    ...figures(report),
  }
}

function gridDetail({ cells, byTask, byHarness }: GridReport): GridDetail {
  return {
    cells: {
      missing: cells.missing.items.map(encodeCell),
      errored: cells.errored.items.map(encodeCell),
      unscored: cells.unscored.items.map(encodeCell),
      duplicate: cells.duplicate.items.map(encodeCell),
      unplanned: cells.unplanned.items.map(encodeCell),
    },
    list_limit: LIST_LIMIT,
    by_task: byTask.map((group) => Object.assign({ task: group.task }, groupFigures(group))),
    by_harness: byHarness.map((group) => Object.assign({ harness: group.harness }, groupFigures(group))),
  }
}

function encodeCell({ task, harness, repeat }: Cell): CellDocument {
  return { task, harness, repeat }
}

function figures({ meanReward, passRate, scoredN }: Figures) {
  return { mean_reward: meanReward, pass_rate: passRate, scored_n: scoredN }
}

function groupFigures(group: GroupFigures) {
  return {
    planned_cells: group.plannedCells,
    mean_reward: group.meanReward,
    pass_rate: group.passRate,
    scored_n: group.scoredN,
    errored: group.errored,
    unscored: group.unscored,
    missing: group.missing,
    dry_run: group.dryRun,
  }
}
