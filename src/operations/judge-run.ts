import { invalidInput } from '../errors.js'
import type { Declaration } from '../gate/declarations.js'
import type { Fault, Outcome } from '../gate/outcome.js'
import { readRecordArray, readRecordParts, type MergedRecord } from '../gate/record.js'
import type { Cadence, Timestamp } from '../gate/run.js'
import { planVerdict, type Plan } from '../gate/plan.js'
import { judge, type Verdict } from '../gate/verdict.js'
import { resolveCadence } from '../policy/cadence.js'
import type { HistoryReader } from '../store/store.js'
import type { Gatehouse, Settings } from './gatehouse.js'
import { readDeclarations } from './read-declarations.js'
import type { RecordSource, Submission } from './submission.js'

/** A submission whose every part was read and found valid, with what it is to be judged on. */
export interface ReadySubmission {
  readonly submission: Submission
  readonly cadence: Cadence
  readonly declarations: readonly Declaration[]
  readonly record: MergedRecord
  readonly plan: Plan
  /** What looks like a declaration in the source and is none. */
  readonly ignored: readonly Fault[]
}

/** Checks per run: what one verdict may cost. */
export const MAX_CHECKS = 100_000

/**
 * Reads cadence, declarations and record of a submission.
 * @throws GatehouseError invalid_input with the faults of all three
 */
export async function prepareSubmission(
  gatehouse: Gatehouse,
  submission: Submission,
): Promise<ReadySubmission> {
  const cadence = resolveCadence(
    {
      ...submission,
      eventName: submission.provenance.eventName,
      ref: submission.provenance.ref,
      onBehalf: submission.job?.onBehalf ?? false,
    },
    gatehouse.settings.cadencePolicy,
  )
  const declarations = await readDeclarations(gatehouse, submission.declarations)
  const record = readRecord(submission.record, declarations.ok ? declarations.value.declarations.length : 0)
  if (!cadence.ok || !declarations.ok || !record.ok) {
    throw invalidInput(
      [cadence, declarations, record].flatMap((part): readonly Fault[] => (part.ok ? [] : part.faults)),
    )
  }
  const { declarations: declared, ignored } = declarations.value
  const plan = planVerdict(declared, record.value)
  if (plan.checks > MAX_CHECKS) {
    const message = `makes ${plan.checks} checks; a run has at most ${MAX_CHECKS}: declare fewer steps, or split the test`
    throw invalidInput([{ where: 'record', message }])
  }
  return {
    submission,
    cadence: cadence.value,
    declarations: declared,
    record: record.value,
    plan,
    ignored,
  }
}

/** @param declared how many metrics the test declares, as far as that could be read */
function readRecord(source: RecordSource | null, declared: number): Outcome<MergedRecord> {
  if (source === null) {
    if (declared === 0) return { ok: true, value: new Map() }
    const message = `is missing, and the test declares ${declared} ${declared === 1 ? 'metric' : 'metrics'}; send the record, an empty one if nothing was measured`
    return { ok: false, faults: [{ where: 'record', message }] }
  }
  return source.kind === 'parts' ? readRecordParts(source.parts) : readRecordArray(source.items)
}

/**
 * Judges a submission against the trusted history of its series: reads through the contract, a constant number of
 * queries, and writes nothing.
 */
export async function judgeRun(
  reader: HistoryReader,
  { submission, plan, ignored }: ReadySubmission,
  settings: Settings,
): Promise<{ createdAt: Timestamp; verdict: Verdict }> {
  const history = await reader.gateHistory(submission.series, {
    coordinates: plan.coordinates,
    stepsOf: plan.allStepMetrics,
    limit: settings.baselineWindow,
  })
  const verdict = judge(plan, history, settings.enforceMinHistory)
  const told = ignored.map(({ where, message }) => ({
    metricKey: null,
    message: `${where}: ${message}`,
    missingSteps: null,
  }))
  return { createdAt: history.now, verdict: { ...verdict, warnings: [...told, ...verdict.warnings] } }
}
