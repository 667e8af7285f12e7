/** What the view of a series asks for. */
import { revokedRuns } from '../../../charts/points'
import { get, getAll } from '../../api/client'
import { failedMetric } from '../../api/failed-metric'
import type {
  CoordinateItem,
  HistoryPoint,
  Page,
  Revocation,
  RunItem,
  Series,
  SeriesItem,
} from '../../api/types'

/** A metric more is found by its name in the address alone. */
const MOST_METRICS = 5_000
const MOST_REVOCATIONS = 5_000
/** Values of one step, and of all steps of a metric: what a browser draws at ease. */
export const MOST_POINTS = 10_000
export const MOST_CELLS = 20_000

export interface SeriesHead {
  /** null where nothing was ever stored. */
  readonly item: SeriesItem | null
  readonly metrics: readonly CoordinateItem[]
  readonly revoked: ReadonlySet<string>
  /** The metric to begin with: one that failed last; null where none did. */
  readonly failed: string | null
}

/** @param isOpen whether no metric is named, so that the view has to choose one */
export async function loadHead(series: Series, isOpen: boolean, signal: AbortSignal): Promise<SeriesHead> {
  const { test_path, backend, suite } = series
  // Names sort by code point: the path itself comes before all that begin with it.
  const query = { test_path_prefix: test_path, backend, suite, limit: 1 }
  const [found, metrics, revocations] = await Promise.all([
    get<Page<SeriesItem>>('/v1/series', { query, signal }),
    getAll<CoordinateItem>('/v1/coordinates', { query: { ...series }, most: MOST_METRICS, signal }),
    getAll<Revocation>('/v1/admin/revocations', { most: MOST_REVOCATIONS, signal }),
  ])
  const [first] = found.items
  const item = first?.test_path === test_path ? first : null
  const failed = isOpen && item?.last_outcome === 'fail' ? await lastFailed(series, signal) : null
  return {
    item,
    failed,
    metrics: metrics.items,
    revoked: revokedRuns(revocations.items),
  }
}

async function lastFailed(series: Series, signal: AbortSignal): Promise<string | null> {
  const { items } = await get<Page<RunItem>>('/v1/runs', { query: { ...series, limit: 1 }, signal })
  const chosen = items[0] ? await failedMetric(items[0], signal) : null
  return chosen?.metric ?? null
}

export interface History {
  /** Newest first. */
  readonly items: readonly HistoryPoint[]
  /** Whether there are older ones that were not asked for. */
  readonly isCut: boolean
}

/** @param step null for all of them */
export async function loadHistory(
  series: Series,
  metric: string,
  step: number | null,
  since: string | null,
  signal: AbortSignal,
  show: (part: History) => void,
): Promise<History> {
  return getAll<HistoryPoint>('/v1/history', {
    query: { ...series, metric_key: metric, step, since },
    most: step === null ? MOST_CELLS : MOST_POINTS,
    onPage: (items) => show({ items: [...items], isCut: true }),
    signal,
  })
}
