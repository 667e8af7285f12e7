/** Many steps of the last runs as a grid of cells: pure, so that it can be tested as such. */
import { type ChartPoint, chartPoint } from '../../../charts/points'
import type { HistoryPoint } from '../../api/types'

export interface HeatRun {
  readonly runId: string
  readonly createdAt: string
}

export interface HeatCell {
  readonly point: ChartPoint
  /** How far the value lies from the mean, the corridor's edge being 1; null where it was compared with none. */
  readonly off: number | null
}

export interface HeatMap {
  /** Oldest first: the columns. */
  readonly runs: readonly HeatRun[]
  /** The steps of each row, ascending; more than one where there are more steps than rows. */
  readonly bands: ReadonlyArray<{ readonly from: number; readonly to: number }>
  /** By row, then by column: of several steps the one that lies farthest off; null where the run has none. */
  readonly cells: ReadonlyArray<ReadonlyArray<HeatCell | null>>
}

/** @param items newest first, of all steps; @param mostRows rows that there is room for */
export function heatMap(
  items: readonly HistoryPoint[],
  revoked: ReadonlySet<string>,
  { mostRuns, mostRows }: { mostRuns: number; mostRows: number },
): HeatMap {
  const runs = new Map<string, HeatRun>()
  for (const { run_id: runId, created_at: createdAt } of items) {
    if (runs.size >= mostRuns && !runs.has(runId)) break
    runs.set(runId, { runId, createdAt })
  }
  const columns = [...runs.values()].reverse()
  const columnOf = new Map(columns.map(({ runId }, column) => [runId, column]))
  const steps = [...new Set(items.map(({ step }) => step))].sort((a, b) => a - b)
  const perBand = Math.ceil(steps.length / mostRows) || 1
  const rowOf = new Map(steps.map((step, place) => [step, Math.floor(place / perBand)]))
  const bands = Array.from({ length: Math.ceil(steps.length / perBand) }, (_, row) => ({
    from: steps[row * perBand]!,
    to: steps[Math.min(steps.length, (row + 1) * perBand) - 1]!,
  }))
  const cells: (HeatCell | null)[][] = bands.map(() => columns.map(() => null))
  for (const item of items) {
    const column = columnOf.get(item.run_id)
    const point = column === undefined ? null : chartPoint(item, revoked)
    if (column === undefined || point === null) continue
    const row = cells[rowOf.get(item.step)!]!
    const cell = { point, off: offOf(point) }
    if (weight(cell) > weight(row[column] ?? null)) row[column] = cell
  }
  return { runs: columns, bands, cells }
}

function offOf({ value, mean, lower, upper }: ChartPoint): number | null {
  if (mean === null) return null
  const bound = value >= mean ? upper : lower
  const reach = bound === null ? null : Math.abs(bound - mean)
  if (reach === null) return 0
  if (reach === 0) return value === mean ? 0 : Math.sign(value - mean) * Infinity
  return (value - mean) / reach
}

/** What fails is never hidden behind what does not. */
function weight(cell: HeatCell | null): number {
  if (cell === null) return -1
  const off = Math.min(1e9, Math.abs(cell.off ?? 0))
  return cell.point.kind === 'failed' ? 2e9 + off : off
}
