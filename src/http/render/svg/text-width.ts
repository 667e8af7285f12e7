/**
 * How wide a text will be, without its font: nobody knows which one the viewer has. The widths are those of DejaVu Sans,
 * which are nearly Verdana's; of the usual fonts of systems and browsers these are the widest.
 */

/** Of U+0020 to U+007E, in thousandths of the font size. */
// prettier-ignore
const WIDTHS = [
  352, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 364, 361, 364, 361, 636, 636, 636, 636, 636, 636, 636,
  636, 636, 636, 390, 390, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
  748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
  615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
  337, 636, 838,
]
const OTHERS: Readonly<Record<string, number>> = { '…': 1_000, '·': 380 }

/** Marks that stand over or under others, and what is not seen. */
const NO_WIDTH = /^[\p{M}\p{Cf}]$/u
const NARROW_SCRIPT =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]$/u
/** A guess; what rests on it says its length (`isMeasured`). */
const NARROW = 700
const WIDE = 1_050

const ELLIPSIS = '…'
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The width in pixels at a font size in pixels; an upper bound where the text is measured, else a guess. */
export function textWidth(text: string, size: number): number {
  let sum = 0
  for (const character of text) sum += measured(character) ?? guessed(character)
  return (sum * size) / 1_000
}

/** Whether the width of the text is known, whatever the font. Where not, the picture must state it (`textLength`). */
export function isMeasured(text: string): boolean {
  return [...text].every((character) => measured(character) !== undefined)
}

/**
 * The text within a width, or its beginning and its end with an ellipsis between them: of a path the end tells most, and
 * the beginning next.
 */
export function shortened(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width) return text
  const parts = Array.from(graphemes.segment(text), ({ segment }) => segment)
  let room = width - textWidth(ELLIPSIS, size)
  let head = 0
  let tail = parts.length
  for (let fromEnd = true; head < tail; fromEnd = !fromEnd) {
    const next = textWidth(parts[fromEnd ? tail - 1 : head]!, size)
    if (next > room) break
    room -= next
    if (fromEnd) tail -= 1
    else head += 1
  }
  return `${parts.slice(0, head).join('')}${ELLIPSIS}${parts.slice(tail).join('')}`
}

function measured(character: string): number | undefined {
  return WIDTHS[character.charCodeAt(0) - 0x20] ?? OTHERS[character]
}

function guessed(character: string): number {
  if (NO_WIDTH.test(character)) return 0
  return NARROW_SCRIPT.test(character) ? NARROW : WIDE
}
