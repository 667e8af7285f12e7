import type { HistoryChart } from '../../../charts/history-chart.js'
import { KIND_WORDS, POINT_KINDS } from '../../../charts/points.js'
import { MUTED } from './colours.js'
import { element, type Svg } from './element.js'
import { marks } from './marks.js'
import { AREA, BOUNDS, MEAN } from './plot.js'
import { textLine } from './text.js'
import { textWidth } from './text-width.js'

const SIZE = 11
const LINE = 18
const SIGN = 20
const GAP = 16

interface Entry {
  readonly text: string
  /** The sign, in a box of 14 pixels around a middle. */
  readonly draw: (x: number, y: number) => readonly Svg[]
}

/**
 * What the signs mean, and how many points there are of each kind; of what the chart shows alone.
 * @returns the lines, the first at y = 0, each as high as `lineHeight`
 */
export function legend(chart: HistoryChart, { left, right }: { left: number; right: number }) {
  const lines: Svg[][] = [[]]
  let x = left
  for (const { text, draw } of entries(chart)) {
    const width = SIGN + textWidth(text, SIZE)
    if (x + width > right && x > left) {
      lines.push([])
      x = left
    }
    const y = (lines.length - 1) * LINE
    lines.at(-1)?.push(...draw(x + 7, y), textLine(text, { x: x + SIGN, y: y + 4, size: SIZE, fill: MUTED }))
    x += width + GAP
  }
  return { lines, lineHeight: LINE }
}

function entries({ counts, corridor }: HistoryChart): Entry[] {
  const kinds = POINT_KINDS.filter((kind) => counts[kind] > 0).map((kind) => ({
    text: `${counts[kind]} ${KIND_WORDS[kind]}`,
    draw: (x: number, y: number) => [sample(marks(kind, [{ x, y }], 4))],
  }))
  const bars = (x: number, y: number) => `M${x - 7} ${y - 5}h14M${x - 7} ${y + 5}h14`
  const band = {
    text: 'corridor',
    draw: (x: number, y: number) => [
      sample(
        element('path', { ...AREA, d: `M${x - 7} ${y - 5}h14v10h-14Z` }),
        element('path', { ...BOUNDS, d: bars(x, y) }),
      ),
    ],
  }
  const mean = {
    text: 'mean',
    draw: (x: number, y: number) => [sample(element('path', { ...MEAN, d: `M${x - 7} ${y}h14` }))],
  }
  return [
    ...kinds,
    ...(corridor.areas.length === 0 ? [] : [band]),
    ...(corridor.mean.length === 0 ? [] : [mean]),
  ]
}

/** Parted from the plot's own marks, for whoever counts them. */
function sample(...signs: readonly Svg[]): Svg {
  return element('g', { 'data-part': 'legend' }, ...signs)
}
