/**
 * The course of a sequential test against its boundaries. By keyboard it is a slider over its comparisons: arrows walk,
 * Home and End lead to its ends.
 */
import { useMemo, useRef, useState } from 'preact/hooks'
import { type Range, valueRange, valueTicks } from '../../../charts/value-axis'
import type { LadderTest } from '../../api/types'
import { useWidth } from '../../hooks/use-width'
import { plural } from '../../parts/number'
import { type Look, logText, looksOf } from './evidence'

const HEIGHT = 320
const LEFT = 44
const RIGHT = 16
const TOP = 28
const BOTTOM = 40
const TICK_PX = { x: 70, y: 52 }
const PAGE = 10

interface Props {
  readonly test: LadderTest
  readonly minEffect: number | null
}

export function Trajectory({ test, minEffect }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const looks = useMemo(() => looksOf(test, minEffect), [test, minEffect])
  const [pointed, setPointed] = useState<number | null>(null)
  const last = looks.length - 1
  const shown = looks[pointed ?? last]!
  const scales = scalesFor(looks, test, width)

  function walk(event: KeyboardEvent) {
    const at = pointed ?? last
    const to = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - PAGE,
      PageUp: at + PAGE,
      Home: 0,
      End: last,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    setPointed(Math.min(Math.max(to, 0), last))
  }

  return (
    <div
      class="trajectory"
      role="slider"
      tabIndex={0}
      aria-label={`${describe(test, last)} Arrows walk the comparisons.`}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={pointed ?? last}
      aria-valuetext={lookText(shown)}
      onKeyDown={walk}
      onPointerMove={(event) => {
        const { left } = event.currentTarget.getBoundingClientRect()
        setPointed(Math.min(Math.max(Math.round(scales.nAt(event.clientX - left)), 0), last))
      }}
      onPointerLeave={() => setPointed(null)}
    >
      <div ref={place}>
        {width > 0 && <Drawing test={test} looks={looks} scales={scales} width={width} shown={shown} />}
      </div>
      <p class="trajectory-readout small">{lookText(shown)}</p>
    </div>
  )
}

interface Scales {
  readonly x: (n: number) => number
  readonly y: (value: number) => number
  readonly nAt: (x: number) => number
  readonly times: Range
  readonly values: Range
}

function scalesFor(
  looks: readonly Look[],
  { accept_at: accept, reject_at: reject }: LadderTest,
  width: number,
): Scales {
  const times = { min: 0, max: Math.max(looks.length - 1, 5) }
  const values = valueRange([
    0,
    accept,
    reject,
    ...looks.flatMap(({ statistic, futility }) => (futility === null ? [statistic] : [statistic, futility])),
  ])
  const [across, down] = [width - LEFT - RIGHT, HEIGHT - TOP - BOTTOM]
  return {
    times,
    values,
    x: (n) => round(LEFT + (across * n) / times.max),
    y: (value) => round(TOP + down * (1 - (value - values.min) / (values.max - values.min))),
    nAt: (x) => ((x - LEFT) / across) * times.max,
  }
}

interface DrawingProps {
  readonly test: LadderTest
  readonly looks: readonly Look[]
  readonly scales: Scales
  readonly width: number
  readonly shown: Look
}

function Drawing({ test, looks, scales, width, shown }: DrawingProps) {
  const { x, y, times, values } = scales
  const { accept_at: accept, reject_at: reject, decision, decided_at: decidedAt } = test
  const hasFutility = looks.at(-1)!.futility !== null
  const decided = decidedAt === null ? null : (looks.find(({ n }) => n === decidedAt) ?? null)
  const isByFutility = decision === 'reject' && hasFutility
  return (
    <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      {valueTicks(values, (HEIGHT - TOP - BOTTOM) / TICK_PX.y).map(({ at, label }) => (
        <g key={at}>
          <path class="trajectory-grid" d={`M${LEFT} ${y(at)}H${width - RIGHT}`} />
          <text x={LEFT - 8} y={y(at) + 4} text-anchor="end">
            {label.replace('-', '−')}
          </text>
        </g>
      ))}
      {valueTicks(times, (width - LEFT - RIGHT) / TICK_PX.x)
        .filter(({ at }) => Number.isInteger(at))
        .map(({ at, label }) => (
          <text key={at} x={x(at)} y={HEIGHT - BOTTOM + 18} text-anchor="middle">
            {label}
          </text>
        ))}
      <text x={(LEFT + width - RIGHT) / 2} y={HEIGHT - 4} text-anchor="middle">
        decisive comparisons
      </text>
      {hasFutility && (
        <polyline class="trajectory-against" points={pointsOf(looks, x, y, ({ futility }) => futility!)} />
      )}
      <polyline class="trajectory-for" points={pointsOf(looks, x, y, ({ statistic }) => statistic)} />
      <Boundary at={y(accept)} width={width} kind="accept" words={`accepts at ${logText(accept)}`} />
      <Boundary
        at={y(reject)}
        width={width}
        kind="reject"
        words={hasFutility ? `dashed line rejects at ${logText(reject)}` : `rejects at ${logText(reject)}`}
        isBelow={!hasFutility}
      />
      <path class="trajectory-cursor" d={`M${x(shown.n)} ${TOP}V${HEIGHT - BOTTOM}`} />
      <circle class="trajectory-point" cx={x(shown.n)} cy={y(shown.statistic)} r={4} />
      {shown.futility !== null && (
        <circle class="trajectory-point-against" cx={x(shown.n)} cy={y(shown.futility)} r={3.5} />
      )}
      {decided && (
        <Crossing
          x={x(decided.n)}
          y={y(isByFutility ? decided.futility! : decided.statistic)}
          width={width}
          decision={decision}
          n={decided.n}
        />
      )}
    </svg>
  )
}

interface BoundaryProps {
  readonly at: number
  readonly width: number
  readonly kind: 'accept' | 'reject'
  readonly words: string
  readonly isBelow?: boolean
}

function Boundary({ at, width, kind, words, isBelow = false }: BoundaryProps) {
  return (
    <g class={`boundary-${kind}`}>
      <path d={`M${LEFT} ${at}H${width - RIGHT}`} />
      <text x={LEFT + 6} y={at + (isBelow ? 14 : -5)}>
        {words}
      </text>
    </g>
  )
}

/** Where the boundary was reached: a ring, and what was decided. */
function Crossing(props: {
  x: number
  y: number
  width: number
  decision: LadderTest['decision']
  n: number
}) {
  const { x, y, width, decision, n } = props
  const isLate = x > width * 0.6
  return (
    <g class={`crossing crossing-${decision}`}>
      <circle cx={x} cy={y} r={8} />
      <text x={x + (isLate ? -13 : 13)} y={y - 12} text-anchor={isLate ? 'end' : 'start'}>
        {decision === 'accept' ? '✓ accepted' : '✕ rejected'} after {n}
      </text>
    </g>
  )
}

function pointsOf(
  looks: readonly Look[],
  x: (n: number) => number,
  y: (value: number) => number,
  value: (look: Look) => number,
): string {
  return looks.map((look) => `${x(look.n)},${y(value(look))}`).join(' ')
}

function lookText({ n, wins, losses, statistic, futility }: Look): string {
  const against = futility === null ? '' : `, against it ${logText(futility)}`
  return `After ${plural(n, 'decisive comparison')}, ${wins} won and ${losses} lost: evidence for it ${logText(statistic)}${against} (natural logarithms)`
}

function describe(
  { against, decision, decided_at: at, accept_at: accept, reject_at: reject }: LadderTest,
  n: number,
): string {
  const end =
    decision === 'continue'
      ? 'it is not decided'
      : `it was ${decision === 'accept' ? 'accepted' : 'rejected'} after ${at ?? n}`
  return `The test against ${against} over ${plural(n, 'decisive comparison')}: boundaries ${logText(accept)} and ${logText(reject)}; ${end}.`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
