/** Controls, format characters (bidi overrides, zero widths), lone surrogates, and every space but the plain one. */
const INVISIBLE = /(?! )[\p{C}\p{Z}]/gu
const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't' }

/**
 * A name from outside as one line that shows all of itself: what would not be seen, or would move the other characters
 * about, is written as its escape (`\u202e`).
 * @param escape what comes in place of such a character
 */
export function visibleText(text: string, escape: (character: string) => string = visibleEscape): string {
  return text.replace(INVISIBLE, escape)
}

/** `\n`, `\u202e`, `\u{e0001}` */
export function visibleEscape(character: string): string {
  const code = character.codePointAt(0)!
  const hex = code.toString(16)
  return `\\${SHORT_ESCAPES[character] ?? (code > 0xffff ? `u{${hex}}` : `u${hex.padStart(4, '0')}`)}`
}

/**
 * A text whose direction leaves that of its neighbours alone; for what `visibleText` made, which holds no isolates. It
 * reads from left to right, as paths and keys do, whatever the script of its first letter.
 */
export function isolated(text: string): string {
  return `\u2066${text}\u2069`
}
