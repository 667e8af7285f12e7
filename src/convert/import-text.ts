/** Runs as the plain import form has them: one JSON line a run. */
import { LAST_STEP } from '../gate/run.js'
import { accepted, refused, type Fault, type Outcome } from '../gate/outcome.js'
import { commitShaFault } from '../gate/identity.js'
import { keyFault, shown } from '../gate/text.js'
import { MAX_FAULTS, type Converted, type RunOptions } from './options.js'

export interface ImportedValue {
  readonly metricKey: string
  /** -1 where the tool knows no step: the coordinate of a gate with `steps="last"`. */
  readonly step: number
  readonly value: number
}

/** A run as a file of another tool tells it; what it does not tell comes from the command line. */
export interface FoundRun {
  /** Where it stands in the file. */
  readonly where: string
  readonly suite: string | null
  readonly commitSha: string | null
  readonly createdAt: string | null
  readonly values: readonly ImportedValue[]
  /** What is wrong with it. */
  readonly faults: readonly Fault[]
}

export { LAST_STEP }

/** Prints runs as an import file, or says what they lack. */
export function importText(
  runs: readonly FoundRun[],
  options: RunOptions,
  notes: readonly string[] = [],
): Outcome<Converted> {
  const missing = missingOptions(runs, options)
  if (missing.length > 0) return { ok: false, faults: missing }
  const lines: string[] = []
  const faults: Fault[] = []
  let skipped = 0
  for (const run of runs) {
    const found = faultsOf(run, options)
    if (found.length === 0) lines.push(`${JSON.stringify(lineOf(run, options))}\n`)
    else {
      skipped++
      for (const fault of found) if (faults.length < MAX_FAULTS) faults.push(fault)
    }
  }
  if (faults.length > 0 && !options.skipFaulty) return { ok: false, faults }
  if (lines.length === 0) {
    return refused(...faults, { where: '', message: 'holds no run that could be imported' })
  }
  return accepted({
    text: lines.join(''),
    notes: [
      ...notes,
      ...faults.map(({ where, message }) => `left out: ${where}: ${message}`),
      ...(skipped > 0 ? [`${skipped} of ${runs.length} runs were left out`] : []),
    ],
  })
}

/** What neither the file nor the command line says. Told once, and not for each run. */
function missingOptions(runs: readonly FoundRun[], options: RunOptions): Fault[] {
  const lacking = (of: (run: FoundRun) => unknown) => runs.some((run) => of(run) === null)
  const faults: Fault[] = []
  const need = (flag: string, why: string) => void faults.push({ where: flag, message: `is needed: ${why}` })
  if (options.testPath === null) need('--test-path', 'an import names its series, and the file does not')
  if (options.backend === null) need('--backend', 'an import names its series, and the file does not')
  if (options.suite === null && lacking(({ suite }) => suite))
    need('--suite', 'an import names its series, and the file does not')
  if (
    options.commitSha === null &&
    lacking(({ commitSha, faults }) => (faults.length > 0 ? 'faulty' : commitSha || null))
  )
    need('--commit-sha', 'a run names its commit, and the file does not')
  if (
    options.createdAt === null &&
    lacking(({ createdAt, faults }) => (faults.length > 0 ? 'faulty' : createdAt))
  )
    need('--created-at', 'an imported run has a time, and the file does not tell it')
  return faults
}

/** The file's own commit; the command line's where the file tells none. */
function commitOf(run: FoundRun, options: RunOptions): string {
  return (run.commitSha || options.commitSha || '').toLowerCase()
}

function faultsOf(run: FoundRun, options: RunOptions): Fault[] {
  const faults = [...run.faults]
  const fault = (message: string) => void faults.push({ where: run.where, message })
  const sha = commitOf(run, options)
  const shaFault = commitShaFault(sha)
  if (shaFault !== null && run.faults.length === 0) fault(`the commit ${shown(sha)} ${shaFault}`)
  if (run.values.length === 0 && run.faults.length === 0) fault('holds no value')
  const seen = new Set<string>()
  for (const { metricKey, step, value } of run.values) {
    const keyProblem = keyFault(metricKey)
    if (keyProblem !== null) fault(`the metric key ${shown(metricKey)} ${keyProblem}`)
    if (!Number.isFinite(value)) fault(`${shown(metricKey)} is ${value}; a history holds finite values only`)
    const coordinate = JSON.stringify([metricKey, step])
    if (seen.has(coordinate))
      fault(`${shown(metricKey)} stands there twice${step === LAST_STEP ? '' : ` at step ${step}`}`)
    seen.add(coordinate)
  }
  return faults
}

function lineOf(run: FoundRun, options: RunOptions): object {
  return {
    series: { test_path: options.testPath, backend: options.backend, suite: options.suite ?? run.suite },
    provenance: {
      commit_sha: commitOf(run, options),
      ...(options.eventName !== null && { event_name: options.eventName }),
      ...(options.ref !== null && { ref: options.ref }),
    },
    created_at: run.createdAt ?? options.createdAt,
    trusted: options.trusted,
    values: run.values.map(({ metricKey, step, value }) => ({ metric_key: metricKey, step, value })),
  }
}
