import { isolated, visibleText } from '../../../charts/visible-text.js'
import { element, type Svg } from './element.js'
import { isMeasured, shortened, textWidth } from './text-width.js'

export interface TextPlace {
  readonly x: number
  /** Of the baseline. */
  readonly y: number
  readonly anchor?: 'start' | 'middle' | 'end'
  /** In pixels. */
  readonly size: number
  readonly fill: string
  readonly weight?: 600
}

/** A line of text. One whose width is a guess is held to that guess, so that it never runs into its neighbours. */
export function textLine(text: string, { x, y, anchor = 'start', size, fill, weight }: TextPlace): Svg {
  return element(
    'text',
    {
      x,
      y,
      'font-size': size,
      fill,
      'text-anchor': anchor === 'start' ? undefined : anchor,
      'font-weight': weight,
      // Isolates are no part of a guess, but make the text one that is not measured: look beneath them.
      ...(!isMeasured(text.replace(/[\u2066\u2069]/g, '')) && {
        textLength: Math.max(1, textWidth(text, size)),
        lengthAdjust: 'spacingAndGlyphs',
      }),
    },
    text,
  )
}

/** A name from outside: in one line, nothing of it hidden, shortened in its middle, its direction its own. */
export function nameText(name: string, width: number, size: number): string {
  return isolated(shortened(visibleText(name), width, size))
}
