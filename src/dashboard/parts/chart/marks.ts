/** The marks of a chart's points on a canvas: a shape of its own for each kind, as in the server's pictures. */
import type { PointKind } from '../../../charts/points'

export interface Palette {
  readonly ground: string
  readonly text: string
  readonly muted: string
  readonly line: string
  readonly grid: string
  readonly band: string
  readonly bandLine: string
  readonly series: string
  readonly fail: string
  readonly warn: string
  readonly revoked: string
}

/** Traces one mark; whoever calls begins the path, fills and strokes it. */
export function traceMark(kind: PointKind, path: CanvasPath, x: number, y: number, radius: number): void {
  switch (kind) {
    case 'trusted':
    case 'unjudged':
      path.moveTo(x + radius, y)
      path.arc(x, y, radius, 0, 2 * Math.PI)
      return
    case 'failed': {
      const wide = radius * 1.4
      path.moveTo(x, y - wide)
      path.lineTo(x + wide, y + radius * 1.1)
      path.lineTo(x - wide, y + radius * 1.1)
      path.closePath()
      return
    }
    case 'untrusted': {
      const wide = radius * 1.35
      path.moveTo(x, y - wide)
      path.lineTo(x + wide, y)
      path.lineTo(x, y + wide)
      path.lineTo(x - wide, y)
      path.closePath()
      return
    }
    case 'revoked': {
      const reach = radius * 1.6
      path.moveTo(x + radius, y)
      path.arc(x, y, radius, 0, 2 * Math.PI)
      path.moveTo(x - reach, y + reach)
      path.lineTo(x + reach, y - reach)
    }
  }
}

/** Hollow ones show the ground, so that they lie upon the line. */
export function markColours(kind: PointKind, palette: Palette): { fill: string; stroke: string } {
  const { ground, series, fail, warn, revoked } = palette
  switch (kind) {
    case 'trusted':
      return { fill: series, stroke: ground }
    case 'unjudged':
      return { fill: ground, stroke: series }
    case 'failed':
      return { fill: fail, stroke: ground }
    case 'untrusted':
      return { fill: ground, stroke: warn }
    case 'revoked':
      return { fill: ground, stroke: revoked }
  }
}
