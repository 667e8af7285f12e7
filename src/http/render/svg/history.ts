import { describeHistory, newestText } from '../../../charts/describe.js'
import type { HistoryChart } from '../../../charts/history-chart.js'
import { isolated, visibleText } from '../../../charts/visible-text.js'
import type { Coordinate, Series } from '../../../gate/run.js'
import { stepText } from '../check-text.js'
import { EDGE, GROUND, MUTED, TEXT } from './colours.js'
import { element, picture, type Svg } from './element.js'
import { legend } from './legend.js'
import { plot, TIME_LABELS } from './plot.js'
import { nameText, textLine } from './text.js'
import { shortened, textWidth } from './text-width.js'

/** The column of a pull request's text is a little wider. */
const WIDTH = 800
const HEIGHT = 340
const EDGE_GAP = 16
const LEFT = EDGE_GAP
const RIGHT = WIDTH - EDGE_GAP
const FONTS = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

const TITLE = 15
const LINE = 12
/** How much wider letters of weight 600 are, at most. */
const BOLD = 1.2

export interface HistorySubject extends Coordinate {
  readonly series: Series
}

/** The history of one coordinate as a picture, for Markdown. What it shows is what the page's chart of it shows. */
export function renderHistorySvg(
  subject: HistorySubject,
  chart: HistoryChart,
  { more }: { more: boolean },
): string {
  const size = { width: WIDTH, height: HEIGHT, fonts: FONTS }
  const words = { title: titleOf(subject), description: describeHistory(chart, { more }) }
  return picture(size, words, ground(), ...heading(subject, chart, more), ...content(chart))
}

function titleOf({ series: { testPath, backend, suite }, metricKey, step }: HistorySubject): string {
  const [metric, path, on, stage] = [metricKey, testPath, backend, suite].map((name) =>
    isolated(visibleText(name)),
  )
  return `${metric}, step ${stepText({ step, at_step: null })}: ${path} on ${on}, ${stage}`
}

function ground(): Svg {
  const half = 0.5
  return element('rect', {
    x: half,
    y: half,
    width: WIDTH - 1,
    height: HEIGHT - 1,
    rx: 6,
    fill: GROUND,
    stroke: EDGE,
  })
}

function heading({ series, metricKey, step }: HistorySubject, chart: HistoryChart, more: boolean): Svg[] {
  const stepLine = `step ${stepText({ step, at_step: null })}`
  const room = RIGHT - LEFT - textWidth(stepLine, LINE) - EDGE_GAP
  const names = [
    nameText(series.testPath, 380, LINE),
    nameText(series.backend, 160, LINE),
    nameText(series.suite, 190, LINE),
  ]
  const quiet = { size: LINE, fill: MUTED }
  return [
    textLine(nameText(metricKey, room / BOLD, TITLE), {
      x: LEFT,
      y: 28,
      size: TITLE,
      fill: TEXT,
      weight: 600,
    }),
    textLine(stepLine, { ...quiet, x: RIGHT, y: 28, anchor: 'end' }),
    textLine(names.join(' · '), { ...quiet, x: LEFT, y: 47 }),
    ...newestLine(chart, more),
  ]
}

/** The newest value in full, and how many values there are. */
function newestLine({ points, notDrawn }: HistoryChart, more: boolean): Svg[] {
  const newest = points.at(-1)
  if (newest === undefined) return []
  const count = `${more ? 'newest ' : ''}${points.length} ${points.length === 1 ? 'value' : 'values'}`
  const right = notDrawn === 0 ? count : `${count}, ${notDrawn} not finite and not drawn`
  const room = RIGHT - LEFT - textWidth(right, LINE) - EDGE_GAP
  return [
    textLine(shortened(`Newest: ${newestText(newest)}`, room, LINE), {
      x: LEFT,
      y: 66,
      size: LINE,
      fill: TEXT,
    }),
    textLine(right, { x: RIGHT, y: 66, size: LINE, fill: MUTED, anchor: 'end' }),
  ]
}

function content(chart: HistoryChart): Svg[] {
  if (chart.points.length === 0) {
    const middle = { x: WIDTH / 2, y: HEIGHT / 2 + 20, anchor: 'middle' as const }
    return [textLine(describeHistory(chart), { ...middle, size: 14, fill: MUTED })]
  }
  const { lines, lineHeight } = legend(chart, { left: LEFT, right: RIGHT })
  const first = HEIGHT - EDGE_GAP - 4 - (lines.length - 1) * lineHeight
  return [
    ...plot(chart, { left: LEFT, right: RIGHT, top: 82, bottom: first - 18 - TIME_LABELS }),
    element('g', { transform: `translate(0 ${first})` }, ...lines.flat()),
  ]
}
