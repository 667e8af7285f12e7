import { CsvError, parse } from 'csv-parse/sync'
import { accepted, refused, type Fault, type Outcome } from '../gate/outcome.js'
import { shown } from '../gate/text.js'
import type { CsvOptions } from './options.js'

export interface CsvRow {
  readonly where: string
  readonly cells: readonly string[]
}

export interface CsvTable {
  /** Place of each column by its name. A Map: `__proto__` is an ordinary column. */
  readonly columns: ReadonlyMap<string, number>
  readonly rows: readonly CsvRow[]
}

/** Reads a CSV with a header, and holds it to the columns that the options name. */
export function readCsvTable(text: string, options: CsvOptions): Outcome<CsvTable> {
  let lines: Array<{ record: string[]; info: { lines: number } }>
  try {
    // Rows as arrays: an object a row would lose columns of equal name.
    lines = parse(text, {
      bom: true,
      delimiter: options.delimiter,
      skip_empty_lines: true,
      info: true,
      max_record_size: 1_048_576,
    }) as unknown as typeof lines
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = typeof error['lines'] === 'number' ? `line ${error['lines']}` : ''
    return refused({ where: line, message: `is no CSV: ${error.message.slice(0, 200)}` })
  }
  const header = lines[0]?.record.map((name) => name.trim())
  if (header === undefined) return refused({ where: '', message: 'is empty; a CSV begins with its header' })
  const columns = new Map(header.map((name, place) => [name, place]))
  const faults = columnFaults(header, options)
  if (faults.length > 0) return { ok: false, faults }
  const rows = lines.slice(1).map(({ record, info }) => ({ where: `line ${info.lines}`, cells: record }))
  return accepted({ columns, rows })
}

function columnFaults(header: readonly string[], options: CsvOptions): Fault[] {
  const faults: Fault[] = []
  const held = `the file has ${header.map((name) => shown(name)).join(', ')}`
  const { metricColumn, stepColumn, valueColumns, timeColumn, commitColumn } = options
  if (valueColumns.length === 0) faults.push({ where: '--value-column', message: `is needed: ${held}` })
  if (metricColumn !== null && valueColumns.length > 1)
    faults.push({
      where: '--value-column',
      message: 'names one column beside --metric-column; without that one each value column is a metric',
    })
  const named: Array<[string, string | null]> = [
    ['--metric-column', metricColumn],
    ['--step-column', stepColumn],
    ['--time-column', timeColumn],
    ['--commit-column', commitColumn],
    ...valueColumns.map((column): [string, string] => ['--value-column', column]),
  ]
  for (const [flag, column] of named) {
    if (column === null) continue
    const times = header.filter((name) => name === column).length
    if (times === 0) faults.push({ where: flag, message: `${shown(column)} is no column: ${held}` })
    else if (times > 1) faults.push({ where: flag, message: `${shown(column)} names ${times} columns` })
  }
  if (new Set(valueColumns).size < valueColumns.length)
    faults.push({ where: '--value-column', message: 'names a column twice' })
  return faults
}
