import type { HistoryChart } from './history-chart.js'
import { distinctNumbers } from './numbers.js'
import { KIND_WORDS, POINT_KINDS, type ChartPoint } from './points.js'

/**
 * What a chart shows, in a few sentences for those who do not see it: how many values, of which kinds, of which time; the
 * newest value beside its corridor.
 * @param more whether there are older values that the chart leaves out
 */
export function describeHistory(chart: HistoryChart, { more = false } = {}): string {
  const { points, notDrawn } = chart
  const [oldest] = points
  const newest = points.at(-1)
  if (oldest === undefined || newest === undefined) {
    return notDrawn === 0 ? 'No values are stored.' : `${values(notDrawn)} stored, none of them can be drawn.`
  }
  const from = dayOf(oldest)
  const to = dayOf(newest)
  const span = from === to ? `of ${to}` : `from ${from} to ${to}`
  const count = more ? `The newest ${values(points.length)}` : values(points.length)
  return [
    `${count}, ${span} (UTC): ${kinds(chart)}.`,
    `Newest: ${newestText(newest)}.`,
    ...(notDrawn === 0 ? [] : [`Not drawn, since not finite: ${values(notDrawn)}.`]),
  ].join(' ')
}

/** The kinds that there are: `38 trusted, 1 failed, 1 revoked`. */
function kinds({ counts }: HistoryChart): string {
  return POINT_KINDS.filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${KIND_WORDS[kind].replace(', ', ' but ')}`)
    .join(', ')
}

/** `2.31 (failed; mean 2, corridor 1.8 to 2.2)`. Numbers that differ never look equal. */
export function newestText({ value, mean, lower, upper, kind }: ChartPoint): string {
  const numbers = [value, mean, lower, upper].filter((number) => number !== null)
  const texts = new Map(distinctNumbers(numbers).map((text, index) => [numbers[index]!, text]))
  const text = (number: number) => texts.get(number)!
  const corridor =
    lower !== null && upper !== null
      ? [`corridor ${text(lower)} to ${text(upper)}`]
      : [
          ...(lower === null ? [] : [`at least ${text(lower)}`]),
          ...(upper === null ? [] : [`at most ${text(upper)}`]),
        ]
  const beside = [...(mean === null ? [] : [`mean ${text(mean)}`]), ...corridor].join(', ')
  return `${text(value)} (${KIND_WORDS[kind]}${beside === '' ? '' : `; ${beside}`})`
}

function values(count: number): string {
  return count === 1 ? '1 value' : `${count} values`
}

function dayOf({ item }: ChartPoint): string {
  return item.created_at.slice(0, 10)
}
