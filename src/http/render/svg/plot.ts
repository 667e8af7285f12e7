import type { Area, Stretch } from '../../../charts/corridor.js'
import type { HistoryChart } from '../../../charts/history-chart.js'
import { POINT_KINDS, type ChartPoint } from '../../../charts/points.js'
import { timeTicks } from '../../../charts/time-axis.js'
import { position, valueTicks } from '../../../charts/value-axis.js'
import { BLUE, EDGE, GRID, MUTED } from './colours.js'
import { coordinate, element, type Svg } from './element.js'
import { marks } from './marks.js'
import { textLine } from './text.js'
import { textWidth } from './text-width.js'

/** A box in pixels. */
export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const LABEL = 11
const VALUE_TICKS = 6
const TIME_TICKS = 7
/** Of marks; smaller where many stand beside each other. */
const RADIUS = 4
const SMALL_RADIUS = 2.75
const MANY = 200
/** How far a corridor that a single point knows reaches to its sides. */
const ALONE = 6
/** Beneath the plot: the labels of the axis of time, in two lines. */
export const TIME_LABELS = 36
const LEAST_GUTTER = 56
const GAP = 8

type Place = (point: ChartPoint) => number

/**
 * Axes, corridor and points.
 * @param box where the plot and the labels of its values may stand; those of time stand beneath it
 */
export function plot(chart: HistoryChart, box: Box): Svg[] {
  const ticks = valueTicks(chart.values, VALUE_TICKS)
  const gutter = Math.max(LEAST_GUTTER, ...ticks.map(({ label }) => textWidth(label, LABEL) + GAP))
  const inner = { ...box, left: box.left + gutter }
  const { left, right, top, bottom } = inner
  const atValue = (value: number) => bottom - position(chart.values, value) * (bottom - top)
  const atTime = (at: number) => left + position(chart.times, at) * (right - left)
  const label = { size: LABEL, fill: MUTED }
  const rows = ticks.flatMap(({ at, label: text }) => [
    element('path', { d: `M${left} ${coordinate(atValue(at))}H${right}`, stroke: GRID }),
    textLine(text, { ...label, x: left - GAP, y: atValue(at) + 4, anchor: 'end' }),
  ])
  const columns = timeTicks(chart.times, TIME_TICKS).flatMap(({ at, label: text, context }) => {
    const x = atTime(at)
    const under = (line: string, y: number) => {
      const half = textWidth(line, LABEL) / 2
      return textLine(line, { ...label, x: Math.min(x, right - half), y, anchor: 'middle' })
    }
    return [
      element('path', { d: `M${coordinate(x)} ${bottom}v4`, stroke: MUTED }),
      under(text, bottom + 17),
      ...(context === null ? [] : [under(context, bottom + 31)]),
    ]
  })
  const shape = { inner, x: (point: ChartPoint) => atTime(point.at), atValue }
  return [
    ...rows,
    ...band(chart, shape),
    element('path', { d: `M${left} ${bottom}H${right}`, stroke: EDGE }),
    ...columns,
    textLine('UTC', { ...label, x: box.left, y: bottom + 17 }),
    ...points(chart, shape),
  ]
}

interface Shape {
  readonly inner: Box
  readonly x: Place
  readonly atValue: (value: number) => number
}

/** The corridor: its area, then its bounds, then the mean. */
function band({ points, corridor }: HistoryChart, { inner, x, atValue }: Shape): Svg[] {
  const bound = (side: 'lower' | 'mean' | 'upper'): Place => {
    const open = side === 'lower' ? inner.bottom : inner.top
    return (point) => (point[side] === null ? open : atValue(point[side]))
  }
  const corners = ({ from, to }: Stretch, y: Place): string[] => {
    const some = points.slice(from, to + 1)
    const [only] = some
    if (some.length > 1 || only === undefined) return some.map((point) => at(x(point), y(point)))
    return [at(x(only) - ALONE, y(only)), at(x(only) + ALONE, y(only))]
  }
  const area = (stretch: Area) =>
    `M${[...corners(stretch, bound('upper')), ...corners(stretch, bound('lower')).reverse()].join('L')}Z`
  const line = (side: 'lower' | 'mean' | 'upper') =>
    corridor[side].map((stretch) => `M${corners(stretch, bound(side)).join('L')}`).join('')
  const areas = corridor.areas.map(area).join('')
  const bounds = `${line('lower')}${line('upper')}`
  const mean = line('mean')
  return [
    ...(areas === '' ? [] : [element('path', { d: areas, ...AREA })]),
    ...(bounds === '' ? [] : [element('path', { d: bounds, ...BOUNDS })]),
    ...(mean === '' ? [] : [element('path', { d: mean, ...MEAN })]),
  ]
}

export const AREA = { 'data-part': 'corridor', fill: BLUE, 'fill-opacity': 0.12 }
export const BOUNDS = { 'data-part': 'bounds', fill: 'none', stroke: BLUE, 'stroke-opacity': 0.45 }
export const MEAN = {
  'data-part': 'mean',
  fill: 'none',
  stroke: BLUE,
  'stroke-width': 1.5,
  'stroke-dasharray': '5 3',
}

/** Kind by kind: what is worth a look lies on top. */
function points({ points, counts }: HistoryChart, { x, atValue }: Shape): Svg[] {
  const radius = points.length > MANY ? SMALL_RADIUS : RADIUS
  return POINT_KINDS.filter((kind) => counts[kind] > 0).map((kind) => {
    const some = points.filter((point) => point.kind === kind)
    return marks(
      kind,
      some.map((point) => ({ x: x(point), y: atValue(point.value) })),
      radius,
    )
  })
}

function at(x: number, y: number): string {
  return `${coordinate(x)} ${coordinate(y)}`
}
