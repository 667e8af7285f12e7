import { normalizeTimestamp } from '../gate/timestamp.js'
import type { Timestamp } from '../gate/run.js'

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?([.,]\d{1,9})?)?\s*(Z|[+-]\d\d:?\d\d)?$/i
const EPOCH_SECONDS = /^\d{9,10}(?:\.\d+)?$/
const EPOCH_MILLISECONDS = /^\d{12,13}$/

/**
 * A time as tools write it, in RFC 3339: ISO 8601 with `T` or a space, or seconds or milliseconds since 1970.
 * @returns the reason where it is none
 */
export function readTime(text: string, assumeUtc: boolean): { time: Timestamp } | { fault: string } {
  const trimmed = text.trim()
  if (EPOCH_SECONDS.test(trimmed)) return timeOf(Number(trimmed) * 1_000)
  if (EPOCH_MILLISECONDS.test(trimmed)) return timeOf(Number(trimmed))
  const match = TIME.exec(trimmed)
  if (!match) return { fault: `${JSON.stringify(text.slice(0, 60))} is no time as 2026-11-01T15:00:00Z` }
  const [, date, minutes = '00:00', seconds = ':00', fraction = '', offset] = match
  if (offset === undefined && !assumeUtc) {
    return { fault: `the time ${trimmed} has no UTC offset; --assume-utc takes such times as UTC` }
  }
  const zone = offset === undefined ? 'Z' : offset.toUpperCase().replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2')
  const time = normalizeTimestamp(`${date}T${minutes}${seconds}${fraction.replace(',', '.')}${zone}`)
  return time === null ? { fault: `there is no time ${trimmed}` } : { time }
}

function timeOf(milliseconds: number): { time: Timestamp } {
  return { time: new Date(milliseconds).toISOString().replace('Z', '000Z') }
}
