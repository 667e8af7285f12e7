import { invalidInput } from '../errors.js'
import type { Declaration } from '../gate/declarations.js'
import type { Fault } from '../gate/outcome.js'
import type { Cadence, Timestamp } from '../gate/run.js'
import type { Plan } from '../gate/plan.js'
import { judge, type Verdict } from '../gate/verdict.js'
import { resolveCadence } from '../policy/cadence.js'
import type { HistoryReader } from '../store/store.js'
import type { Gatehouse, Settings } from './gatehouse.js'
import { inSlices } from './in-slices.js'
import { readDeclarations } from './read-declarations.js'
import type { Submission } from './submission.js'

/** A submission whose every part was read and found valid, with what it is to be judged on. */
export interface ReadySubmission {
  readonly submission: Submission
  readonly cadence: Cadence
  readonly declarations: readonly Declaration[]
  readonly plan: Plan
  /** SHA-256 (hex) of the merged record. */
  readonly recordDigest: string
  /** What looks like a declaration in the source and is none. */
  readonly ignored: readonly Fault[]
}

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
  const record = await gatehouse.planRecord(
    submission.record,
    declarations.ok ? declarations.value.declarations : [],
  )
  if (!cadence.ok || !declarations.ok || !record.ok) {
    throw invalidInput(
      [cadence, declarations, record].flatMap((part): readonly Fault[] => (part.ok ? [] : part.faults)),
    )
  }
  const { declarations: declared, ignored } = declarations.value
  return {
    submission,
    cadence: cadence.value,
    declarations: declared,
    plan: record.value.plan,
    recordDigest: record.value.digest,
    ignored,
  }
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
  const verdict = await inSlices(judge(plan, history, settings.enforceMinHistory))
  const told = ignored.map(({ where, message }) => ({
    metricKey: null,
    message: `${where}: ${message}`,
    missingSteps: null,
  }))
  return { createdAt: history.now, verdict: { ...verdict, warnings: [...told, ...verdict.warnings] } }
}
