import { judgeByBand, judgeByLimit } from '../gate/evaluate.js'
import type { Timestamp } from '../gate/run.js'
import type { BandRule, HardRefRule } from '../gate/rules.js'
import { IndexRanges } from './index-ranges.js'
import type { AmbiguousWindow, CandidatePlace, FailingCandidate, Side } from './report.js'
import { TrustedWindow } from './trusted-window.js'

/** What a candidate is: exactly one of these. */
export type CandidateResult =
  | { readonly kind: 'cold_start' }
  | { readonly kind: 'ambiguous_window'; readonly cutAt: AmbiguousWindow['cutAt'] }
  | { readonly kind: 'pass'; readonly eligible: boolean }
  | { readonly kind: 'fail'; readonly eligible: boolean; readonly failure: FailingCandidate }

type Judgement = Pick<FailingCandidate, 'rule' | 'side' | 'n' | 'mean' | 'lower' | 'upper'>

/** The latest three comparisons tell whether a coordinate is stale. */
const LATEST = 3

const COLD_START: CandidateResult = { kind: 'cold_start' }
const PASS: CandidateResult = { kind: 'pass', eligible: true }
const INSUFFICIENT_PASS: CandidateResult = { kind: 'pass', eligible: false }

/** One coordinate of one series as far as the replay has come. */
export class CoordinateHistory {
  /** The trusted runs that hold it, by their index in the series. */
  readonly trustedRuns = new IndexRanges()
  /** The newest run that holds it. */
  lastRun = -1
  failures = 0
  zeros = 0
  nonZeros = 0
  /** Failing comparisons on one side since the last other one, the latest few. */
  #streak: FailingCandidate[] = []
  readonly #rule: BandRule | HardRefRule | null
  readonly #window: TrustedWindow | null

  constructor(
    readonly metricKey: string,
    readonly step: number,
    /** null where nothing judges the coordinate. */
    rule: BandRule | HardRefRule | null,
    windowSize: number,
  ) {
    this.#rule = rule
    this.#window = rule?.kind === 'band' ? new TrustedWindow(windowSize) : null
  }

  get isJudged(): boolean {
    return this.#rule !== null
  }

  /** A coordinate judged by an absolute limit has no level that could be stale. */
  get hasBand(): boolean {
    return this.#window !== null
  }

  /** Takes note of a stored value, and of a trusted one as history of later candidates. */
  addValue(value: number, createdAt: Timestamp, run: { ordinal: number; trusted: boolean }): void {
    if (!Number.isFinite(value)) return
    if (value === 0) this.zeros++
    else this.nonZeros++
    if (run.trusted) this.#window?.add(value, createdAt, run.ordinal)
  }

  /** Judges a candidate by the gate's own functions. */
  judge(candidate: CandidatePlace, minimum: number): CandidateResult {
    const rule = this.#rule!
    if (rule.kind === 'hard_ref') return this.#judgeByLimit(rule, candidate)
    const window = this.#window!.before(candidate.createdAt)
    if (window.ambiguous) return { kind: 'ambiguous_window', cutAt: window.cutAt }
    const { status, corridor } = judgeByBand(rule, candidate.value, window.values)
    if (status === 'inactive') return COLD_START
    const eligible = corridor.n >= minimum
    // The gate never takes a value that is not finite for a good one, also where no upper bound would stop it.
    if (status === 'pass' && Number.isFinite(candidate.value)) {
      if (this.#streak.length > 0) this.#streak = []
      return eligible ? PASS : INSUFFICIENT_PASS
    }
    const { n, mean, lower, upper } = corridor
    const side = sideOf(candidate.value, lower)
    const failure = failing(candidate, { rule: 'band', side, n, mean, lower, upper }, eligible)
    this.failures++
    if (this.#streak.at(-1)?.side !== side) this.#streak = []
    this.#streak.push(failure)
    if (this.#streak.length > LATEST) this.#streak.shift()
    return { kind: 'fail', eligible, failure }
  }

  /** The latest three comparisons where they all fail on one side, and that side. */
  get staleness(): { readonly side: Side; readonly latest: readonly FailingCandidate[] } | null {
    const side = this.#streak[0]?.side ?? null
    return this.#streak.length < LATEST || side === null ? null : { side, latest: this.#streak }
  }

  get flipsZero(): boolean {
    return this.hasBand && this.failures > 0 && this.zeros > 0 && this.nonZeros > 0
  }

  #judgeByLimit(rule: HardRefRule, candidate: CandidatePlace): CandidateResult {
    if (judgeByLimit(rule, candidate.value) === 'pass' && Number.isFinite(candidate.value)) return PASS
    this.failures++
    const { min: lower, max: upper } = rule
    const side = sideOf(candidate.value, lower)
    const failure = failing(candidate, { rule: 'hard_ref', side, n: null, mean: null, lower, upper }, true)
    return { kind: 'fail', eligible: true, failure }
  }
}

/** Written out: with a spread of the candidate a history of failures takes twice as long to replay. */
function failing(
  { runId, createdAt, series, metricKey, step, value }: CandidatePlace,
  { rule, side, n, mean, lower, upper }: Judgement,
  eligible: boolean,
): FailingCandidate {
  return {
    runId,
    createdAt,
    series,
    metricKey,
    step,
    value,
    rule,
    side,
    n,
    mean,
    lower,
    upper,
    insufficientHistory: !eligible,
  }
}

/** Where a failing value lies beside its bounds. */
function sideOf(value: number, lower: number | null): Side | null {
  if (Number.isNaN(value)) return null
  return value === -Infinity || (lower !== null && value < lower) ? 'below' : 'above'
}
