/** What a series is called: its test file first, where it ran beneath. */
import type { Series } from '../api/types'
import { Name, PathName } from './name'

export function SeriesName({ series, href }: { series: Series; href: string }) {
  return (
    <div class="series-name">
      <a class="series-link" href={href}>
        <PathName text={series.test_path} />
      </a>
      <SeriesPlace series={series} />
    </div>
  )
}

/** Backend and suite. */
export function SeriesPlace({ series }: { series: Series }) {
  return (
    <span class="series-place muted small">
      <Name text={series.backend} mono={false} />
      <span aria-hidden="true">·</span>
      <Name text={series.suite} mono={false} />
    </span>
  )
}

/** Tells one series from every other. */
export function seriesKey({ test_path, backend, suite }: Series): string {
  return JSON.stringify([test_path, backend, suite])
}
