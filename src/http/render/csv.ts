import { stringify } from 'csv-stringify/sync'
import type { HistoryPage } from '../../documents/history.js'

const COLUMNS = [
  'run_id',
  'created_at',
  'commit_sha',
  'github_run_id',
  'trusted',
  'step',
  'value',
  'status',
  'mean',
  'lower',
  'upper',
] as const

/** A page of history as CSV (RFC 4180), with a header; an empty field is null. Text that a spreadsheet would take for a formula is marked as text. */
export function renderHistoryCsv({ items }: HistoryPage): string {
  return stringify(items, {
    columns: [...COLUMNS],
    header: true,
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: {
      boolean: String,
      bigint: String,
      // A negative number is no formula.
      number: (value) => ({ value: String(value), escape_formulas: false }),
    },
  })
}
