/** What a row of the overview shows beside its counts: the outcomes of its last runs, and the course of one metric. */
import { get } from '../../api/client'
import type { CoordinateItem, HistoryPoint, Page, RunItem, SeriesItem } from '../../api/types'
import { failedMetric, type Chosen } from '../../api/failed-metric'
import type { StripRun } from '../../parts/run-strip'
import type { SparkPoint } from '../../parts/sparkline'

const RUNS = 24
const POINTS = 40

export interface Recent {
  /** Oldest first. */
  readonly runs: readonly StripRun[]
  readonly lead: Lead | null
}

/** The metric that a series is shown by: one that failed last, or else its first enforced one. */
export interface Lead {
  readonly metric: string
  readonly step: number | null
  readonly last: HistoryPoint['value'] | null
  readonly points: readonly SparkPoint[]
}

export async function loadRecent(series: SeriesItem, signal: AbortSignal): Promise<Recent> {
  const { test_path, backend, suite } = series
  const inSeries = { test_path, backend, suite }
  const [runs, coordinates] = await Promise.all([
    get<Page<RunItem>>('/v1/runs', { query: { ...inSeries, limit: RUNS }, signal }),
    get<Page<CoordinateItem>>('/v1/coordinates', { query: { ...inSeries, limit: 100 }, signal }),
  ])
  const newest = runs.items[0]
  const failed = newest?.outcome === 'fail' ? await failedMetric(newest, signal) : null
  const chosen = failed ?? firstEnforced(coordinates.items)
  return {
    runs: [...runs.items].reverse(),
    lead: chosen && { ...chosen, ...(await loadCourse(inSeries, chosen, signal)) },
  }
}

function firstEnforced(items: readonly CoordinateItem[]): Chosen | null {
  const item =
    items.find(({ declaration }) => declaration?.enforce) ??
    items.find(({ declaration }) => declaration) ??
    items[0]
  return item ? { metric: item.metric_key, step: item.steps.at(-1) ?? null } : null
}

async function loadCourse(
  inSeries: { test_path: string; backend: string; suite: string },
  { metric, step }: Chosen,
  signal: AbortSignal,
): Promise<Pick<Lead, 'points' | 'last'>> {
  const query = { ...inSeries, metric_key: metric, step, limit: POINTS }
  const { items } = await get<Page<HistoryPoint>>('/v1/history', { query, signal })
  return { last: items[0]?.value ?? null, points: items.map(sparkPoint).reverse() }
}

function sparkPoint({ value, lower, upper, status, trusted }: HistoryPoint): SparkPoint {
  return {
    value: finite(value),
    lower: finite(lower),
    upper: finite(upper),
    failed: status === 'fail' || status === 'error',
    trusted,
  }
}

function finite(value: HistoryPoint['value'] | null): number | null {
  return typeof value === 'number' ? value : null
}
