/**
 * The recent course of a metric in the height of a line: the corridor as a band, the values as a line, failures as
 * triangles, and what is not trusted as hollow diamonds, as in the charts. No axes: the view it leads to has them.
 */
import { position } from '../../charts/value-axis'
import { short } from './number'

export interface SparkPoint {
  /** null where it is no finite number. */
  readonly value: number | null
  readonly lower: number | null
  readonly upper: number | null
  readonly failed: boolean
  readonly trusted: boolean
}

interface Props {
  /** Oldest first. */
  readonly points: readonly SparkPoint[]
  readonly width?: number
  readonly height?: number
  readonly label: string
}

const INSET = 4

export function Sparkline({ points, width = 180, height = 32, label }: Props) {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
  if (values.length === 0) return <span class="muted small">no values</span>
  // Of the corridor only what lies near the values counts: a wide one would press them flat.
  let low = Math.min(...values)
  let high = Math.max(...values)
  // Bounded, since the difference of two doubles may be none.
  const reach = Math.min((high - low || Math.abs(high) || 1) * 0.6, Number.MAX_VALUE / 4)
  for (const { lower, upper } of points) {
    if (lower !== null && lower < low && lower > low - reach) low = lower
    if (upper !== null && upper > high && upper < high + reach) high = upper
  }
  if (low === high) {
    low = Math.max(low - reach, -Number.MAX_VALUE)
    high = Math.min(high + reach, Number.MAX_VALUE)
  }
  const x = (index: number) => INSET + ((width - 2 * INSET) * index) / Math.max(1, points.length - 1)
  const y = (value: number) => {
    const inside = Math.min(Math.max(value, low - reach), high + reach)
    return round(
      Math.min(
        height,
        Math.max(0, height - INSET - (height - 2 * INSET) * position({ min: low, max: high }, inside)),
      ),
    )
  }
  const last = values.at(-1)!
  const line = points.map(({ value }, index) => (value === null ? '' : `${round(x(index))},${y(value)}`))
  return (
    <svg
      class="spark"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${label}: from ${short(Math.min(...values))} to ${short(Math.max(...values))}, last ${short(last)}`}
    >
      <path class="spark-band" d={bandPath(points, x, y, height)} />
      <polyline class="spark-line" points={line.filter(Boolean).join(' ')} />
      {points.map(({ value, failed, trusted }, index) => {
        if (value === null || (!failed && trusted && index < points.length - 1)) return null
        const [cx, cy] = [round(x(index)), y(value)]
        if (failed) return <path key={index} class="spark-fail" d={`M${cx} ${round(cy - 3)}l2.8 5h-5.6z`} />
        if (trusted) return <circle key={index} class="spark-last" cx={cx} cy={cy} r={2} />
        return (
          <path
            key={index}
            class="spark-untrusted"
            d={`M${cx} ${round(cy - 2.6)}l2.6 2.6l-2.6 2.6l-2.6 -2.6z`}
          />
        )
      })}
    </svg>
  )
}

/** One polygon for each stretch of points that have a corridor. */
function bandPath(
  points: readonly SparkPoint[],
  x: (index: number) => number,
  y: (value: number) => number,
  height: number,
): string {
  const stretches: number[][] = []
  for (const [index, { lower, upper }] of points.entries()) {
    if (lower === null && upper === null) continue
    const current = stretches.at(-1)
    if (current?.at(-1) === index - 1) current.push(index)
    else stretches.push([index])
  }
  return stretches
    .filter((stretch) => stretch.length > 1)
    .map((stretch) => {
      const edge = (index: number, bound: number | null, open: number) =>
        `${round(x(index))} ${bound === null ? open : y(bound)}`
      const top = stretch.map((index) => edge(index, points[index]!.upper, 0))
      const bottom = stretch.map((index) => edge(index, points[index]!.lower, height)).reverse()
      return `M${[...top, ...bottom].join('L')}Z`
    })
    .join('')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
