/** A replay as its address tells it, and as the API takes it. */
import { get, getAll, post } from '../../api/client'
import type { CoordinateItem, Declaration, Page, Replay, Series, SeriesItem } from '../../api/types'

/** What a band may be widened by; the API names them the same. */
export const BAND_PARAMETERS = [
  'rel_up',
  'abs_floor_up',
  'k_std_up',
  'rel_down',
  'abs_floor_down',
  'k_std_down',
] as const
export type BandParameter = (typeof BAND_PARAMETERS)[number]

/** Their declarations are read one series after another. */
const MOST_SERIES_WITH_BAND = 50
const MOST_METRICS = 5_000

export interface ReplayForm {
  readonly test_path: string
  readonly backend: string
  readonly suite: string
  /** Days of UTC, as YYYY-MM-DD; empty for no bound. */
  readonly since: string
  readonly until: string
  /** The metric whose band is tried otherwise; empty for every band. */
  readonly metric: string
  /** As written; an empty one stays as declared. */
  readonly band: Readonly<Record<BandParameter, string>>
}

export function formOf(query: URLSearchParams): ReplayForm {
  const text = (name: string) => query.get(name) ?? ''
  return {
    test_path: text('test_path'),
    backend: text('backend'),
    suite: text('suite'),
    since: text('since'),
    until: text('until'),
    metric: text('metric_key'),
    band: Object.fromEntries(BAND_PARAMETERS.map((name) => [name, text(name)])) as ReplayForm['band'],
  }
}

/** The address of a replay that is made at once. */
export function replayHref({ metric, band, ...rest }: ReplayForm, { isRun = true } = {}): string {
  const query = new URLSearchParams(isRun ? { run: '1' } : {})
  const named = { ...rest, metric_key: metric, ...band }
  for (const [name, value] of Object.entries(named)) if (value !== '') query.set(name, value)
  return `/replay?${query}`
}

export function hasBand({ band }: ReplayForm): boolean {
  return BAND_PARAMETERS.some((name) => band[name].trim() !== '')
}

/** @throws ApiError; Error where the band of too many series would be tried */
export async function replay(form: ReplayForm, signal: AbortSignal): Promise<Replay> {
  const { test_path, backend, suite, since, until } = form
  const series = filled({ test_path, backend, suite })
  return post<Replay>('/v1/replays', {
    ...(Object.keys(series).length > 0 && { series }),
    ...(since !== '' && { since: `${since}T00:00:00Z` }),
    ...(until !== '' && { until: dayAfter(until) }),
    ...(hasBand(form) && { declarations: await declarationsWithBand(form, signal) }),
  })
}

const DAY_MS = 86_400_000

/** The API leaves out what is at its bound; a day that is named is meant with its end. */
function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString()
}

/** The declarations of the newest runs, with another band where one is declared. */
async function declarationsWithBand(form: ReplayForm, signal: AbortSignal) {
  const { test_path, backend, suite } = form
  const query = { test_path_prefix: test_path || null, backend: backend || null, suite: suite || null }
  const page = await get<Page<SeriesItem>>('/v1/series', {
    query: { ...query, limit: MOST_SERIES_WITH_BAND + 1 },
    signal,
  })
  // A prefix finds longer paths too.
  const series = page.items.filter((item) => test_path === '' || item.test_path === test_path)
  if (page.items.length > MOST_SERIES_WITH_BAND) {
    throw new Error(
      `Another band can be tried on ${MOST_SERIES_WITH_BAND} series at a time. Narrow them down by the filters.`,
    )
  }
  return Promise.all(
    series.map(async ({ test_path, backend, suite }) => ({
      series: { test_path, backend, suite },
      declarations: await declaredWithBand({ test_path, backend, suite }, form, signal),
    })),
  )
}

async function declaredWithBand(series: Series, form: ReplayForm, signal: AbortSignal) {
  const { items } = await getAll<CoordinateItem>('/v1/coordinates', {
    query: { ...series },
    most: MOST_METRICS,
    signal,
  })
  return items.flatMap(({ declaration }) => (declaration === null ? [] : [withBand(declaration, form)]))
}

function withBand(declaration: Declaration, { metric, band }: ReplayForm) {
  const { metric_key, steps, constraint, hard_ref: limit, enforce } = declaration
  const isMeant = constraint !== null && (metric === '' || metric === metric_key)
  const changed = isMeant
    ? {
        ...constraint,
        ...Object.fromEntries(
          BAND_PARAMETERS.filter((name) => band[name].trim() !== '').map((name) => [
            name,
            Number(band[name]),
          ]),
        ),
      }
    : constraint
  return {
    metric_key,
    steps,
    enforce,
    ...(changed !== null && { constraint: changed }),
    ...(limit !== null && { hard_ref: filled({ min: limit.min, max: limit.max }) }),
  }
}

function filled<T extends Readonly<Record<string, string | number | null>>>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== '' && value !== null),
  ) as Partial<T>
}
