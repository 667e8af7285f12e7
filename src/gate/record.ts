import { decodeUtf8 } from './decode.js'
import { scanJsonStructure } from './json-text.js'
import { accepted, refused, type Fault, type Outcome } from './outcome.js'
import { diagnoseRecordLine } from './json-slips.js'
import { keyFault, shortened, shown } from './text.js'

/** `[step, value]`; a null step is unknown, a value may be non-finite. */
export type Point = readonly [step: number | null, value: number]

/** A point of the wrong type: kept, so that a declaration which selects from its metric can name it. */
export interface InvalidPoint {
  /** The line that it stands in: `record[0]:17`. */
  readonly where: string
  /** As a person counts, from 1. */
  readonly position: number
  readonly pair: readonly [step: unknown, value: unknown]
}

export interface MetricPoints {
  /** Sorted by step, unknown steps last; points of equal step in the order given. */
  readonly points: readonly Point[]
  readonly invalid: readonly InvalidPoint[]
}

/** The raw numbers of one run, by metric in the order first seen. A Map: `__proto__` is an ordinary metric. */
export type MergedRecord = ReadonlyMap<string, MetricPoints>

interface GrowingMetric {
  points: Point[]
  invalid: InvalidPoint[]
}

/** Non-finite values travel as these strings, since JSON has no literal for them. */
export const NON_FINITE_MARKERS: ReadonlyMap<string, number> = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
])

const BLANK = /^[ \t]*\r?$/

/** From this length on, a line is scanned before it is parsed: the parser takes seconds for millions of levels. */
const LONG_LINE = 1_048_576

/**
 * Reads the JSON Lines files that the processes of one run wrote, and merges them.
 *
 * Broken structure refuses the whole: the fault names part and line (`record[0]:17`, both as a person counts lines).
 */
export function readRecordParts(parts: readonly Uint8Array[]): Outcome<MergedRecord> {
  const metrics = new Map<string, GrowingMetric>()
  for (const [index, bytes] of parts.entries()) {
    const part = `record[${index}]`
    const text = decodeUtf8(bytes, part)
    if (!text.ok) return text
    const fault = readLines(text.value, part, metrics)
    if (fault) return refused(fault)
  }
  return accepted(sortedBySteps(metrics))
}

/** Reads a record that came as the array of a JSON body, its duplicate keys and nesting checked already. */
export function readRecordArray(items: readonly unknown[]): Outcome<MergedRecord> {
  const metrics = new Map<string, GrowingMetric>()
  for (const [index, item] of items.entries()) {
    const line = addLine(item, `record/${index}`, metrics)
    if (line.fault) return refused(line.fault)
  }
  return accepted(sortedBySteps(metrics))
}

function readLines(text: string, part: string, metrics: Map<string, GrowingMetric>): Fault | null {
  let start = 0
  for (let number = 1; start < text.length; number++) {
    let end = text.indexOf('\n', start)
    if (end === -1) end = text.length
    if (end === start) {
      start++
      continue
    }
    const line = text.slice(start, end)
    start = end + 1
    if (BLANK.test(line)) continue
    const where = `${part}:${number}`
    const early = line.length < LONG_LINE ? null : scanJsonStructure(line)
    if (early && !early.ok && early.costly) return structureFault(where, early)
    let item: unknown
    try {
      item = JSON.parse(line)
    } catch (error) {
      return { where, message: diagnoseRecordLine(line, error as SyntaxError) }
    }
    const added = addLine(item, where, metrics)
    if (added.fault) return added.fault
    if (!isPlainLine(line, added.strings)) {
      const structure = early ?? scanJsonStructure(line)
      if (!structure.ok) return structureFault(where, structure)
    }
  }
  return null
}

function structureFault(where: string, { pointer, message }: { pointer: string; message: string }): Fault {
  return { where, message: pointer === '' ? message : `${pointer}: ${message}` }
}

/**
 * Whether a line can hold no repeated key and no deep nesting, told without a second pass over its characters: the
 * strings that the parsed value shows are all the strings that the text holds.
 * @param strings how many strings the value shows, keys included; null where it shows more than metric and points
 */
function isPlainLine(line: string, strings: number | null): boolean {
  if (strings === null || line.includes('\\')) return false
  let quotes = 0
  for (let at = line.indexOf('"'); at !== -1; at = line.indexOf('"', at + 1)) quotes++
  return quotes === 2 * strings
}

/** Adds one parsed line to the metrics, or says what is wrong with its structure. */
function addLine(
  item: unknown,
  where: string,
  metrics: Map<string, GrowingMetric>,
): { fault: Fault } | { fault: null; strings: number | null } {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return {
      fault: { where, message: 'is no object; a line is {"metric": "…", "series": [[step, value], …]}' },
    }
  }
  const { metric, series } = item as Record<string, unknown>
  if (typeof metric !== 'string') {
    return { fault: { where, message: 'has no "metric" that is a string' } }
  }
  const keyProblem = keyFault(metric)
  if (keyProblem !== null) return { fault: { where, message: `the metric ${shown(metric)} ${keyProblem}` } }
  if (!Array.isArray(series)) {
    return {
      fault: { where, message: `the "series" of ${shown(metric)} is no array of [step, value] pairs` },
    }
  }
  let known = metrics.get(metric)
  if (known === undefined) metrics.set(metric, (known = { points: [], invalid: [] }))
  let strings: number | null = Object.keys(item).length === 2 ? 3 : null
  for (let i = 0; i < series.length; i++) {
    const pair: unknown = series[i]
    if (!Array.isArray(pair) || pair.length !== 2) {
      return { fault: { where, message: `point ${i + 1} of ${shown(metric)} is no [step, value] pair` } }
    }
    const [step, value] = pair as [unknown, unknown]
    const point = readPoint(step, value)
    if (point === null) {
      known.invalid.push({ where, position: i + 1, pair: [step, value] })
      // An invalid step or value may itself hold strings or nested keys: let the whole scan look at the line.
      strings = null
    } else {
      known.points.push(point)
      if (strings !== null && typeof value === 'string') strings++
    }
  }
  return { fault: null, strings }
}

/** A valid point; null for one of the wrong type. */
function readPoint(step: unknown, value: unknown): Point | null {
  if (step !== null && !isStep(step)) return null
  // + 0 makes a negative zero an ordinary one: both databases store it so.
  const safeStep = step === null ? null : step + 0
  if (typeof value === 'number') return [safeStep, value + 0]
  const marked = typeof value === 'string' ? NON_FINITE_MARKERS.get(value) : undefined
  return marked === undefined ? null : [safeStep, marked]
}

function isStep(step: unknown): step is number {
  return typeof step === 'number' && Number.isSafeInteger(step) && step >= 0
}

/** Where an invalid point stands, and why it is none. */
export function describeInvalid({ where, position, pair: [step, value] }: InvalidPoint): string {
  const reason =
    step !== null && !isStep(step)
      ? `the step ${shownValue(step)} is no whole number from 0 to 2^53-1`
      : `the value ${shownValue(value)} is no number (a non-finite one is the string "NaN", "Infinity" or "-Infinity")`
  return `point ${position} of ${where} is invalid: ${reason}`
}

function shownValue(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return shown(value)
  return shortened(JSON.stringify(value) ?? 'undefined')
}

function sortedBySteps(metrics: Map<string, GrowingMetric>): MergedRecord {
  for (const { points } of metrics.values()) if (!isSorted(points)) points.sort(bySteps)
  return metrics
}

function bySteps(a: Point, b: Point): number {
  return (a[0] ?? Infinity) === (b[0] ?? Infinity) ? 0 : (a[0] ?? Infinity) - (b[0] ?? Infinity)
}

function isSorted(points: readonly Point[]): boolean {
  for (let i = 1; i < points.length; i++) if (bySteps(points[i - 1]!, points[i]!) > 0) return false
  return true
}
