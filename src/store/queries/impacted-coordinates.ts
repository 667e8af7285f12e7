/** From the rows of a backend's impact statement to coordinates. */
import type { ImpactedCoordinate } from '../trust.js'
import { readSeries, type SeriesRow } from './rows.js'

export interface ImpactRow extends SeriesRow {
  readonly metric_key: string
  readonly step: number
  readonly n_before: number
  readonly n_after: number
  /** How many rows there are without the limit. */
  readonly total: number
}

export function readImpact(rows: readonly ImpactRow[]): { coordinates: ImpactedCoordinate[]; total: number } {
  return {
    coordinates: rows.map((row) => ({
      series: readSeries(row),
      metricKey: row.metric_key,
      step: row.step,
      nBefore: row.n_before,
      nAfter: row.n_after,
      effect: row.n_after === 0 ? 'cold' : 'below_minimum',
    })),
    total: rows[0]?.total ?? 0,
  }
}
