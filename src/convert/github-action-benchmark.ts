import { isObject } from '../gate/is-object.js'
import { refused, type Fault, type Outcome } from '../gate/outcome.js'
import { shown } from '../gate/text.js'
import { importText, LAST_STEP, type FoundRun, type ImportedValue } from './import-text.js'
import type { ConvertOptions, Converted } from './options.js'
import { readPythonJson, shownValue } from './python-json.js'

/** What github-action-benchmark puts before the JSON, so that a page can load it as a script. */
const PREFIX = /^\s*(?:window\.[A-Za-z_$][\w$]*\s*=\s*)?/
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * A `data.js` of github-action-benchmark as an import: one run an entry, at its `date`, with its commit. The name of
 * the benchmark is the suite, unless one is given.
 */
export function githubActionBenchmarkImport(text: string, options: ConvertOptions): Outcome<Converted> {
  const json = readPythonJson(
    text
      .replace(/^\uFEFF/, '')
      .replace(PREFIX, '')
      .replace(/;\s*$/, ''),
  )
  if (!json.ok) return json
  const entries = isObject(json.value) ? json.value['entries'] : undefined
  if (!isObject(entries)) {
    return refused({
      where: 'entries',
      message: 'is missing; the file is data.js of the gh-pages branch, or external-data-json-path',
    })
  }
  const names = Object.keys(entries)
  const wanted = options.githubActionBenchmark.entry
  if (wanted !== null && !names.includes(wanted))
    return refused({
      where: '--entry',
      message: `${shown(wanted)} is not in the file; it holds ${list(names)}`,
    })
  const chosen = wanted === null ? names : [wanted]
  if (options.run.suite !== null && chosen.length > 1)
    return refused({
      where: '--suite',
      message: `names one suite, and the file holds ${list(names)}; choose one with --entry, or leave --suite out`,
    })
  const runs = chosen.flatMap((name) => readRuns(name, entries[name], options.prefix))
  if (runs.length === 0) return refused({ where: 'entries', message: 'holds no run' })
  return importText(runs, options.run)
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map((name) => shown(name)).join(', ')
}

function readRuns(suite: string, entries: unknown, prefix: string): FoundRun[] {
  const place = `entries/${suite}`
  if (!Array.isArray(entries)) {
    const faults = [{ where: place, message: `is ${shownValue(entries)}, not a list of runs` }]
    return [{ where: place, suite, commitSha: null, createdAt: null, values: [], faults }]
  }
  const units = new Map<string, string>()
  return (entries as unknown[]).map((entry, index) => {
    const where = `${place}/${index}`
    const faults: Fault[] = []
    const { commit, date, benches } = isObject(entry) ? entry : {}
    const id = isObject(commit) ? commit['id'] : undefined
    if (typeof id !== 'string') faults.push({ where: `${where}/commit/id`, message: 'is missing' })
    const time = readDate(date)
    if (time === null)
      faults.push({
        where: `${where}/date`,
        message: `is ${shownValue(date)}, no time in milliseconds since 1970`,
      })
    if (!Array.isArray(benches)) faults.push({ where: `${where}/benches`, message: 'is missing' })
    const values = (Array.isArray(benches) ? (benches as unknown[]) : []).flatMap((bench, place) =>
      readBench(bench, `${where}/benches/${place}`, prefix, units, faults),
    )
    const commitSha = typeof id === 'string' ? id : null
    return { where, suite, commitSha, createdAt: time, values, faults }
  })
}

function readDate(date: unknown): string | null {
  if (typeof date !== 'number' || !(date > 0 && date < 253_402_300_800_000)) return null
  return new Date(date).toISOString()
}

/**
 * The tool scales units as it likes: a benchmark that was in ns and is in ms now would be a cliff in its history, so
 * a change of unit is a fault.
 */
function readBench(
  bench: unknown,
  where: string,
  prefix: string,
  units: Map<string, string>,
  faults: Fault[],
): ImportedValue[] {
  const { name, value, unit } = isObject(bench) ? bench : {}
  const number = typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : value
  if (typeof name !== 'string') faults.push({ where: `${where}/name`, message: 'is missing' })
  else if (typeof number !== 'number')
    faults.push({ where: `${where}/value`, message: `of ${shown(name)} is ${shownValue(value)}, no number` })
  else {
    const first = typeof unit === 'string' ? (units.get(name) ?? unit) : unit
    if (typeof unit === 'string' && typeof first === 'string') units.set(name, first)
    if (unit !== first)
      faults.push({
        where: `${where}/unit`,
        message: `of ${shown(name)} is ${shownValue(unit)}, and was ${shownValue(first)} before: values of two units are no one history`,
      })
    return [{ metricKey: prefix + name, step: LAST_STEP, value: number }]
  }
  return []
}
