import type { PointKind } from '../../../charts/points.js'
import { AMBER, BLUE, GREY, GROUND, RED } from './colours.js'
import { coordinate, element, type Svg } from './element.js'

interface MarkStyle {
  readonly fill: string
  readonly stroke: string
  readonly draw: (x: number, y: number, radius: number) => Svg
}

/** A shape of its own for each kind, so that none is told by its colour alone. */
const STYLES: Readonly<Record<PointKind, MarkStyle>> = {
  trusted: { fill: BLUE, stroke: GROUND, draw: circle },
  unjudged: { fill: GROUND, stroke: BLUE, draw: circle },
  failed: { fill: RED, stroke: GROUND, draw: triangle },
  untrusted: { fill: GROUND, stroke: AMBER, draw: diamond },
  revoked: { fill: GROUND, stroke: GREY, draw: struckCircle },
}

/** The marks of one kind, one element each. */
export function marks(
  kind: PointKind,
  places: ReadonlyArray<{ readonly x: number; readonly y: number }>,
  radius: number,
): Svg {
  const { fill, stroke, draw } = STYLES[kind]
  const drawn = places.map(({ x, y }) => draw(x, y, radius))
  return element(
    'g',
    { 'data-kind': kind, fill, stroke, 'stroke-width': fill === GROUND ? 1.5 : 1 },
    ...drawn,
  )
}

function circle(x: number, y: number, radius: number): Svg {
  return element('circle', { cx: x, cy: y, r: radius })
}

function triangle(x: number, y: number, radius: number): Svg {
  const wide = radius * 1.4
  return shape([x, y - wide], [x + wide, y + radius * 1.1], [x - wide, y + radius * 1.1])
}

function diamond(x: number, y: number, radius: number): Svg {
  const wide = radius * 1.35
  return shape([x, y - wide], [x + wide, y], [x, y + wide], [x - wide, y])
}

function struckCircle(x: number, y: number, radius: number): Svg {
  const [left, top, wide] = [coordinate(x - radius), coordinate(y), coordinate(radius * 2)]
  const round = `M${left} ${top}a${coordinate(radius)} ${coordinate(radius)} 0 1 0 ${wide} 0a${coordinate(radius)} ${coordinate(radius)} 0 1 0 -${wide} 0Z`
  const reach = radius * 1.5
  const line = `M${coordinate(x - reach)} ${coordinate(y + reach)}L${coordinate(x + reach)} ${coordinate(y - reach)}`
  return element('path', { d: `${round}${line}` })
}

function shape(...corners: ReadonlyArray<readonly [x: number, y: number]>): Svg {
  return element('path', { d: `M${corners.map((corner) => corner.map(coordinate).join(' ')).join('L')}Z` })
}
