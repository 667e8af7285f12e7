/** What the overview shows, computed from what the API lists: pure, so that it can be tested as such. */
import type { SeriesItem, VerdictHead } from '../../api/types'
import { seriesKey } from '../../parts/series-name'
import type { Sort } from '../../parts/table'

/** A series with what failed of it lately, pull requests included. */
export interface Row {
  readonly key: string
  readonly series: SeriesItem
  readonly failures: number
  readonly lastFailure: VerdictHead | null
}

export type StateFilter = 'all' | 'failing' | 'untrusted'

export interface Filters {
  readonly text: string
  readonly backend: string
  readonly suite: string
  readonly state: StateFilter
}

/** @param failing newest first */
export function overviewRows(series: readonly SeriesItem[], failing: readonly VerdictHead[]): Row[] {
  const bySeries = new Map<string, { failures: number; last: VerdictHead }>()
  for (const verdict of failing) {
    const key = seriesKey(verdict.series)
    const known = bySeries.get(key)
    if (known) known.failures++
    else bySeries.set(key, { failures: 1, last: verdict })
  }
  return series.map((item) => {
    const key = seriesKey(item)
    const failed = bySeries.get(key)
    return { key, series: item, failures: failed?.failures ?? 0, lastFailure: failed?.last ?? null }
  })
}

/** Every word must stand somewhere in the names. */
export function filterRows(rows: readonly Row[], { text, backend, suite, state }: Filters): Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter(({ series }) => {
    if (backend !== '' && series.backend !== backend) return false
    if (suite !== '' && series.suite !== suite) return false
    if (state === 'failing' && series.last_outcome !== 'fail') return false
    if (state === 'untrusted' && series.last_run.trusted) return false
    if (words.length === 0) return true
    const names = `${series.test_path}\n${series.backend}\n${series.suite}`.toLowerCase()
    return words.every((word) => names.includes(word))
  })
}

/** By what is pressing: the last run failed, something failed lately, the last run is not trusted; then by time. */
function pressing({ series, lastFailure }: Row): number {
  if (series.last_outcome === 'fail') return 3
  if (lastFailure !== null) return 2
  return series.last_run.trusted ? 0 : 1
}

/** By what a head says; an address may say anything. */
const COMPARE = new Map<string, (a: Row, b: Row) => number>([
  [
    'pressing',
    (a, b) =>
      pressing(b) - pressing(a) || compareText(b.series.last_run.created_at, a.series.last_run.created_at),
  ],
  ['series', byName],
  ['trusted', (a, b) => trustedShare(a) - trustedShare(b)],
  ['runs', (a, b) => a.series.runs - b.series.runs],
  ['last', (a, b) => compareText(a.series.last_run.created_at, b.series.last_run.created_at)],
])

export function sortRows(rows: readonly Row[], { by, descending }: Sort): Row[] {
  const compare = COMPARE.get(by) ?? COMPARE.get('pressing')!
  return [...rows].sort((a, b) => (descending ? compare(b, a) : compare(a, b)) || byName(a, b))
}

/** The values that occur, for a choice. */
export function choices(rows: readonly Row[], of: 'backend' | 'suite'): string[] {
  return [...new Set(rows.map(({ series }) => series[of]))].sort(compareText)
}

function trustedShare({ series }: Row): number {
  return series.runs === 0 ? 0 : series.trusted_runs / series.runs
}

function byName(a: Row, b: Row): number {
  return compareText(a.key, b.key)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
