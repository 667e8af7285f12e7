/**
 * A value against its corridor, in the height of a line: the band in the middle, its mean as a tick, the value as a dot
 * inside or a triangle outside. What lies far off is held at the edge by an arrow.
 */
import { corridorText } from './chart/readout'
import { short } from './number'

interface Props {
  readonly value: number | null
  readonly mean: number | null
  readonly lower: number | null
  readonly upper: number | null
  readonly failed: boolean
}

const WIDTH = 168
const HEIGHT = 20
const MIDDLE = HEIGHT / 2
/** The band has this part of the width; what is beside it is for what lies outside. */
const BAND = 0.5
const EDGE = 6

export function CorridorBar({ value, mean, lower, upper, failed }: Props) {
  const scale = scaleOf(value, mean, lower, upper)
  if (scale === null) return null
  const left = lower === null ? 0 : scale(lower)
  const right = upper === null ? WIDTH : scale(upper)
  const label = `${short(value)} against ${corridorText(lower, upper)}${mean === null ? '' : `, mean ${short(mean)}`}`
  return (
    <svg
      class="bar"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
    >
      <path class="bar-axis" d={`M0 ${MIDDLE}H${WIDTH}`} />
      <rect class="bar-band" x={left} y={3} width={Math.max(1, right - left)} height={HEIGHT - 6} />
      {lower !== null && <path class="bar-edge" d={`M${left} 2V${HEIGHT - 2}`} />}
      {upper !== null && <path class="bar-edge" d={`M${right} 2V${HEIGHT - 2}`} />}
      {mean !== null && <path class="bar-mean" d={`M${scale(mean)} 4V${HEIGHT - 4}`} />}
      {value !== null && <Mark x={scale(value)} failed={failed} />}
    </svg>
  )
}

function Mark({ x, failed }: { x: number; failed: boolean }) {
  if (x < EDGE) return <path class={failed ? 'bar-fail' : 'bar-value'} d={`M1 ${MIDDLE}l8 -5v10z`} />
  if (x > WIDTH - EDGE)
    return <path class={failed ? 'bar-fail' : 'bar-value'} d={`M${WIDTH - 1} ${MIDDLE}l-8 -5v10z`} />
  if (!failed) return <circle class="bar-value" cx={x} cy={MIDDLE} r={4} />
  return <path class="bar-fail" d={`M${x} ${MIDDLE - 6}l5.5 10h-11z`} />
}

/** Places numbers so that the corridor lies in the middle; null where there is nothing to measure by. */
function scaleOf(
  value: number | null,
  mean: number | null,
  lower: number | null,
  upper: number | null,
): ((number: number) => number) | null {
  const low =
    lower ?? mean ?? (upper === null ? null : Math.min(upper - Math.abs(upper) * 0.5, value ?? upper))
  const high =
    upper ?? mean ?? (lower === null ? null : Math.max(lower + Math.abs(lower) * 0.5, value ?? lower))
  if (low === null || high === null) return null
  // A one-sided corridor is measured from its bound to its mean, a corridor of no width by what lies beside it.
  // In halves, since the difference of two doubles may be none.
  const span = high / 2 - low / 2 || Math.abs((value ?? high) / 2 - high / 2) * 2 || Math.abs(high) / 2 || 0.5
  const start = (WIDTH * (1 - BAND)) / 2
  return (number) => {
    const place = start + ((number / 2 - low / 2) / span) * WIDTH * BAND
    return Math.round(Math.min(Math.max(place, 0), WIDTH) * 10) / 10
  }
}
