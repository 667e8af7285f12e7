import type { Fault } from '../gate/outcome.js'
import { shown } from '../gate/text.js'
import type { Part } from './multipart.js'
import { unknownName } from './validation-faults.js'

/** What either form of a body holds, before its fields are judged. */
export interface RawSubmission {
  /** In the shape of the JSON body, without its bulky members; members that are absent or null are left out. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The digits of `github_run_id` as written: a double would round them. */
  readonly githubRunId: string | undefined
  readonly python: Uint8Array | undefined
  readonly declarations: Uint8Array | undefined
  readonly record: readonly Uint8Array[] | readonly unknown[] | undefined
  /** Faults of the form itself: unknown or repeated parts, text that is no UTF-8. */
  readonly faults: readonly Fault[]
  /** From a JSON pointer into `fields` to the place that the client knows. */
  readonly whereOf: (pointer: string) => string
}

const BYTE_PARTS = ['test_file', 'declarations']
const SERIES_PARTS = ['test_path', 'backend', 'suite']
const PROVENANCE_PARTS = [
  'commit_sha',
  'pr_number',
  'github_run_id',
  'github_run_attempt',
  'event_name',
  'ref',
]
const INTEGER_PARTS = ['pr_number', 'github_run_id', 'github_run_attempt']
const OTHER_PARTS = ['cadence', 'schedule']
const SUBMISSION_PARTS = [
  ...BYTE_PARTS,
  'record',
  ...SERIES_PARTS,
  ...PROVENANCE_PARTS,
  ...OTHER_PARTS,
  'labels',
]

/** Sorts the parts of a form into the shape of the JSON body. */
export function readForm(parts: readonly Part[], known: readonly string[] = SUBMISSION_PARTS): RawSubmission {
  const faults: Fault[] = []
  const single = new Map<string, Buffer>()
  const record: Buffer[] = []
  const labels: string[] = []
  for (const { name, bytes } of parts) {
    if (!known.includes(name)) faults.push({ where: shownName(name), message: unknownName(name, known) })
    else if (name === 'record') record.push(bytes)
    else if (name === 'labels') labels.push(...readLabels(bytes, faults))
    else if (single.has(name))
      faults.push({ where: name, message: 'is sent more than once; it takes one value' })
    // The record may be given away, and the memory of the whole form with it.
    else single.set(name, Buffer.from(bytes))
  }
  const texts = readTexts(single, faults)
  const pick = (names: readonly string[]) =>
    Object.fromEntries([...texts].filter(([name]) => names.includes(name)))
  const python = single.get('test_file')
  const declarations = single.get('declarations')
  return {
    fields: {
      series: pick(SERIES_PARTS),
      provenance: pick(PROVENANCE_PARTS),
      ...pick(OTHER_PARTS),
      ...(labels.length > 0 && { labels }),
    },
    githubRunId:
      typeof texts.get('github_run_id') === 'number' ? single.get('github_run_id')!.toString() : undefined,
    // An empty test file is a test without gates, but beside declarations it is a variable that was not set.
    python:
      python?.length === 0 && declarations !== undefined && declarations.length > 0 ? undefined : python,
    declarations: declarations?.length === 0 ? undefined : declarations,
    record: record.length > 0 ? record : undefined,
    faults: dedupe(faults),
    whereOf: (pointer) => pointer.replace(/^(?:series|provenance)\//, '').replace(/^labels\/\d+$/, 'labels'),
  }
}

/** Field parts as text, decimal digits as numbers; an empty part is absent, as an unset CI variable gives it. */
function readTexts(single: ReadonlyMap<string, Buffer>, faults: Fault[]): Map<string, string | number> {
  const texts = new Map<string, string | number>()
  for (const [name, bytes] of single) {
    if (BYTE_PARTS.includes(name) || bytes.length === 0) continue
    const text = decode(bytes)
    if (text === null) faults.push({ where: name, message: 'is not UTF-8 text' })
    else if (INTEGER_PARTS.includes(name) && /^\d{1,40}$/.test(text)) texts.set(name, Number(text))
    else texts.set(name, text)
  }
  return texts
}

function readLabels(bytes: Buffer, faults: Fault[]): string[] {
  const text = decode(bytes)
  if (text === null) {
    faults.push({ where: 'labels', message: 'is not UTF-8 text' })
    return []
  }
  const array = labelArray(text)
  // A label in brackets is one; an array that was cut short is not to become labels that nobody gave.
  if (array === null && /^\s*\[\s*"/.test(text)) {
    faults.push({
      where: 'labels',
      message:
        'begins as a JSON array and is none of strings; with curl, --form-string keeps a ; or a quote as it is',
    })
  }
  return (array ?? text.split(',')).flatMap((label) => (label.trim() === '' ? [] : [label.trim()]))
}

/** `toJSON(github.event.pull_request.labels.*.name)` is what a workflow has at hand. */
function labelArray(text: string): string[] | null {
  if (!text.trimStart().startsWith('[')) return null
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : null
  } catch {
    return null
  }
}

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function shownName(name: string): string {
  const quoted = shown(name)
  return quoted.slice(1, -1) === name ? name : quoted
}

function dedupe(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.map((fault) => [`${fault.where}\0${fault.message}`, fault])).values()]
}
