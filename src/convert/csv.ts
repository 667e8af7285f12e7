import { accepted, refused, type Fault, type Outcome } from '../gate/outcome.js'
import { shortened } from '../gate/text.js'
import { readCsvTable, type CsvRow, type CsvTable } from './csv-table.js'
import { importText, LAST_STEP, type FoundRun, type ImportedValue } from './import-text.js'
import { MAX_FAULTS, type ConvertOptions, type Converted, type CsvOptions } from './options.js'
import { RecordText } from './record-text.js'
import { readTime } from './time.js'

interface Cell {
  readonly where: string
  readonly metric: string
  readonly step: number | null
  readonly value: number
}

/** A CSV as a record. Long form: a row a value, its metric in a column. Wide form: a column a metric. */
export function csvRecord(text: string, options: ConvertOptions): Outcome<Converted> {
  const table = readCsvTable(text, options.csv)
  if (!table.ok) return table
  const record = new RecordText()
  const faults: Fault[] = []
  let empty = 0
  for (const row of table.value.rows) {
    const { cells, faults: found, empty: without } = readRow(row, table.value, options)
    faults.push(...found)
    empty += without
    for (const { where, metric, step, value } of cells) {
      const fault = record.add(metric, step, value)
      if (fault !== null) faults.push({ where, message: fault })
    }
    if (faults.length >= MAX_FAULTS) break
  }
  if (faults.length > 0) return { ok: false, faults: faults.slice(0, MAX_FAULTS) }
  if (record.metrics === 0) return refused({ where: '', message: 'holds no value in the chosen columns' })
  const repeated = record
    .repeatedSteps()
    .map((metric) => `${metric} holds a step more than once; steps="all" refuses that`)
  return accepted({ text: record.toString(), notes: [...emptyNote(empty), ...repeated] })
}

/**
 * A CSV as an import: rows of one time and one commit are one run. Without a step column a value stands at -1, where
 * a gate with `steps="last"` looks.
 */
export function csvImport(text: string, options: ConvertOptions): Outcome<Converted> {
  const table = readCsvTable(text, options.csv)
  if (!table.ok) return table
  const runs = new Map<string, FoundRun & { values: ImportedValue[]; faults: Fault[] }>()
  let empty = 0
  for (const row of table.value.rows) {
    const { cells, faults, empty: without } = readRow(row, table.value, options)
    empty += without
    const commitSha = cellOf(row, table.value, options.csv.commitColumn)
    const time = rowTime(row, table.value, options.csv)
    if (time.fault !== null) faults.push({ where: row.where, message: time.fault })
    const key = JSON.stringify([commitSha, time.time, time.fault === null ? '' : row.where])
    const values = cells.map(({ metric, step, value }) => ({
      metricKey: metric,
      step: step ?? LAST_STEP,
      value,
    }))
    const known = runs.get(key)
    if (known) {
      known.values.push(...values)
      known.faults.push(...faults)
    } else runs.set(key, { where: row.where, suite: null, commitSha, createdAt: time.time, values, faults })
  }
  if (runs.size === 0) return refused({ where: '', message: 'holds no row beneath its header' })
  return importText([...runs.values()], options.run, emptyNote(empty))
}

function emptyNote(empty: number): string[] {
  return empty === 0 ? [] : [`${empty} empty cells hold no value`]
}

/** Points of one row. An empty cell is none: a wide table is sparse where metrics are logged at their own steps. */
function readRow(
  row: CsvRow,
  table: CsvTable,
  { csv, prefix }: ConvertOptions,
): { cells: Cell[]; faults: Fault[]; empty: number } {
  const faults: Fault[] = []
  const cells: Cell[] = []
  let empty = 0
  const stepText = cellOf(row, table, csv.stepColumn)
  const step = stepText === null || stepText === '' ? null : Number(stepText)
  if (step !== null && !(Number.isSafeInteger(step) && step >= 0)) {
    const message = `the step ${JSON.stringify(stepText)} is no whole number from 0 to 2^53-1`
    return { cells, faults: [{ where: row.where, message }], empty }
  }
  for (const column of csv.valueColumns) {
    const text = cellOf(row, table, column) ?? ''
    if (text === '') {
      empty++
      continue
    }
    const metric = prefix + (csv.metricColumn === null ? column : cellOf(row, table, csv.metricColumn))
    const value = readNumber(text)
    if (value !== null) cells.push({ where: row.where, metric, step, value })
    else faults.push({ where: row.where, message: notANumber(text, column) })
  }
  return { cells, faults, empty }
}

function cellOf(row: CsvRow, { columns }: CsvTable, column: string | null): string | null {
  return column === null ? null : (row.cells[columns.get(column) ?? -1]?.trim() ?? '')
}

function rowTime(
  row: CsvRow,
  table: CsvTable,
  { timeColumn, assumeUtc }: CsvOptions,
): { time: string | null; fault: string | null } {
  const text = cellOf(row, table, timeColumn)
  if (text === null) return { time: null, fault: null }
  const read = readTime(text, assumeUtc)
  return 'time' in read ? { time: read.time, fault: null } : { time: null, fault: read.fault }
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const NON_FINITE = /^([+-]?)(?:(nan)|inf(?:inity)?)$/i

/** Decimal numbers, and the non-finite ones as Python, pandas and C print them. */
function readNumber(text: string): number | null {
  if (DECIMAL.test(text)) return Number(text)
  const match = NON_FINITE.exec(text)
  if (!match) return null
  if (match[2] !== undefined) return NaN
  return match[1] === '-' ? -Infinity : Infinity
}

function notANumber(text: string, column: string): string {
  const shown = shortened(text, 40)
  const comma = /^[+-]?\d+,\d+$/.test(text) ? '; write a decimal point' : ''
  return `the value ${JSON.stringify(shown)} in column ${JSON.stringify(column)} is no number${comma}`
}
