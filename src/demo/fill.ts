/** Fills a store with the demo through the operation that every submission takes, on a clock that walks the past. */
import { createHash } from 'node:crypto'
import type { VerdictDocument } from '../documents/verdict.js'
import type { Series } from '../gate/run.js'
import type { Gatehouse } from '../operations/gatehouse.js'
import type { Caller, Submission } from '../operations/submission.js'
import { submitRun } from '../operations/submit-run.js'
import { DEMO_SERIES, demoRuns, type DemoRun } from './runs.js'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Nights begin at two o'clock UTC; the last one is over when the demo is filled, pull requests included. */
const NIGHT_HOUR = 2
const LAST_NIGHT_TAKES_HOURS = 20

export interface Filled {
  readonly name: string
  readonly verdict: VerdictDocument
  /** Whether it was there already. */
  readonly replayed: boolean
}

/** A clock that stands where it is put. */
export class DemoClock {
  #now = new Date(0)
  readonly read = () => this.#now
  set(now: Date): void {
    this.#now = now
  }
}

/** Submits every run of the demo. Filling a store that holds the demo changes nothing. */
export async function fillDemo(
  gatehouse: Gatehouse,
  clock: DemoClock,
  caller: Caller,
  now: Date,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<Filled[]> {
  const runs = demoRuns()
  const filled: Filled[] = []
  for (const run of runs) {
    clock.set(timeOf(run, now))
    const options = { dryRun: false, idempotencyKey: `demo:${run.name}` }
    const { verdict, replayed } = await submitRun(gatehouse, caller, submissionOf(run), options)
    filled.push({ name: run.name, verdict, replayed })
    onProgress(filled.length, runs.length)
  }
  return filled
}

/** Whether a store holds anything that is not the demo's. */
export async function holdsOtherData({ store }: Gatehouse): Promise<boolean> {
  return store.read(async (reader) => {
    const runs = await reader.listSeries({}, { limit: DEMO_SERIES.length + 1, after: null })
    if (runs.length > 0) return runs.some(({ series }) => !isDemoSeries(series))
    return (await reader.listVerdicts({}, { limit: 1, after: null })).length > 0
  })
}

function isDemoSeries(series: Series): boolean {
  return DEMO_SERIES.some(
    ({ testPath, backend, suite }) =>
      series.testPath === testPath && series.backend === backend && series.suite === suite,
  )
}

function timeOf({ daysBefore, minutes }: DemoRun, now: Date): Date {
  const lastDay = Math.floor((now.getTime() - LAST_NIGHT_TAKES_HOURS * HOUR_MS) / DAY_MS)
  return new Date((lastDay - daysBefore) * DAY_MS + NIGHT_HOUR * HOUR_MS + minutes * 60_000)
}

function submissionOf(run: DemoRun): Submission {
  const { pullRequest } = run
  // One workflow run a night, or a pull request; only its name decides, so that filling twice submits the same.
  const workflow = pullRequest === null ? run.name.replace(/-[a-z]+$/, '') : `pr-${pullRequest}`
  return {
    series: run.series,
    provenance: {
      commitSha: createHash('sha1').update(`gatehouse demo ${workflow}`).digest('hex'),
      prNumber: pullRequest,
      githubRunId: workflowRunId(workflow),
      githubRunAttempt: 1,
      eventName: pullRequest === null ? 'schedule' : 'pull_request',
      ref: pullRequest === null ? 'refs/heads/main' : `refs/pull/${pullRequest}/merge`,
    },
    job: null,
    cadence: pullRequest === null ? 'nightly' : 'regular',
    schedule: null,
    labels: [],
    declarations: { kind: 'json', bytes: Buffer.from(JSON.stringify(run.declarations)) },
    record: { kind: 'array', items: run.record },
  }
}

export function workflowRunId(workflow: string): bigint {
  const number = BigInt(/\d+$/.exec(workflow)?.[0] ?? '0')
  return 19_876_500_000n + (workflow.startsWith('pr-') ? 10_000n : 0n) + number
}
