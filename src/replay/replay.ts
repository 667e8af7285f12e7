import type { Declaration } from '../gate/declarations.js'
import { compareCodePoints } from '../gate/literal.js'
import type { Series, Timestamp } from '../gate/run.js'
import { BoundedList } from './bounded-list.js'
import type { CandidateResult } from './coordinate-history.js'
import { incompleteEntries, type CoveredRun } from './coverage.js'
import { findIdleDeclarations, findStale, findZeroFlips } from './findings.js'
import type {
  AmbiguousWindow,
  CandidatePlace,
  FailingCandidate,
  IncompleteRun,
  ReplayBounds,
  ReplayCounts,
  ReplayReport,
  ReplaySettings,
} from './report.js'
import { SeriesHistory, type ReplayRun } from './series-history.js'
import { compareSeries, seriesKey } from './series-key.js'

export type { ReplayRun, ReplayValue } from './series-history.js'

/** Entries of each list of a report: some megabytes of JSON, and more than a person reads. */
export const DEFAULT_LIST_LIMIT = 10_000

/** The declarations of one series. */
export interface DeclaredSeries {
  readonly series: Series
  readonly declarations: readonly Declaration[]
}

/**
 * If these declarations had judged every stored value against what was trusted before it, what would they have said?
 *
 * Runs are told one at a time, oldest first. What is kept grows with series, coordinates and trusted runs, not with
 * values: of each coordinate one window of trusted values, of each list of the report its newest entries.
 */
export class Replay {
  readonly #settings: ReplaySettings
  readonly #bounds: ReplayBounds
  /** null for a series that no declaration is known of. */
  readonly #histories = new Map<string, SeriesHistory | null>()
  readonly #seen = new Set<string>()
  readonly #counts: ReplayCounts = {
    comparisons: 0,
    passes: 0,
    failures: 0,
    enforcementEligible: 0,
    insufficientHistory: 0,
    coldStarts: 0,
    ambiguousWindow: 0,
    incomplete: 0,
  }
  readonly #incomplete: BoundedList<IncompleteRun>
  readonly #trusted: BoundedList<FailingCandidate>
  readonly #untrusted: BoundedList<FailingCandidate>
  readonly #ambiguous: BoundedList<AmbiguousWindow>
  #runs = 0
  #values = 0
  #last: { readonly createdAt: Timestamp; readonly runId: string } | null = null
  /** Runs of the newest time: a later one of them may show that they lack something. */
  #group: CoveredRun[] = []

  constructor(
    declared: Iterable<DeclaredSeries>,
    settings: ReplaySettings,
    bounds: ReplayBounds = { since: null, until: null },
  ) {
    this.#settings = settings
    this.#bounds = bounds
    this.#incomplete = new BoundedList(settings.listLimit)
    this.#trusted = new BoundedList(settings.listLimit)
    this.#untrusted = new BoundedList(settings.listLimit)
    this.#ambiguous = new BoundedList(settings.listLimit)
    for (const { series, declarations } of declared) this.declare(series, declarations)
  }

  /** Whether a series was declared, or one of its runs was added. */
  knows(series: Series): boolean {
    return this.#histories.has(seriesKey(series))
  }

  /** Tells the declarations of a series, before its first run; without any its runs are only counted. */
  declare(series: Series, declarations: readonly Declaration[]): void {
    const key = seriesKey(series)
    if (this.#histories.has(key)) throw new RangeError('a series is declared once, before its first run')
    this.#histories.set(key, new SeriesHistory(series, declarations, this.#settings))
  }

  /** @throws RangeError for a run that is not newer than the one before (by time, then run id) */
  add(run: ReplayRun): void {
    this.#advanceTo(run)
    if (this.#bounds.until !== null && run.createdAt >= this.#bounds.until) return
    this.#runs++
    this.#values += run.values.length
    const key = seriesKey(run.series)
    this.#seen.add(key)
    let history = this.#histories.get(key)
    if (history === undefined) this.#histories.set(key, (history = null))
    if (history === null) return
    const isInBounds = this.#bounds.since === null || run.createdAt >= this.#bounds.since
    const covered = history.addRun(run, isInBounds, (place, result) => {
      this.#take(place, result, run.trusted)
    })
    if (covered !== null) this.#group.push(covered)
  }

  report(): ReplayReport {
    this.#closeGroup()
    const { listLimit } = this.#settings
    const counts = { ...this.#counts, incomplete: this.#incomplete.list().total }
    const histories = [...this.#histories.values()]
      .filter((history) => history !== null)
      .sort((a, b) => compareSeries(a.series, b.series))
    const isSound =
      counts.comparisons > 0 &&
      counts.failures === 0 &&
      counts.incomplete === 0 &&
      counts.ambiguousWindow === 0
    return {
      snapshot: {
        ...this.#settings,
        ...this.#bounds,
        runs: this.#runs,
        values: this.#values,
        series: this.#seen.size,
      },
      counts,
      incomplete: this.#incomplete.list(),
      declarationsWithoutEligibleComparisons: findIdleDeclarations(histories, listLimit),
      trustedInconsistencies: this.#trusted.list(),
      untrustedRegressions: this.#untrusted.list(),
      ambiguousWindows: this.#ambiguous.list(),
      staleCoordinates: findStale(histories, listLimit),
      zeroFlipCoordinates: findZeroFlips(histories, listLimit),
      outcome: isSound ? 'pass' : 'fail',
    }
  }

  #advanceTo({ createdAt, runId }: ReplayRun): void {
    const last = this.#last
    if (last !== null) {
      const order =
        createdAt === last.createdAt
          ? compareCodePoints(runId, last.runId)
          : createdAt > last.createdAt
            ? 1
            : -1
      if (order <= 0) {
        throw new RangeError(
          `runs come oldest first, by time and run id, each once: ${runId} after ${last.runId}`,
        )
      }
      if (createdAt !== last.createdAt) this.#closeGroup()
    }
    this.#last = { createdAt, runId }
  }

  #closeGroup(): void {
    for (const run of this.#group) for (const entry of incompleteEntries(run)) this.#incomplete.push(entry)
    this.#group = []
  }

  #take(place: CandidatePlace, result: CandidateResult, trusted: boolean): void {
    const counts = this.#counts
    if (result.kind === 'cold_start') counts.coldStarts++
    else if (result.kind === 'ambiguous_window') {
      counts.ambiguousWindow++
      this.#ambiguous.push({ ...place, trusted, cutAt: result.cutAt })
    } else {
      counts.comparisons++
      if (result.eligible) counts.enforcementEligible++
      else counts.insufficientHistory++
      if (result.kind === 'pass') counts.passes++
      else {
        counts.failures++
        const list = trusted ? this.#trusted : this.#untrusted
        list.push(result.failure)
      }
    }
  }
}
