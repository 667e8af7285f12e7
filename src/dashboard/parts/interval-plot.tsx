/** Estimates with their intervals, a line each, on one axis; a bound or a zero is drawn through all of them. */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { position, type Range, valueRange, valueTicks } from '../../charts/value-axis'
import { useWidth } from '../hooks/use-width'
import { short } from './number'

export interface IntervalRow {
  readonly key: string
  readonly head: ComponentChildren
  /** Beside the line: what the estimate is in figures. */
  readonly figures: ComponentChildren
  readonly estimate: number | null
  readonly lower: number | null
  readonly upper: number | null
  /** A line of this row alone, as a gate's limit. */
  readonly limit?: { readonly at: number; readonly label: string }
  readonly tone?: 'fail' | 'warn' | 'pass'
  /** All of it in words. */
  readonly label: string
}

interface Props {
  readonly rows: readonly IntervalRow[]
  /** What the axis measures, with its unit. */
  readonly axis: string
  /** Names it in the style sheet. */
  readonly id: string
}

const LINE_PX = 44
const AXIS_PX = 36
const TICK_PX = 90
const INSET = 10
/** Beside a limit's line, on the side that has room. */
const LABEL_PX = 90

export function IntervalPlot({ rows, axis, id }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const range = valueRange([
    0,
    ...rows.flatMap(({ estimate, lower, upper, limit }) =>
      [estimate, lower, upper, limit?.at ?? null].filter((value) => value !== null),
    ),
  ])
  const x = (value: number) => INSET + position(range, value) * (width - 2 * INSET)
  return (
    <div class={`intervals intervals-${id}`}>
      {rows.map((row) => (
        <div key={row.key} class="interval-row">
          <div class="interval-head">{row.head}</div>
          <div class="interval-line">{width > 0 && <Line row={row} width={width} x={x} />}</div>
          <div class="interval-figures">{row.figures}</div>
        </div>
      ))}
      <div class="interval-row interval-axis" aria-hidden="true">
        <div />
        <div ref={place} class="interval-line">
          {width > 0 && <Axis range={range} width={width} x={x} words={axis} />}
        </div>
        <div />
      </div>
    </div>
  )
}

type Scale = (value: number) => number

function Line({ row, width, x }: { row: IntervalRow; width: number; x: Scale }) {
  const { estimate, lower, upper, limit, tone, label } = row
  const middle = LINE_PX / 2 + 3
  const isLate = limit !== undefined && x(limit.at) > width - LABEL_PX
  return (
    <svg
      class={`interval interval-${tone ?? 'plain'}`}
      width={width}
      height={LINE_PX}
      viewBox={`0 0 ${width} ${LINE_PX}`}
      role="img"
      aria-label={label}
    >
      <path class="interval-zero" d={`M${x(0)} 0V${LINE_PX}`} />
      {limit && (
        <>
          <path class="interval-limit" d={`M${x(limit.at)} 0V${LINE_PX}`} />
          <text
            class="interval-limit-text"
            x={x(limit.at) + (isLate ? -5 : 5)}
            y={11}
            text-anchor={isLate ? 'end' : 'start'}
          >
            {limit.label}
          </text>
        </>
      )}
      {lower !== null && upper !== null && (
        <path
          class="interval-span"
          d={`M${x(lower)} ${middle}H${x(upper)}M${x(lower)} ${middle - 5}v10M${x(upper)} ${middle - 5}v10`}
        />
      )}
      {estimate !== null && <circle class="interval-estimate" cx={x(estimate)} cy={middle} r={4.5} />}
    </svg>
  )
}

function Axis({ range, width, x, words }: { range: Range; width: number; x: Scale; words: string }) {
  return (
    <svg class="interval-scale" width={width} height={AXIS_PX} viewBox={`0 0 ${width} ${AXIS_PX}`}>
      <path class="interval-zero" d={`M0 .5H${width}`} />
      {valueTicks(range, Math.max(2, width / TICK_PX)).map(({ at, label }) => (
        <text key={at} x={nearEdge(x(at), width)} y={14} text-anchor={anchorAt(x(at), width)}>
          {label.replace('-', '−')}
        </text>
      ))}
      <text class="interval-words" x={width / 2} y={31} text-anchor="middle">
        {words}
      </text>
    </svg>
  )
}

const EDGE_PX = 40

/** A text at the edge of the drawing is not cut off by it. */
function anchorAt(x: number, width: number): 'start' | 'middle' | 'end' {
  return x < EDGE_PX ? 'start' : x > width - EDGE_PX ? 'end' : 'middle'
}

function nearEdge(x: number, width: number): number {
  return anchorAt(x, width) === 'start'
    ? Math.max(0, x - INSET)
    : anchorAt(x, width) === 'end'
      ? Math.min(width, x + INSET)
      : x
}

/** `0.12 (0.05 to 0.2)`. */
export function intervalText(estimate: number | null, lower: number | null, upper: number | null): string {
  return lower === null || upper === null
    ? short(estimate)
    : `${short(rounded(estimate))} (${short(rounded(lower))} to ${short(rounded(upper))})`
}

const DIGITS = 3

function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(DIGITS))
}
