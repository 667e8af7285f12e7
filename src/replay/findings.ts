import { compareCodePoints } from '../gate/literal.js'
import type { CoordinateHistory } from './coordinate-history.js'
import type { MetricHistory } from './metric-history.js'
import type {
  AffectedCoordinate,
  IdleDeclaration,
  Listed,
  StaleCoordinate,
  ZeroFlipCoordinate,
} from './report.js'
import type { SeriesHistory } from './series-history.js'

const MAX_OTHER_COORDINATES = 100
/** Of all stale coordinates together. */
const MAX_ALL_OTHER_COORDINATES = 100_000
/** Run ids of all stale coordinates together: some twenty megabytes of JSON. */
const MAX_RESET_RUN_IDS = 500_000

/** Declarations that were never enforced: without a comparison that had history enough. */
export function findIdleDeclarations(
  histories: readonly SeriesHistory[],
  limit: number,
): Listed<IdleDeclaration> {
  const items: IdleDeclaration[] = []
  let total = 0
  for (const { series, declared } of histories) {
    for (const { metricKey, eligibleComparisons, comparisons, coldStarts } of declared) {
      if (eligibleComparisons > 0) continue
      if (total++ < limit) items.push({ series, metricKey, comparisons, coldStarts })
    }
  }
  return { items, total }
}

/** Failing coordinates whose values mix exact zeros with others. */
export function findZeroFlips(
  histories: readonly SeriesHistory[],
  limit: number,
): Listed<ZeroFlipCoordinate> {
  const items: ZeroFlipCoordinate[] = []
  let total = 0
  for (const { series, declared } of histories) {
    for (const coordinate of judgedOf(declared)) {
      if (!coordinate.flipsZero || total++ >= limit) continue
      const { metricKey, step, zeros, nonZeros, failures, staleness } = coordinate
      items.push({ series, metricKey, step, zeros, nonZeros, failures, ambiguous: staleness !== null })
    }
  }
  return { items, total }
}

/** Coordinates whose trusted history no longer matches their present level, and what a reset takes along. */
export function findStale(histories: readonly SeriesHistory[], limit: number): Listed<StaleCoordinate> {
  const items: StaleCoordinate[] = []
  let total = 0
  let runIdsLeft = MAX_RESET_RUN_IDS
  let othersLeft = MAX_ALL_OTHER_COORDINATES
  for (const history of histories) {
    const impact = new ResetImpact(history)
    for (const coordinate of judgedOf(history.declared)) {
      const { metricKey, step, staleness, trustedRuns } = coordinate
      if (staleness === null || total++ >= limit) continue
      const listed = trustedRuns.count <= runIdsLeft
      if (listed) runIdsLeft -= trustedRuns.count
      const reset = impact.of(coordinate, Math.min(MAX_OTHER_COORDINATES, othersLeft))
      othersLeft -= reset.otherCoordinates.length
      items.push({
        series: history.series,
        metricKey,
        step,
        side: staleness.side,
        latest: staleness.latest,
        resetRunIds: listed ? trustedRuns.pick(history.trustedRunIds) : null,
        resetRunIdsTotal: trustedRuns.count,
        ...reset,
        ambiguous: coordinate.flipsZero,
      })
    }
  }
  return { items, total }
}

/** What a reset of one coordinate takes from the others of its series. */
class ResetImpact {
  readonly #history: SeriesHistory
  #all: CoordinateHistory[] | undefined
  /** Coordinates that are held by the same runs have the same impact, and mostly all of a series are. */
  readonly #known = new Map<string, { first: AffectedCoordinate[]; total: number; emptied: number }>()

  constructor(history: SeriesHistory) {
    this.#history = history
  }

  of(coordinate: CoordinateHistory, limit: number) {
    const { signature } = coordinate.trustedRuns
    let known = this.#known.get(signature)
    if (known === undefined) this.#known.set(signature, (known = this.#impactOf(coordinate)))
    const others = known.first.filter(
      ({ metricKey, step }) => metricKey !== coordinate.metricKey || step !== coordinate.step,
    )
    // A coordinate without any trusted run takes none from itself either.
    const self = coordinate.trustedRuns.count > 0 ? 1 : 0
    return {
      otherCoordinates: others.slice(0, limit),
      otherCoordinatesTotal: known.total - self,
      otherCoordinatesEmptied: known.emptied - self,
    }
  }

  /** The coordinate itself is among those counted. */
  #impactOf({ trustedRuns }: CoordinateHistory) {
    this.#all ??= [...coordinatesOf(byKey(this.#history.metrics.values()))]
    const first: AffectedCoordinate[] = []
    let total = 0
    let emptied = 0
    for (const other of this.#all) {
      const runsLost = other.trustedRuns.countCommon(trustedRuns)
      if (runsLost === 0) continue
      const runsLeft = other.trustedRuns.count - runsLost
      if (runsLeft === 0) emptied++
      if (total++ > MAX_OTHER_COORDINATES) continue
      first.push({ metricKey: other.metricKey, step: other.step, runsLost, runsLeft })
    }
    return { first, total, emptied }
  }
}

function byKey(metrics: Iterable<MetricHistory>): MetricHistory[] {
  return [...metrics].sort((a, b) => compareCodePoints(a.metricKey, b.metricKey))
}

/** By metric, in the order given, then step. */
function* coordinatesOf(metrics: readonly MetricHistory[]): Generator<CoordinateHistory> {
  for (const { coordinates } of metrics) {
    yield* [...coordinates.values()].sort((a, b) => a.step - b.step)
  }
}

function* judgedOf(metrics: readonly MetricHistory[]): Generator<CoordinateHistory> {
  for (const coordinate of coordinatesOf(metrics)) if (coordinate.isJudged) yield coordinate
}
