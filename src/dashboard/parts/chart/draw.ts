/** Draws what the model of a chart says between uPlot's axes: the corridor beneath the line, the marks upon it. */
import type uPlot from 'uplot'
import type { Stretch } from '../../../charts/corridor'
import type { HistoryChart } from '../../../charts/history-chart'
import { POINT_KINDS } from '../../../charts/points'
import { position } from '../../../charts/value-axis'
import { markColours, type Palette, traceMark } from './marks'

/** Of points that lie closer, in CSS pixels, those that say nothing new are left to the line. */
const DENSE_PX = 5
/** What a stretch of one point reaches to either side. */
const LONE_PX = 4

export function drawCorridor(
  plot: uPlot,
  { points, corridor, values }: HistoryChart,
  palette: Palette,
): void {
  const { ctx, bbox } = plot
  const x = (index: number) => plot.valToPos(points[index]!.at / 1_000, 'x', true)
  const y = (value: number) => plot.valToPos(position(values, value), 'y', true)
  const reach = LONE_PX * devicePixelRatio
  /** The ends of a stretch, and what is between them. */
  const along = ({ from, to }: Stretch, valueAt: (index: number) => number, backwards = false) => {
    const places: [number, number][] = []
    for (let index = from; index <= to; index++) places.push([x(index), valueAt(index)])
    if (from === to) {
      const [[left, top]] = places as [[number, number]]
      places.splice(0, 1, [left - reach, top], [left + reach, top])
    }
    return backwards ? places.reverse() : places
  }
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.fillStyle = palette.band
  for (const area of corridor.areas) {
    const top = (index: number) => (area.hasUpper ? y(points[index]!.upper!) : bbox.top)
    const bottom = (index: number) => (area.hasLower ? y(points[index]!.lower!) : bbox.top + bbox.height)
    ctx.beginPath()
    for (const [left, height] of along(area, top)) ctx.lineTo(left, height)
    for (const [left, height] of along(area, bottom, true)) ctx.lineTo(left, height)
    ctx.fill()
  }
  ctx.lineWidth = devicePixelRatio
  for (const side of ['lower', 'upper', 'mean'] as const) {
    ctx.strokeStyle = palette.bandLine
    ctx.setLineDash(side === 'mean' ? [4 * devicePixelRatio, 4 * devicePixelRatio] : [])
    for (const stretch of corridor[side]) {
      ctx.beginPath()
      for (const [left, height] of along(stretch, (index) => y(points[index]![side]!)))
        ctx.lineTo(left, height)
      ctx.stroke()
    }
  }
  ctx.restore()
}

/** @param radius of a mark, in CSS pixels */
export function drawMarks(
  plot: uPlot,
  { points, values }: HistoryChart,
  palette: Palette,
  radius: number,
): void {
  const { ctx, bbox } = plot
  const { min = 0, max = 0 } = plot.scales.x ?? {}
  const inSight = points.filter(({ at }) => at >= (min ?? 0) * 1_000 && at <= (max ?? 0) * 1_000)
  const isDense = inSight.length > bbox.width / devicePixelRatio / DENSE_PX
  const size = radius * devicePixelRatio * (inSight.length > bbox.width / devicePixelRatio ? 0.75 : 1)
  ctx.save()
  ctx.beginPath()
  // A mark at the edge is shown whole.
  ctx.rect(bbox.left - 2 * size, bbox.top - 2 * size, bbox.width + 4 * size, bbox.height + 4 * size)
  ctx.clip()
  for (const kind of POINT_KINDS) {
    if (isDense && (kind === 'trusted' || kind === 'unjudged')) continue
    const { fill, stroke } = markColours(kind, palette)
    const path = new Path2D()
    for (const point of inSight) {
      if (point.kind !== kind) continue
      traceMark(
        kind,
        path,
        plot.valToPos(point.at / 1_000, 'x', true),
        plot.valToPos(position(values, point.value), 'y', true),
        size,
      )
    }
    ctx.fillStyle = fill
    ctx.strokeStyle = stroke
    ctx.lineWidth = (fill === palette.ground ? 1.6 : 1) * devicePixelRatio
    ctx.fill(path)
    ctx.stroke(path)
  }
  ctx.restore()
}
