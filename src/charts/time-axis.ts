import type { Range, Tick } from './value-axis.js'

/** The axis of time, in UTC: its ends and its ticks, in milliseconds since 1970. */

export interface TimeTick extends Tick {
  /** What the label leaves out (the day of an hour, the year of a day); null where the tick before said the same. */
  readonly context: string | null
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The first Monday after the first of January 1970. */
const FIRST_MONDAY = 4 * DAY
/** As long as some month. */
const MONTH = 30 * DAY
const YEAR = 365 * DAY

const PADDING = 0.03
/** Around a single moment: it then stands in the middle of a day. */
const AROUND_ONE = DAY / 2
const NARROWEST = 10 * SECOND

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

type Unit = 'second' | 'minute' | 'day' | 'month' | 'year'

interface Step {
  readonly unit: Unit
  /** In milliseconds; nearly, for months and years. */
  readonly length: number
  /** How many months; 0 for the shorter ones. */
  readonly months: number
}

const fixed = (unit: Unit, length: number): Step => ({ unit, length, months: 0 })
const months = (count: number): Step => ({ unit: 'month', length: count * MONTH, months: count })
const years = (count: number): Step => ({ unit: 'year', length: count * YEAR, months: count * 12 })

const STEPS: readonly Step[] = [
  ...[1, 5, 15, 30].map((count) => fixed('second', count * SECOND)),
  ...[1, 5, 15, 30, 60, 180, 360, 720].map((count) => fixed('minute', count * MINUTE)),
  ...[1, 2, 7, 14].map((count) => fixed('day', count * DAY)),
  ...[1, 3, 6].map(months),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000].map(years),
]

/** A range that holds all moments, with room at both sides; the day around the one moment; the first day of 1970 for none. */
export function timeRange(moments: Iterable<number>): Range {
  let first = Infinity
  let last = -Infinity
  for (const moment of moments) {
    first = Math.min(first, moment)
    last = Math.max(last, moment)
  }
  if (first > last) return { min: 0, max: DAY }
  const middle = (first + last) / 2
  const half = first === last ? AROUND_ONE : Math.max((last - first) / 2, NARROWEST / 2) * (1 + 2 * PADDING)
  return { min: middle - half, max: middle + half }
}

/**
 * Round moments within the range: full seconds to full centuries.
 * @param about how many would be welcome, 2 or more; there are at most one more
 */
export function timeTicks(range: Range, about: number): TimeTick[] {
  const wanted = (range.max - range.min) / about
  const step = STEPS.find(({ length }) => length >= wanted) ?? STEPS.at(-1)!
  const moments = step.months === 0 ? evenly(range, step.length) : byMonths(range, step.months)
  let said: string | null = null
  return moments.map((at) => {
    const { label, context } = textOf(at, step.unit)
    const isNew = context !== said
    said = context
    return { at, label, context: isNew ? context : null }
  })
}

function evenly({ min, max }: Range, length: number): number[] {
  const offset = length % (7 * DAY) === 0 ? FIRST_MONDAY : 0
  const first = Math.ceil((min - offset) / length)
  const last = Math.floor((max - offset) / length)
  return Array.from(
    { length: Math.max(0, last - first + 1) },
    (_, index) => (first + index) * length + offset,
  )
}

function byMonths({ min, max }: Range, count: number): number[] {
  const found: number[] = []
  const start = new Date(min)
  let month = start.getUTCFullYear() * 12 + start.getUTCMonth()
  month -= ((month % count) + count) % count
  for (let at = monthStart(month); at <= max; at = monthStart((month += count))) {
    if (at >= min) found.push(at)
  }
  return found
}

/** @param month counted from the year 0 */
function monthStart(month: number): number {
  // Date.UTC would take the year 26 for 1926.
  return new Date(0).setUTCFullYear(Math.floor(month / 12), ((month % 12) + 12) % 12, 1)
}

function textOf(at: number, unit: Unit): { label: string; context: string | null } {
  const date = new Date(at)
  const year = String(date.getUTCFullYear())
  const month = MONTHS[date.getUTCMonth()]!
  const day = `${month} ${date.getUTCDate()}`
  switch (unit) {
    case 'year':
      return { label: year, context: null }
    case 'month':
      return { label: month, context: year }
    case 'day':
      return { label: day, context: year }
    case 'minute':
      return { label: date.toISOString().slice(-13, -8), context: `${day}, ${year}` }
    case 'second':
      return { label: date.toISOString().slice(-13, -5), context: `${day}, ${year}` }
  }
}
