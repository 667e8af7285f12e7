/**
 * The chart of one coordinate's history: the model of `src/charts` drawn by uPlot. Pointing shows what a point says, a
 * click opens its run, dragging zooms, a double click takes that back. By keyboard it is a slider over its points: arrows
 * walk, N and P go to the next and the previous failure, Enter opens, Escape takes the zoom back.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { describeHistory } from '../../../charts/describe'
import type { HistoryChart } from '../../../charts/history-chart'
import type { ChartPoint } from '../../../charts/points'
import { position } from '../../../charts/value-axis'
import { runHref } from '../../hrefs'
import { navigate } from '../../router'
import { useTheme } from '../../theme'
import { plotData, plotOptions, readPalette } from './options'
import { Readout, readoutText } from './readout'
import './chart.css'

interface Props {
  readonly chart: HistoryChart
  /** What it shows, for those who hear it. */
  readonly label: string
  readonly height?: number
  /** One of many: fewer ticks, no zoom; what a click does is the caller's. */
  readonly small?: boolean
}

export function Plot({ chart, label, height = 340, small = false }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const theme = useTheme()
  const [hovered, setHovered] = useState<number | null>(null)
  const { points } = chart
  const current = hovered === null ? null : (points[hovered] ?? null)

  useLayoutEffect(() => {
    const element = place.current
    if (element === null || points.length === 0) return
    const size = { width: element.clientWidth, height }
    const drawn = new uPlot(
      plotOptions(chart, readPalette(), size, small, setHovered),
      plotData(chart),
      element,
    )
    plot.current = drawn
    const resized = new ResizeObserver(() => {
      if (element.clientWidth !== drawn.width) drawn.setSize({ width: element.clientWidth, height })
    })
    resized.observe(element)
    let pressedAt = 0
    drawn.over.addEventListener('mousedown', ({ clientX }) => (pressedAt = clientX))
    drawn.over.addEventListener('click', ({ clientX }) => {
      const point = points[drawn.cursor.idx ?? -1]
      // The end of a drag is no click.
      if (!small && point && Math.abs(clientX - pressedAt) < 4) navigate(runHref(point.item.run_id))
    })
    return () => {
      resized.disconnect()
      drawn.destroy()
      plot.current = null
    }
  }, [chart, height, small, theme])

  useEffect(() => setHovered(null), [chart])

  if (points.length === 0) return <p class="chart-none muted">{describeHistory(chart)}</p>
  if (small)
    return (
      <div
        ref={place}
        class="chart chart-small"
        role="img"
        aria-label={`${label}. ${describeHistory(chart)}`}
      />
    )

  function walk(event: KeyboardEvent) {
    const drawn = plot.current
    if (drawn === null) return
    const last = points.length - 1
    const at = hovered ?? last + 1
    const to = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageUp: at - 10,
      PageDown: at + 10,
      Home: 0,
      End: last,
      n: failureFrom(chart, at, 1),
      p: failureFrom(chart, at, -1),
    }[event.key]
    if (to !== undefined) {
      const index = Math.min(Math.max(to, 0), last)
      const point = points[index]!
      // A point outside of what is zoomed in brings all back.
      const { min = 0, max = 0 } = drawn.scales.x ?? {}
      if (point.at / 1_000 < (min ?? 0) || point.at / 1_000 > (max ?? 0)) showAll(drawn, chart)
      drawn.setCursor({
        left: drawn.valToPos(point.at / 1_000, 'x'),
        top: drawn.valToPos(position(chart.values, point.value), 'y'),
      })
      setHovered(index)
    } else if (event.key === 'Enter' && current) navigate(runHref(current.item.run_id))
    else if (event.key === 'Escape') showAll(drawn, chart)
    else return
    event.preventDefault()
  }

  return (
    <div
      class="chart-frame"
      role="slider"
      tabIndex={0}
      aria-label={`${label}. ${describeHistory(chart)} Arrows walk the points, N and P the failures, Enter opens the run.`}
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={points.length}
      aria-valuenow={(hovered ?? points.length - 1) + 1}
      aria-valuetext={readoutText(current ?? points.at(-1)!)}
      onKeyDown={walk}
    >
      <div ref={place} class="chart" />
      {current && plot.current && (
        <Bubble plot={plot.current} point={current} height={position(chart.values, current.value)} />
      )}
    </div>
  )
}

/** The failing point after the given one, or before it; where there is none, the given one. */
function failureFrom({ points }: HistoryChart, at: number, direction: 1 | -1): number {
  for (let index = at + direction; index >= 0 && index < points.length; index += direction) {
    if (points[index]?.kind === 'failed') return index
  }
  return at
}

function showAll(plot: uPlot, { times }: HistoryChart): void {
  plot.setScale('x', { min: times.min / 1_000, max: times.max / 1_000 })
}

/**
 * Beside the point, on the side that has room.
 * @param height the point's, as a part of the axis
 */
function Bubble({ plot, point, height }: { plot: uPlot; point: ChartPoint; height: number }) {
  const left = plot.over.offsetLeft + plot.valToPos(point.at / 1_000, 'x')
  const top = plot.over.offsetTop + plot.valToPos(height, 'y')
  const isRight = left < plot.width / 2
  const isLow = top > plot.height / 2
  return (
    <>
      <div class="chart-point" style={{ transform: `translate(${left}px, ${top}px)` }} />
      <div
        class={`readout ${isLow ? 'readout-high' : 'readout-low'}`}
        style={isRight ? { left: `${left + 14}px` } : { right: `${plot.width - left + 14}px` }}
      >
        <Readout point={point} />
        <p class="readout-hint muted small">Click or Enter opens the run</p>
      </div>
    </>
  )
}
