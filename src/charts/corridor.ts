import type { ChartPoint } from './points.js'

/** A stretch of neighbouring points, by their places in the list; both ends belong to it. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** A stretch of the band. Where a side is missing, the band is open there: it ends at the edge of the chart. */
export interface Area extends Stretch {
  readonly hasLower: boolean
  readonly hasUpper: boolean
}

/**
 * The corridor as the runs' own verdicts said it, in stretches of points that know it: what is between two stretches is
 * not known, and nothing is drawn there. A stretch may be of one point.
 */
export interface Corridor {
  readonly areas: readonly Area[]
  readonly lower: readonly Stretch[]
  readonly mean: readonly Stretch[]
  readonly upper: readonly Stretch[]
}

/** @param points of one coordinate, oldest first */
export function corridorOf(points: readonly ChartPoint[]): Corridor {
  const known = (side: 'lower' | 'mean' | 'upper') =>
    stretches(points, (point) => (point[side] === null ? null : 'known'))
  return {
    areas: stretches(points, sides).map(({ from, to }) => ({
      from,
      to,
      hasLower: points[from]?.lower !== null,
      hasUpper: points[from]?.upper !== null,
    })),
    lower: known('lower'),
    mean: known('mean'),
    upper: known('upper'),
  }
}

/** A band that gains or loses a side is another band. */
function sides({ lower, upper }: ChartPoint): string | null {
  if (lower === null && upper === null) return null
  return `${lower !== null} ${upper !== null}`
}

/** The longest stretches of points that have one and the same sort; null is none. */
function stretches(points: readonly ChartPoint[], sortOf: (point: ChartPoint) => string | null): Stretch[] {
  const found: Stretch[] = []
  let from = 0
  let sort: string | null = null
  for (let place = 0; place <= points.length; place += 1) {
    const point = points[place]
    const here = point === undefined ? null : sortOf(point)
    if (here === sort && point !== undefined) continue
    if (sort !== null) found.push({ from, to: place - 1 })
    from = place
    sort = here
  }
  return found
}
