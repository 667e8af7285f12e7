import type { Timestamp } from './run.js'

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,12}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * An RFC 3339 time with an explicit offset in the one form that the store compares: UTC, six decimals.
 *
 * Digits beyond the microsecond round up: stored times hold whole microseconds, so `t >= since` and `t < until`
 * choose the same rows with the rounded bound as with the exact one.
 * @returns null where the text is no such time (a date that does not exist, a leap second, no offset)
 */
export function normalizeTimestamp(text: string): Timestamp | null {
  const match = RFC_3339.exec(text)
  if (!match) return null
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second,
    fraction = '',
    sign,
    offsetHour = '0',
    offsetMinute = '0',
  ] = match
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null

  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`)
  // Date.parse takes February 30 for March 2.
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== Number(day)) return null

  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1)
  const minutes = Number(hour) * 60 + Number(minute) - offset
  let seconds = midnight.getTime() / 1000 + minutes * 60 + Number(second)
  const digits = fraction.padEnd(6, '0')
  let micros = Number(digits.slice(0, 6)) + (/[1-9]/.test(digits.slice(6)) ? 1 : 0)
  if (micros === 1_000_000) {
    micros = 0
    seconds += 1
  }
  const utc = new Date(seconds * 1000)
  // Beyond these years the text would no longer have the fixed width by which it sorts.
  if (utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999) return null
  return `${utc.toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`
}
