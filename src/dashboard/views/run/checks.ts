/** The rows of a verdict's table: pure, so that it can be tested as such. */
import type { Check } from '../../api/types'
import type { Sort } from '../../parts/table'
import type { Status } from '../../parts/status'

export interface CheckRow {
  readonly check: Check
  /** In the order of the verdict. */
  readonly place: number
  readonly lower: number | null
  readonly upper: number | null
  readonly mean: number | null
  /** How far the value lies from the mean, the corridor's edge being 1; null where it was compared with none. */
  readonly off: number | null
}

/** What a row can be filtered by: its status, or that it fails CI, or that its history is too short. */
export type CheckFilter = 'all' | 'failing_ci' | 'fail' | 'error' | 'pass' | 'inactive' | 'insufficient'

export function checkRows(checks: readonly Check[]): CheckRow[] {
  return checks.map((check, place) => {
    const { baseline, limit, value } = check
    const lower = finite(baseline?.lower ?? limit?.min)
    const upper = finite(baseline?.upper ?? limit?.max)
    const mean = baseline?.mean ?? null
    return { check, place, lower, upper, mean, off: offOf(value, mean, lower, upper) }
  })
}

export function filterChecks(rows: readonly CheckRow[], text: string, filter: CheckFilter): CheckRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter(({ check }) => {
    if (!fits(check, filter)) return false
    const names = `${check.metric_key}\n${check.step}`.toLowerCase()
    return words.every((word) => names.includes(word))
  })
}

function fits(check: Check, filter: CheckFilter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'failing_ci':
      return check.fails_ci
    case 'insufficient':
      return check.insufficient_history
    default:
      return check.status === filter
  }
}

export function sortChecks(rows: readonly CheckRow[], { by, descending }: Sort): CheckRow[] {
  const compare = COMPARE.get(by) ?? COMPARE.get('status')!
  return [...rows].sort((a, b) => (descending ? compare(b, a) : compare(a, b)) || a.place - b.place)
}

/** By what a head says; an address may say anything. */
const COMPARE = new Map<string, (a: CheckRow, b: CheckRow) => number>([
  ['status', (a, b) => urgency(b.check) - urgency(a.check)],
  [
    'metric',
    (a, b) =>
      compareText(a.check.metric_key, b.check.metric_key) || (a.check.step ?? -9) - (b.check.step ?? -9),
  ],
  ['value', (a, b) => (a.check.value ?? -Infinity) - (b.check.value ?? -Infinity)],
  ['off', (a, b) => Math.abs(b.off ?? 0) - Math.abs(a.off ?? 0)],
  ['n', (a, b) => (a.check.baseline?.n ?? 0) - (b.check.baseline?.n ?? 0)],
])

/** What fails CI comes before what only fails, and that before what could not be compared. */
function urgency({ fails_ci: failsCi, status, insufficient_history: isShort }: Check): number {
  const base = { fail: 6, error: 5, inactive: 1, pass: 0 }[status]
  return (failsCi ? 10 : 0) + base + (isShort ? 0.5 : 0)
}

/** The word that a row bears. */
export function statusOf({ status, insufficient_history: isShort }: Check): Status {
  return status === 'pass' && isShort ? 'insufficient' : status
}

function offOf(
  value: number | null,
  mean: number | null,
  lower: number | null,
  upper: number | null,
): number | null {
  if (value === null) return null
  const bound = mean !== null && value < mean ? lower : upper
  if (mean === null || bound === null) return null
  return bound === mean ? (value === mean ? 0 : Infinity) : (value - mean) / Math.abs(bound - mean)
}

function finite(bound: number | string | null | undefined): number | null {
  return typeof bound === 'number' ? bound : null
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
