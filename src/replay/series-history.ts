import type { Declaration } from '../gate/declarations.js'
import { compareCodePoints } from '../gate/literal.js'
import type { Series, Timestamp } from '../gate/run.js'
import type { CandidateResult } from './coordinate-history.js'
import { addMissing, type CoveredRun } from './coverage.js'
import { MetricHistory } from './metric-history.js'
import type { CandidatePlace } from './report.js'

/** A stored value, as the replay takes it. */
export interface ReplayValue {
  readonly metricKey: string
  readonly step: number
  readonly value: number
}

/** A stored run, as the replay takes it. */
export interface ReplayRun {
  readonly runId: string
  readonly createdAt: Timestamp
  readonly trusted: boolean
  readonly series: Series
  /** By metric key, then step; in any other order they are sorted first. */
  readonly values: readonly ReplayValue[]
}

type OnCandidate = (place: CandidatePlace, result: CandidateResult) => void

/** One series as far as the replay has come. */
export class SeriesHistory {
  /** By metric key. Those of the declarations stand first, by code point. */
  readonly metrics = new Map<string, MetricHistory>()
  readonly trustedRunIds: string[] = []
  readonly #declared: MetricHistory[]
  readonly #window: number
  readonly #minimum: number
  #ordinal = -1
  /** The runs within the bounds at the newest time, which are not earlier than a first value at that time. */
  #group: CoveredRun[] = []
  #groupTime: Timestamp | null = null

  constructor(
    readonly series: Series,
    declarations: readonly Declaration[],
    settings: { readonly window: number; readonly minimum: number },
  ) {
    this.#window = settings.window
    this.#minimum = settings.minimum
    this.#declared = declarations
      .filter(({ enforce }) => enforce)
      .sort((a, b) => compareCodePoints(a.metricKey, b.metricKey))
      .map((declaration) => new MetricHistory(declaration.metricKey, declaration, settings.window))
    for (const metric of this.#declared) this.metrics.set(metric.metricKey, metric)
  }

  get declared(): readonly MetricHistory[] {
    return this.#declared
  }

  /** @returns what the run lacks, which later runs of the same time may add to; null out of bounds */
  addRun(run: ReplayRun, isInBounds: boolean, onCandidate: OnCandidate): CoveredRun | null {
    const ordinal = ++this.#ordinal
    const { createdAt, runId, trusted } = run
    if (createdAt !== this.#groupTime) {
      this.#group = []
      this.#groupTime = createdAt
    }
    if (trusted) this.trustedRunIds.push(runId)
    const facts = { ordinal, trusted }
    let metric: MetricHistory | undefined
    for (const { metricKey, step, value } of inOrder(run.values)) {
      if (metric?.metricKey !== metricKey) metric = this.#metric(metricKey)
      const coordinate = metric.at(step)
      if (coordinate.isJudged) {
        this.#coverEarlier(metric, step, coordinate.lastRun === -1)
        metric.lastRun = ordinal
        if (isInBounds) {
          const place = { runId, createdAt, series: this.series, metricKey, step, value }
          const result = coordinate.judge(place, this.#minimum)
          count(metric, result)
          onCandidate(place, result)
        }
      }
      coordinate.lastRun = ordinal
      if (trusted) coordinate.trustedRuns.add(this.trustedRunIds.length - 1)
      coordinate.addValue(value, createdAt, facts)
    }
    return isInBounds ? this.#cover(run, ordinal) : null
  }

  #metric(metricKey: string): MetricHistory {
    let metric = this.metrics.get(metricKey)
    if (metric === undefined) {
      metric = new MetricHistory(metricKey, null, this.#window)
      this.metrics.set(metricKey, metric)
    }
    return metric
  }

  #cover({ runId, createdAt }: ReplayRun, ordinal: number): CoveredRun {
    const covered: CoveredRun = { runId, createdAt, series: this.series, missing: null }
    for (const metric of this.#declared) {
      const missing = metric.missingIn(ordinal)
      if (missing !== null) (covered.missing ??= new Map<string, number[]>()).set(metric.metricKey, missing)
    }
    this.#group.push(covered)
    return covered
  }

  /** Runs of the same time as a coordinate's first value do not predate it, so they lack it. */
  #coverEarlier(metric: MetricHistory, step: number, isFirst: boolean): void {
    if (this.#group.length === 0) return
    if (metric.declaration!.steps.kind === 'all') {
      if (metric.lastRun === -1) for (const run of this.#group) addMissing(run, metric.metricKey, null)
    } else if (isFirst) for (const run of this.#group) addMissing(run, metric.metricKey, step)
  }
}

function count(metric: MetricHistory, result: CandidateResult): void {
  if (result.kind === 'cold_start') metric.coldStarts++
  else if (result.kind !== 'ambiguous_window') {
    metric.comparisons++
    if (result.eligible) metric.eligibleComparisons++
  }
}

/** The store's order: metric key, step, and of two values of one coordinate (another writer's) the greater first. */
function inOrder(values: readonly ReplayValue[]): readonly ReplayValue[] {
  for (let i = 1; i < values.length; i++) {
    if (compareValues(values[i - 1]!, values[i]!) > 0) return [...values].sort(compareValues)
  }
  return values
}

function compareValues(a: ReplayValue, b: ReplayValue): number {
  if (a.metricKey !== b.metricKey) return compareCodePoints(a.metricKey, b.metricKey)
  if (a.step !== b.step) return a.step - b.step
  // A NaN goes last: it must not make the order depend on where it stood.
  if (Number.isNaN(a.value)) return Number.isNaN(b.value) ? 0 : 1
  return Number.isNaN(b.value) ? -1 : Math.sign(b.value - a.value) || 0
}
