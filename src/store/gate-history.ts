/** From what a backend read to the baselines of a verdict, by copies where they are whole and by rows where not. */
import { compareCodePoints } from '../gate/literal.js'
import type { Baseline, TrustedRun } from '../gate/run.js'
import type { GateQuestion } from './baselines.js'
import { StepVector, toDoubles } from './vectors.js'

/** The copies of one metric in some trusted runs, in any order. */
export interface CopiedMetric {
  readonly metricKey: string
  /** Mostly the same for all metrics of a series, and then the same array, which is looked at once. */
  readonly runs: readonly CopiedRun[]
  /** Of one run after the other the steps and the values, as `EncodedVector` has them. */
  readonly bytes: Buffer
}

export type CopiedRun = readonly [runId: string, createdAt: string, stepBytes: number, valueBytes: number]

/** One value of a trusted run that has no copy (another writer's, or of before there were copies). */
export interface LooseValue extends TrustedRun {
  readonly metricKey: string
  readonly step: number
  /** Not finite, or null, where another writer stored such. */
  readonly value: number | null
}

export interface GateAnswer {
  /** Null where copies and loose values do not reach: rows alone tell. */
  readonly baselines: ReadonlyArray<Baseline | null>
  readonly trustedSteps: Map<string, number[]>
  /** The metrics whose steps rows alone tell. */
  readonly stepsFromRows: readonly string[]
}

/** Runs without a copy that are looked at beside the copies; with more, rows alone are read. */
export const MAX_LOOSE_RUNS = 200

interface Holder {
  readonly run: TrustedRun
  readonly vector: StepVector
}

/**
 * Answers as far as the copies reach.
 * @param copied of each metric the newest `limit` trusted copies, or all there are
 * @param loose the values, at these metrics, of all trusted runs without a copy
 */
export function answerFromCopies(
  question: GateQuestion,
  copied: readonly CopiedMetric[],
  loose: readonly LooseValue[],
): GateAnswer {
  const histories = new Map<string, MetricHistory>()
  for (const [metricKey, holders] of holdersByMetric(copied, loose, question.limit)) {
    histories.set(metricKey, new MetricHistory(holders.all, holders.isCut, question.limit))
  }
  const trustedSteps = new Map<string, number[]>()
  const stepsFromRows: string[] = []
  for (const metricKey of new Set(question.stepsOf)) {
    const history = histories.get(metricKey)
    const steps = history?.newestSteps()
    if (steps) trustedSteps.set(metricKey, steps)
    else if (history?.isCut === true) stepsFromRows.push(metricKey)
  }
  return {
    baselines: question.coordinates.map(({ metricKey, step }) => {
      const history = histories.get(metricKey)
      return history === undefined ? NO_BASELINE : history.baseline(step)
    }),
    trustedSteps,
    stepsFromRows,
  }
}

const NO_BASELINE: Baseline = { values: [], runs: [], nonFinite: 0 }

/** What holds one metric, newest first. */
class MetricHistory {
  readonly #holders: readonly Holder[]
  readonly #runs: readonly TrustedRun[]
  readonly #limit: number
  /** Whether there may be older ones. */
  readonly isCut: boolean

  constructor(holders: readonly Holder[], isCut: boolean, limit: number) {
    this.#holders = holders
    this.#runs = holders.slice(0, limit).map(({ run }) => run)
    this.#limit = limit
    this.isCut = isCut
  }

  /** Null where older ones may hold more of it. */
  baseline(step: number): Baseline | null {
    const values: number[] = []
    const holders: Holder[] = []
    let nonFinite = 0
    for (const holder of this.#holders) {
      const { vector } = holder
      for (let at = vector.find(step); at >= 0 && at < vector.length && vector.stepAt(at) === step; at++) {
        const value = vector.valueAt(at)
        if (!Number.isFinite(value)) nonFinite++
        else if (values.length < this.#limit) {
          values.push(value)
          holders.push(holder)
        }
      }
      if (values.length === this.#limit) return { values, runs: this.#runsOf(holders), nonFinite }
    }
    return this.isCut ? null : { values, runs: this.#runsOf(holders), nonFinite }
  }

  /** Steps >= 0 of the newest run that holds any; null where none of these does. */
  newestSteps(): number[] | null {
    for (const { vector } of this.#holders) {
      const steps = new Set<number>()
      for (let at = 0; at < vector.length; at++) if (vector.stepAt(at) >= 0) steps.add(vector.stepAt(at))
      if (steps.size > 0) return [...steps]
    }
    return null
  }

  /** One array for all coordinates that every run holds, so that evidence is gathered once for them. */
  #runsOf(holders: readonly Holder[]): readonly TrustedRun[] {
    const isUsual =
      holders.length === this.#runs.length &&
      holders.every((holder, index) => holder === this.#holders[index])
    return isUsual ? this.#runs : holders.map(({ run }) => run)
  }
}

function holdersByMetric(
  copied: readonly CopiedMetric[],
  loose: readonly LooseValue[],
  limit: number,
): Map<string, { all: Holder[]; isCut: boolean }> {
  const byMetric = new Map<string, { all: Holder[]; isCut: boolean }>()
  const of = (metricKey: string) => {
    const known = byMetric.get(metricKey) ?? { all: [], isCut: false }
    byMetric.set(metricKey, known)
    return known
  }
  // A run is named by each of its metrics: one object for it, by which it is known again.
  const runs = new Map<string, TrustedRun>()
  const runOf = ({ runId, createdAt }: TrustedRun) => {
    const run = runs.get(runId) ?? { runId, createdAt }
    runs.set(runId, run)
    return run
  }
  const runsOf = readerOfRuns(runOf)
  for (const { metricKey, runs, bytes } of copied) of(metricKey).all.push(...copyHolders(runsOf(runs), bytes))
  for (const holders of byMetric.values()) holders.isCut = holders.all.length >= limit
  for (const [metricKey, some] of looseHolders(loose, runOf)) of(metricKey).all.push(...some)
  for (const holders of byMetric.values()) {
    const oldestCopy = holders.isCut ? oldest(holders.all.slice(0, limit)) : null
    holders.all.sort(newestFirst)
    // Between those that are older than the last copy read, copies may stand that were not.
    if (oldestCopy !== null) holders.all = holders.all.slice(0, holders.all.indexOf(oldestCopy) + 1)
  }
  return byMetric
}

type CopiedStretch = readonly [run: TrustedRun, steps: number, values: number]

function readerOfRuns(
  runOf: (run: TrustedRun) => TrustedRun,
): (runs: readonly CopiedRun[]) => readonly CopiedStretch[] {
  return once((runs) =>
    runs.map(([runId, createdAt, stepBytes, valueBytes]) => [
      runOf({ runId, createdAt }),
      stepBytes / 8,
      valueBytes / 8,
    ]),
  )
}

/** Reads each thing once: what the runs of one metric are is mostly what those of the others are. */
export function once<From, To>(read: (from: From) => To): (from: From) => To {
  const known = new Map<From, To>()
  return (from) => {
    if (!known.has(from)) known.set(from, read(from))
    return known.get(from)!
  }
}

function copyHolders(runs: readonly CopiedStretch[], bytes: Buffer): Holder[] {
  const doubles = toDoubles(bytes)
  let from = 0
  return runs.map(([run, steps, values]) => {
    const vector = new StepVector(doubles, from, steps, values)
    from += steps + values
    return { run, vector }
  })
}

function oldest(holders: readonly Holder[]): Holder {
  return holders.reduce((last, holder) => (newestFirst(last, holder) < 0 ? holder : last))
}

function newestFirst({ run: a }: Holder, { run: b }: Holder): number {
  return compareCodePoints(b.createdAt, a.createdAt) || compareCodePoints(b.runId, a.runId)
}

function looseHolders(
  loose: readonly LooseValue[],
  runOf: (run: TrustedRun) => TrustedRun,
): Map<string, Holder[]> {
  const points = new Map<string, Map<TrustedRun, LooseValue[]>>()
  for (const value of loose) {
    const ofMetric = points.get(value.metricKey) ?? new Map<TrustedRun, LooseValue[]>()
    points.set(value.metricKey, ofMetric)
    const run = runOf(value)
    const known = ofMetric.get(run)
    if (known === undefined) ofMetric.set(run, [value])
    else known.push(value)
  }
  return new Map(
    [...points].map(([metricKey, ofMetric]) => [
      metricKey,
      [...ofMetric].map(([run, values]) => ({ run, vector: StepVector.of(values) })),
    ]),
  )
}
