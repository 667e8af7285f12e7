import { isObject } from '../gate/is-object.js'
import { accepted, refused, type Fault, type Outcome } from '../gate/outcome.js'
import { shown } from '../gate/text.js'
import { importText, LAST_STEP, type ImportedValue } from './import-text.js'
import { MAX_FAULTS, type ConvertOptions, type Converted } from './options.js'
import { numberOf, readPythonJson, shownValue } from './python-json.js'
import { RecordText } from './record-text.js'

/** Bencher strips this from a benchmark's name, so that muting its alerts does not start a new history. */
const IGNORE = '-bencher-ignore'

/** Bencher Metric Format as a record: a metric `BENCHMARK/MEASURE` for each measure. */
export function bencherRecord(text: string, options: ConvertOptions): Outcome<Converted> {
  const values = readMetrics(text, options.prefix)
  if (!values.ok) return values
  const record = new RecordText()
  for (const { metricKey, value } of values.value) {
    const fault = record.add(metricKey, null, value)
    if (fault !== null) return refused({ where: '', message: fault })
  }
  return accepted({ text: record.toString(), notes: [] })
}

/** The same as one run of an import; the format tells neither commit nor time. */
export function bencherImport(text: string, options: ConvertOptions): Outcome<Converted> {
  const values = readMetrics(text, options.prefix)
  if (!values.ok) return values
  const run = { where: 'the run', suite: null, commitSha: null, createdAt: null, faults: [] }
  return importText([{ ...run, values: values.value }], options.run)
}

function readMetrics(text: string, prefix: string): Outcome<ImportedValue[]> {
  const json = readPythonJson(text)
  if (!json.ok) return json
  if (!isObject(json.value))
    return refused({ where: '', message: 'must be {"BENCHMARK": {"MEASURE": {"value": NUMBER}}}' })
  const faults: Fault[] = []
  const values = new Map<string, ImportedValue>()
  const fault = (where: string, message: string) =>
    void (faults.length < MAX_FAULTS && faults.push({ where, message }))
  for (const [benchmark, measures] of Object.entries(json.value)) {
    if (!isObject(measures)) {
      fault(benchmark, `is ${shownValue(measures)}, not an object of measures`)
      continue
    }
    const name = benchmark.endsWith(IGNORE) ? benchmark.slice(0, -IGNORE.length) : benchmark
    for (const [measure, metric] of Object.entries(measures)) {
      const where = `${benchmark}/${measure}`
      const value = isObject(metric) ? numberOf(metric['value']) : null
      const metricKey = `${prefix}${name}/${measure}`
      if (value === null) fault(where, `is ${shownValue(metric)}, and needs {"value": NUMBER}`)
      else if (values.has(metricKey)) fault(where, `makes the metric ${shown(metricKey)} a second time`)
      else values.set(metricKey, { metricKey, step: LAST_STEP, value })
    }
  }
  if (faults.length > 0) return { ok: false, faults }
  if (values.size === 0) return refused({ where: '', message: 'holds no measure' })
  return accepted([...values.values()])
}
