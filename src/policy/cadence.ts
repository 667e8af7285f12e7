import type { Cadence } from '../gate/run.js'
import { accepted, refused, type Outcome } from '../gate/outcome.js'

/** The configuration by which facts become a cadence. */
export interface CadencePolicy {
  /** Cron expression, as the workflow wrote it, to the cadence that it stands for. */
  readonly schedules: ReadonlyMap<string, Cadence>
  /** The refs on which a schedule may mean its cadence. */
  readonly baselineRefs: ReadonlySet<string>
  /** The label that makes a pull request's run a nightly one. */
  readonly nightlyLabel: string
}

/** What applies where the configuration file says nothing: no cron is known. */
export const DEFAULT_CADENCE_POLICY: CadencePolicy = {
  schedules: new Map(),
  baselineRefs: new Set(['refs/heads/main']),
  nightlyLabel: 'nightly',
}

/** What a client says of its run. Labels and cron are its word: they select a cadence and grant nothing. */
export interface CadenceFacts {
  /** The cadence it named; wins over the facts. */
  readonly cadence: Cadence | null
  readonly eventName: string | null
  readonly ref: string | null
  readonly schedule: string | null
  readonly labels: readonly string[]
  /** The job submits the record of another run, whose facts nobody vouches for. */
  readonly onBehalf: boolean
}

/** Resolves the cadence of a submission; never guessed from the event's name alone. */
export function resolveCadence(facts: CadenceFacts, policy: CadencePolicy): Outcome<Cadence> {
  if (facts.onBehalf) return accepted('regular')
  if (facts.cadence !== null) return accepted(facts.cadence)
  if (facts.eventName === 'schedule') {
    if (facts.schedule === null) {
      return refused({
        where: 'schedule',
        message:
          'a schedule event needs its cron expression here (github.event.schedule), or a named cadence',
      })
    }
    const cadence = policy.schedules.get(facts.schedule)
    if (cadence === undefined) {
      return refused({
        where: 'schedule',
        message: `the cron ${JSON.stringify(facts.schedule)} is not mapped by the configuration (cadence.schedules); map it, or name the cadence`,
      })
    }
    return accepted(facts.ref !== null && policy.baselineRefs.has(facts.ref) ? cadence : 'regular')
  }
  if (facts.eventName === 'pull_request' && facts.labels.includes(policy.nightlyLabel))
    return accepted('nightly')
  return accepted('regular')
}

/** Whether runs of this cadence enter history. A release is built on frozen dependencies, which must not enter the rolling baseline. */
export function writesHistory(cadence: Cadence): boolean {
  return cadence === 'nightly' || cadence === 'weekly'
}
