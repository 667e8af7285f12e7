/** Rules for text that comes from outside and is kept. */

export const MAX_METRIC_KEY = 512

const OUTER_WHITE_SPACE = /^[\p{White_Space}\uFEFF]|[\p{White_Space}\uFEFF]$/u
const LONE_SURROGATE = /\p{Cs}/u

/**
 * Why a text cannot be kept: PostgreSQL holds neither NUL nor lone surrogates, and SQLite must not differ.
 * @returns null when it can
 */
export function textFault(text: string): string | null {
  if (text.includes('\0')) return 'holds a NUL character'
  if (LONE_SURROGATE.test(text)) return 'holds half of a surrogate pair, which is no character'
  return null
}

/**
 * Why a text cannot name a metric or a part of a series. A look-alike (a space at the end, say) would start a
 * history of its own without a word, so outer white space is refused; there is no Unicode normalization.
 * @param maximum length in code points
 */
export function keyFault(text: string, maximum: number = MAX_METRIC_KEY): string | null {
  if (text === '') return 'is empty'
  // Only a text that is long in UTF-16 units can be long in code points.
  if (text.length > maximum && [...text].length > maximum) return `is longer than ${maximum} characters`
  const fault = textFault(text)
  if (fault !== null) return fault
  if (OUTER_WHITE_SPACE.test(text)) return 'has white space at its beginning or end'
  return null
}

/** A name as it can be shown in a message: quoted, escaped, and not longer than a line. */
export function shown(text: string, maximum = 80): string {
  return shortened(JSON.stringify(text), maximum)
}

/** @param maximum length in UTF-16 units */
export function shortened(text: string, maximum = 80): string {
  return text.length <= maximum ? text : `${text.slice(0, maximum - 1)}…`
}
