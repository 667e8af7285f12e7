import { isObject } from '../gate/is-object.js'
import { accepted, refused, type Fault, type Outcome } from '../gate/outcome.js'
import { shown } from '../gate/text.js'
import { importText, LAST_STEP, type ImportedValue } from './import-text.js'
import { MAX_FAULTS, type ConvertOptions, type Converted } from './options.js'
import { numberOf, readPythonJson, shownValue } from './python-json.js'
import { RecordText } from './record-text.js'
import { readTime } from './time.js'

interface Report {
  readonly values: readonly ImportedValue[]
  readonly commitSha: string | null
  readonly createdAt: string | null
  readonly notes: readonly string[]
}

/** A file of `pytest --benchmark-json` as a record: a metric `FULLNAME/STAT` for each benchmark and wanted stat. */
export function pytestBenchmarkRecord(text: string, options: ConvertOptions): Outcome<Converted> {
  const report = readReport(text, options)
  if (!report.ok) return report
  const record = new RecordText()
  for (const { metricKey, value } of report.value.values) {
    const fault = record.add(metricKey, null, value)
    if (fault !== null) return refused({ where: 'benchmarks', message: fault })
  }
  return accepted({ text: record.toString(), notes: report.value.notes })
}

/** The same as one run of an import; commit and time are the file's own unless the command line names others. */
export function pytestBenchmarkImport(text: string, options: ConvertOptions): Outcome<Converted> {
  const report = readReport(text, options)
  if (!report.ok) return report
  const { values, commitSha, createdAt, notes } = report.value
  const run = { where: 'benchmarks', suite: null, commitSha, createdAt, values, faults: [] }
  return importText([run], options.run, notes)
}

function readReport(text: string, { prefix, pytestBenchmark }: ConvertOptions): Outcome<Report> {
  const json = readPythonJson(text)
  if (!json.ok) return json
  const file = isObject(json.value) ? json.value : {}
  const benchmarks = file['benchmarks']
  if (!Array.isArray(benchmarks))
    return refused({
      where: 'benchmarks',
      message: 'is missing; write the file with pytest --benchmark-json=FILE',
    })
  if (benchmarks.length === 0)
    return refused({ where: 'benchmarks', message: 'is empty: no benchmark ran to its end' })
  const faults: Fault[] = []
  const values: ImportedValue[] = []
  const names = new Set<string>()
  const fault = (where: string, message: string) =>
    void (faults.length < MAX_FAULTS && faults.push({ where, message }))
  for (const [index, benchmark] of (benchmarks as unknown[]).entries()) {
    const where = `benchmarks/${index}`
    const { fullname, name, stats } = isObject(benchmark) ? benchmark : {}
    const title = fullname ?? name
    if (typeof title !== 'string') fault(`${where}/fullname`, `is ${shownValue(title)}, no name`)
    else if (names.has(title)) fault(where, `${shown(title)} stands there twice`)
    else if (!isObject(stats)) fault(`${where}/stats`, 'is missing')
    else {
      names.add(title)
      for (const stat of pytestBenchmark.stats) {
        const value = Object.hasOwn(stats, stat) ? numberOf(stats[stat]) : null
        if (value !== null) values.push({ metricKey: `${prefix}${title}/${stat}`, step: LAST_STEP, value })
        else fault(`${where}/stats`, `holds no number ${shown(stat)}; --stat takes one of ${statsIn(stats)}`)
      }
    }
  }
  if (faults.length > 0) return { ok: false, faults }
  return accepted({ values, ...readCommit(file), createdAt: readDate(file['datetime']) })
}

function statsIn(stats: Readonly<Record<string, unknown>>): string {
  return Object.keys(stats)
    .filter((stat) => numberOf(stats[stat]) !== null)
    .slice(0, 30)
    .join(', ')
}

/** The commit that the plugin found; `unversioned` and the like are none. */
function readCommit(file: Readonly<Record<string, unknown>>) {
  const info = isObject(file['commit_info']) ? file['commit_info'] : {}
  const { id, dirty } = info
  return {
    commitSha: typeof id === 'string' && /^[0-9a-f]{40}$/i.test(id) ? id : null,
    notes:
      dirty === true ? ['the work tree had uncommitted changes: the commit does not name this code'] : [],
  }
}

/** Older releases write UTC without saying so. */
function readDate(datetime: unknown): string | null {
  if (typeof datetime !== 'string') return null
  const read = readTime(datetime, true)
  return 'time' in read ? read.time : null
}
