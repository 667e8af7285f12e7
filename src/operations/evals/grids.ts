import type {
  CellDocument,
  GridDetail,
  GridDocument,
  GridHead,
  GridPage,
  GridRowDocument,
  GridRowPage,
} from '../../documents/evals-grid.js'
import { GatehouseError, invalidInput } from '../../errors.js'
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
import type { EvalVerdictHead } from '../../store/evals.js'
import type { Gatehouse } from '../gatehouse.js'
import { clientKey } from '../idempotency.js'
import { inSlices } from '../in-slices.js'
import { newestFirst, readPage, type PageRequest, type Place } from '../paging.js'
import type { Caller } from '../submission.js'
import { documentOf, keepVerdict, replayOf, type Kept } from './keep-verdict.js'
import { hashContent, PIECE, toPieces } from './pieces.js'

export interface SubmittedRow extends GridRow {
  /** Kept, and not judged. */
  readonly metrics: object | null
}

export interface GridSubmission extends GridRequest {
  readonly name: string | null
  readonly rows: readonly SubmittedRow[]
}

/**
 * Judges a grid and keeps it with its rows, complete or not.
 * @throws GatehouseError invalid_input, idempotency_conflict
 */
export async function submitGrid(
  gatehouse: Gatehouse,
  caller: Caller,
  submission: GridSubmission,
  idempotencyKey: string | null,
): Promise<Kept<GridDocument>> {
  const judged = await inSlices(judgeGrid(submission))
  if (!judged.ok) throw invalidInput(judged.faults)
  const rows = await inSlices(toPieces(submission.rows, encodeRow))
  const { name, plan, rewardRange, passThreshold } = submission
  const key = clientKey(caller.principal.owner, idempotencyKey, 'grid')
  const keyed = key && {
    key,
    hash: await inSlices(hashContent([name, plan, rewardRange, passThreshold], rows)),
  }
  if (keyed !== null) {
    const first = await gatehouse.store.read((reader) => replayOf<GridDocument>(reader, 'grid', keyed))
    if (first !== null) return { document: first, replayed: true }
  }
  const report = judged.value
  const keeping = {
    kind: 'grid' as const,
    name,
    outcome: report.outcome,
    head: (gridId: string, createdAt: string) => gridHead(gridId, createdAt, submission, report),
    detail: gridDetail(report),
    rows,
  }
  return keepVerdict(gatehouse, caller, keeping, keyed)
}

/** @throws GatehouseError not_found */
export async function readGrid({ store }: Gatehouse, gridId: string): Promise<GridDocument> {
  const stored = await store.read((reader) => reader.findEvalVerdict('grid', gridId))
  if (stored === null) throw unknownGrid(gridId)
  return documentOf(stored)
}

export function listGrids({ store }: Gatehouse, request: PageRequest): Promise<GridPage> {
  return store.read((reader) =>
    readPage(
      ['grids', {}],
      request,
      newestFirst<EvalVerdictHead>(({ createdAt, evalId }) => ({ createdAt, id: evalId })),
      (page) => reader.listEvalVerdicts('grid', page),
      ({ head }) => JSON.parse(head) as GridHead,
    ),
  )
}

interface PlacedRow {
  readonly position: number
  readonly row: GridRowDocument
}

const ROW_PLACE: Place<PlacedRow, number> = {
  of: ({ position }) => [position],
  read: ([position, ...more]) =>
    Number.isSafeInteger(position) && (position as number) >= 0 && more.length === 0
      ? (position as number)
      : null,
}

/**
 * The rows of a grid as they came.
 * @throws GatehouseError not_found, bad_cursor
 */
export function listGridRows(
  { store }: Gatehouse,
  gridId: string,
  request: PageRequest,
): Promise<GridRowPage> {
  return store.read(async (reader) => {
    if ((await reader.findEvalVerdict('grid', gridId)) === null) throw unknownGrid(gridId)
    return readPage(
      ['grid rows', { gridId }],
      request,
      ROW_PLACE,
      async ({ limit, after }) => {
        const from = after === null ? 0 : after + 1
        // The piece in which the page begins may hold no more than one row of it.
        const pieces = await reader.gridRows(gridId, from, 1 + Math.ceil(limit / PIECE))
        return pieces
          .flatMap(({ position, items }) =>
            (JSON.parse(items) as GridRowDocument[]).map((row, index) => ({
              position: position + index,
              row,
            })),
          )
          .filter(({ position }) => position >= from)
          .slice(0, limit)
      },
      ({ row }) => row,
    )
  })
}

function unknownGrid(gridId: string): GatehouseError {
  return new GatehouseError('not_found', `there is no grid ${JSON.stringify(gridId)}`)
}

function encodeRow(row: SubmittedRow): GridRowDocument {
  return {
    task: row.task,
    harness: row.harness,
    repeat: row.repeat,
    reward: row.reward ?? null,
    error: row.error ?? null,
    dry_run: row.dryRun,
    metrics: row.metrics as GridRowDocument['metrics'],
  }
}

function gridHead(
  gridId: string,
  createdAt: string,
  { name, plan, rewardRange, passThreshold }: GridSubmission,
  report: GridReport,
): GridHead {
  const { counts } = report
  return {
    complete: report.complete,
    outcome: report.outcome,
    grid_id: gridId,
    created_at: createdAt,
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
    by_task: byTask.map(({ task, ...group }) => ({ task, ...groupFigures(group) })),
    by_harness: byHarness.map(({ harness, ...group }) => ({ harness, ...groupFigures(group) })),
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
    ...figures(group),
    errored: group.errored,
    unscored: group.unscored,
    missing: group.missing,
    dry_run: group.dryRun,
  }
}
