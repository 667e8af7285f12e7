/** How uPlot is set up: the model's ranges and ticks, and nothing of uPlot's own legend and points. */
import type uPlot from 'uplot'
import type { HistoryChart } from '../../../charts/history-chart'
import { timeTicks } from '../../../charts/time-axis'
import { position, valueTicks } from '../../../charts/value-axis'
import { colour } from '../../theme'
import { drawCorridor, drawMarks } from './draw'
import type { Palette } from './marks'

/** CSS pixels between two ticks, about. */
const TIME_TICK_PX = 110
const VALUE_TICK_PX = 48
const AXIS_FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'
const DIGIT_PX = 7.2

export function readPalette(): Palette {
  return {
    ground: colour('--panel'),
    text: colour('--text'),
    muted: colour('--muted'),
    line: colour('--line-strong'),
    grid: colour('--line'),
    band: colour('--band'),
    bandLine: colour('--band-line'),
    series: colour('--series'),
    fail: colour('--fail'),
    warn: colour('--warn'),
    revoked: colour('--revoked'),
  }
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** A small chart has fewer ticks, and is not zoomed. */
export function plotOptions(
  chart: HistoryChart,
  palette: Palette,
  { width, height }: Size,
  isSmall: boolean,
  onMove: (index: number | null) => void,
): uPlot.Options {
  const xTicks = (plot: uPlot) =>
    timeTicks(milliseconds(plot.scales.x), Math.max(2, plot.width / TIME_TICK_PX))
  const yTicks = valueTicks(chart.values, Math.max(2, height / (isSmall ? 32 : VALUE_TICK_PX)))
  const axis = {
    stroke: palette.muted,
    font: AXIS_FONT,
    ticks: { show: false },
    grid: { stroke: palette.grid, width: 1 },
  }
  return {
    width,
    height,
    legend: { show: false },
    padding: [10, 14, 0, 0],
    cursor: {
      y: false,
      drag: { x: !isSmall, y: false, setScale: !isSmall },
      points: { show: false },
    },
    scales: {
      x: { time: false, range: (_plot, min, max) => zoomed(chart, min, max) },
      y: { range: () => [0, 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: isSmall ? 26 : 44,
        gap: 6,
        splits: (plot) => xTicks(plot).map(({ at }) => at / 1_000),
        values: (plot) =>
          xTicks(plot).map(({ label, context }) =>
            context === null || isSmall ? label : `${label}\n${context}`,
          ),
      },
      {
        ...axis,
        gap: 6,
        splits: () => yTicks.map(({ at }) => position(chart.values, at)),
        values: () => yTicks.map(({ label }) => label.replace('-', '−')),
        size: (_plot, labels) => 16 + DIGIT_PX * Math.max(3, ...(labels ?? []).map((label) => label.length)),
      },
    ],
    series: [{}, { stroke: palette.series, width: isSmall ? 1.25 : 1.5, points: { show: false } }],
    hooks: {
      drawAxes: [(plot) => drawCorridor(plot, chart, palette)],
      draw: [(plot) => drawMarks(plot, chart, palette, isSmall ? 2.2 : 3)],
      setCursor: [({ cursor: { idx } }) => onMove(idx ?? null)],
    },
  }
}

/**
 * uPlot takes columns, times in seconds, and for values their places between the ends of the axis: its own arithmetic
 * fails where the difference of two values is no double any more.
 */
export function plotData({ points, values }: HistoryChart): uPlot.AlignedData {
  return [points.map(({ at }) => at / 1_000), points.map(({ value }) => position(values, value))]
}

/** What a drag selected; all of it otherwise. uPlot hands its data's ends in both cases, so the widest is the model's. */
function zoomed({ times, points }: HistoryChart, min: number | null, max: number | null): [number, number] {
  const first = (points[0]?.at ?? 0) / 1_000
  const last = (points.at(-1)?.at ?? 0) / 1_000
  if (min === null || max === null || (min <= first && max >= last) || min >= max) {
    return [times.min / 1_000, times.max / 1_000]
  }
  return [min, max]
}

function milliseconds(scale: uPlot.Scale | undefined) {
  return { min: (scale?.min ?? 0) * 1_000, max: (scale?.max ?? 1) * 1_000 }
}
