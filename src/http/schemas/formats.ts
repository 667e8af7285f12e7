import { keyFault, textFault } from '../../gate/text.js'
import { normalizeTimestamp } from '../timestamp.js'

const MAX_INT64 = 2n ** 63n - 1n

/**
 * What a text must be, beyond its length. Each answers what is wrong and what would be right; null where nothing is.
 * The names stand as `format` in the schemas.
 */
export const TEXT_FORMATS = {
  /** Metric keys and the parts of a series. */
  name: (text: string) => keyFault(text, Infinity),
  /** Any other text that is kept. */
  text: (text: string) => (text === '' ? 'is empty; leave it out, or say something' : textFault(text)),
  reason: (text: string) =>
    text.trim() === '' ? 'is empty; say why, for those who read it later' : textFault(text),
  'commit-sha': commitShaFault,
  'rfc3339-time': timestampFault,
  int64: int64Fault,
} as const satisfies Record<string, (text: string) => string | null>
export type TextFormat = keyof typeof TEXT_FORMATS

function commitShaFault(text: string): string | null {
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)) return null
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text))
    return 'holds upper-case digits; write the SHA in lower case'
  if (/^[0-9a-f]{4,63}$/i.test(text)) {
    return `has ${text.length} digits; send the whole SHA (40 or 64 hex digits), not a prefix`
  }
  return 'is no commit SHA; send the whole one (40 or 64 lower-case hex digits)'
}

function timestampFault(text: string): string | null {
  if (normalizeTimestamp(text) !== null) return null
  if (/ \d\d:\d\d$/.test(text) && normalizeTimestamp(text.replace(/ (?=\d\d:\d\d$)/, '+')) !== null) {
    return 'has lost the + of its offset; write it as %2B in a URL'
  }
  return 'is no RFC 3339 time with an offset; write it like 2026-11-30T18:00:00Z'
}

function int64Fault(text: string): string | null {
  if (!/^\d{1,40}$/.test(text)) return 'must be an integer in decimal digits'
  return BigInt(text) <= MAX_INT64 ? null : `is beyond 2^63-1`
}

/** What Ajv is given, under the same names. */
export const AJV_FORMATS = Object.entries(TEXT_FORMATS).map(
  ([name, fault]) =>
    [name, { type: 'string' as const, validate: (text: string) => fault(text) === null }] as const,
)
