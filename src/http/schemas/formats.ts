import { commitShaFault, int64Fault } from '../../gate/identity.js'
import { keyFault, textFault } from '../../gate/text.js'
import { normalizeTimestamp } from '../../gate/timestamp.js'

/**
 * What a text must be, beyond its length. Each answers what is wrong and what would be right; null where nothing is.
 * The names stand as `format` in the schemas.
 */
export const TEXT_FORMATS = {
  /** Metric keys and the parts of a series. */
  name: (text: string) => keyFault(text, Infinity),
  /** A name that stands in a path, from which URL parsers take these two away, also where they come escaped. */
  'path-name': (text: string) =>
    text === '.' || text === '..'
      ? 'is a step in a path, which no URL can hold as a name'
      : keyFault(text, Infinity),
  /** Any other text that is kept. */
  text: (text: string) => (text === '' ? 'is empty; leave it out, or say something' : textFault(text)),
  /** Data, which may be empty. */
  storable: textFault,
  reason: (text: string) =>
    text.trim() === '' ? 'is empty; say why, for those who read it later' : textFault(text),
  'commit-sha': commitShaFault,
  'rfc3339-time': timestampFault,
  int64: int64Fault,
} as const satisfies Record<string, (text: string) => string | null>
export type TextFormat = keyof typeof TEXT_FORMATS

function timestampFault(text: string): string | null {
  if (normalizeTimestamp(text) !== null) return null
  if (/ \d\d:\d\d$/.test(text) && normalizeTimestamp(text.replace(/ (?=\d\d:\d\d$)/, '+')) !== null) {
    return 'has lost the + of its offset; write it as %2B in a URL'
  }
  return 'is no RFC 3339 time with an offset; write it like 2026-11-30T18:00:00Z'
}

/** What Ajv is given, under the same names. */
export const AJV_FORMATS = Object.entries(TEXT_FORMATS).map(
  ([name, fault]) =>
    [name, { type: 'string' as const, validate: (text: string) => fault(text) === null }] as const,
)
