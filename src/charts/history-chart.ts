import type { HistoryPointDocument } from '../documents/history.js'
import { corridorOf, type Corridor } from './corridor.js'
import { chartPoint, POINT_KINDS, type ChartPoint, type PointKind } from './points.js'
import { timeRange } from './time-axis.js'
import { valueRange, type Range } from './value-axis.js'

/** What a chart of one coordinate's history shows, whoever draws it: the page, or the server as an SVG. */
export interface HistoryChart {
  /** Oldest first. */
  readonly points: readonly ChartPoint[]
  /** How many points there are of each kind; together as many as there are points. */
  readonly counts: Readonly<Record<PointKind, number>>
  /** How many values are not drawn: they are not finite (another writer's), or have no time. */
  readonly notDrawn: number
  readonly corridor: Corridor
  /** In milliseconds since 1970, with room around the points. */
  readonly times: Range
  /** Holds every value, and every bound and mean of the corridor, with room around them. */
  readonly values: Range
}

/**
 * @param items values of one coordinate (one step) as `GET /v1/history` tells them, newest first
 * @param revoked the runs whose trust was taken away, as `revokedRuns` tells them
 */
export function historyChart(
  items: readonly HistoryPointDocument[],
  revoked: ReadonlySet<string> = new Set(),
): HistoryChart {
  const read = items.map((item) => chartPoint(item, revoked)).reverse()
  const points = read.filter((point) => point !== null)
  const counts = Object.fromEntries(POINT_KINDS.map((kind) => [kind, 0])) as Record<PointKind, number>
  for (const { kind } of points) counts[kind] += 1
  return {
    points,
    counts,
    notDrawn: items.length - points.length,
    corridor: corridorOf(points),
    times: timeRange(points.map(({ at }) => at)),
    values: valueRange(
      points.flatMap(({ value, mean, lower, upper }) =>
        [value, mean, lower, upper].filter((number) => number !== null),
      ),
    ),
  }
}
