/** Times: how long ago, local, and UTC beside it, since logs and CI speak UTC. */
import { useEffect, useState } from 'preact/hooks'

const local = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const localZone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short', hour: '2-digit' })
const utc = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

const UNITS: ReadonlyArray<readonly [unit: string, seconds: number]> = [
  ['y', 31_557_600],
  ['mo', 2_629_800],
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
]

/** `3 h ago`, `just now`; what lies ahead is `in 3 h`. */
export function relativeTime(from: number, now: number): string {
  const seconds = Math.round((now - from) / 1_000)
  for (const [unit, size] of UNITS) {
    const count = Math.floor(Math.abs(seconds) / size)
    if (count > 0) return seconds > 0 ? `${count} ${unit} ago` : `in ${count} ${unit}`
  }
  return 'just now'
}

export function localTime(iso: string): string {
  return local.format(new Date(iso))
}

/** As `18:00 UTC`, with the day where it is another one than here. */
export function utcTime(iso: string): string {
  const date = new Date(iso)
  const text = utc.format(date)
  return `${date.getDate() === date.getUTCDate() ? text.slice(-5) : text} UTC`
}

function zoneOf(date: Date): string {
  return localZone.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

function isUtcHere(date: Date): boolean {
  return date.getTimezoneOffset() === 0
}

/** Both, in one line of text: for titles and labels. */
export function fullTime(iso: string): string {
  const date = new Date(iso)
  const zone = zoneOf(date)
  return isUtcHere(date) ? `${localTime(iso)} UTC` : `${localTime(iso)} ${zone} · ${utcTime(iso)}`
}

/**
 * `ago`: how long ago, the rest as a title; `stacked`: local time over UTC, for tables; `line`: all of it, for heads.
 */
export function Time({ iso, form = 'ago' }: { iso: string; form?: 'ago' | 'stacked' | 'line' }) {
  const now = useNow(30_000)
  const ago = relativeTime(Date.parse(iso), now)
  if (form === 'ago') {
    return (
      <time dateTime={iso} title={fullTime(iso)}>
        {ago}
      </time>
    )
  }
  const isUtc = isUtcHere(new Date(iso))
  if (form === 'line') {
    return (
      <time dateTime={iso} class="time-line" title={iso}>
        {fullTime(iso)} <span class="muted">({ago})</span>
      </time>
    )
  }
  return (
    <time dateTime={iso} class="time-stacked" title={`${ago}; ${iso}`}>
      <span>{localTime(iso)}</span>
      <span class="muted">{isUtc ? 'UTC' : utcTime(iso)}</span>
    </time>
  )
}

/** The time, anew every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
