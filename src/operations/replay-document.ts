import { wireDouble } from '../documents/json.js'
import type { FailingCandidateDocument, ReplayDocument } from '../documents/replay.js'
import type { CandidatePlace, FailingCandidate, ReplayReport, StaleCoordinate } from '../replay/report.js'
import type { SeriesFilter } from '../store/lists.js'
import { encodeSeries } from './encode.js'

/** What a replay is told about besides its findings. */
export interface ReplayFacts {
  readonly filter: SeriesFilter
  /** Named by the request, or those of the newest writing run of each series. */
  readonly declarations: 'given' | 'newest_run'
}

/** The report as it is answered and printed. */
export function replayDocument(report: ReplayReport, { filter, declarations }: ReplayFacts): ReplayDocument {
  const { snapshot, counts } = report
  return {
    snapshot: {
      window: snapshot.window,
      minimum: snapshot.minimum,
      runs: snapshot.runs,
      values: snapshot.values,
      series: snapshot.series,
      since: snapshot.since,
      until: snapshot.until,
      filter: {
        test_path: filter.testPath ?? null,
        backend: filter.backend ?? null,
        suite: filter.suite ?? null,
      },
      declarations,
      list_limit: snapshot.listLimit,
    },
    counts: {
      comparisons: counts.comparisons,
      passes: counts.passes,
      failures: counts.failures,
      enforcement_eligible: counts.enforcementEligible,
      insufficient_history: counts.insufficientHistory,
      cold_starts: counts.coldStarts,
      ambiguous_window: counts.ambiguousWindow,
      incomplete: counts.incomplete,
    },
    incomplete: report.incomplete.items.map((item) => ({
      run_id: item.runId,
      created_at: item.createdAt,
      series: encodeSeries(item.series),
      metric_key: item.metricKey,
      missing_steps: [...item.missingSteps],
      missing_steps_total: item.missingStepsTotal,
    })),
    declarations_without_eligible_comparisons: report.declarationsWithoutEligibleComparisons.items.map(
      ({ series, metricKey, comparisons, coldStarts }) => ({
        series: encodeSeries(series),
        metric_key: metricKey,
        comparisons,
        cold_starts: coldStarts,
      }),
    ),
    declarations_without_eligible_comparisons_total: report.declarationsWithoutEligibleComparisons.total,
    trusted_inconsistencies: report.trustedInconsistencies.items.map(encodeFailure),
    trusted_inconsistencies_total: report.trustedInconsistencies.total,
    untrusted_regressions: report.untrustedRegressions.items.map(encodeFailure),
    untrusted_regressions_total: report.untrustedRegressions.total,
    ambiguous_windows: report.ambiguousWindows.items.map((item) => ({
      ...encodePlace(item),
      trusted: item.trusted,
      cut_at: item.cutAt,
    })),
    stale_coordinates: report.staleCoordinates.items.map(encodeStale),
    stale_coordinates_total: report.staleCoordinates.total,
    zero_flip_coordinates: report.zeroFlipCoordinates.items.map((item) => ({
      series: encodeSeries(item.series),
      metric_key: item.metricKey,
      step: item.step,
      zeros: item.zeros,
      non_zeros: item.nonZeros,
      failures: item.failures,
      ambiguous: item.ambiguous,
    })),
    zero_flip_coordinates_total: report.zeroFlipCoordinates.total,
    outcome: report.outcome,
  }
}

function encodePlace({ runId, createdAt, series, metricKey, step, value }: CandidatePlace) {
  return {
    run_id: runId,
    created_at: createdAt,
    series: encodeSeries(series),
    metric_key: metricKey,
    step,
    value: wireDouble(value),
  }
}

function encodeFailure(failure: FailingCandidate): FailingCandidateDocument {
  const { n, mean, lower, upper, rule, side, insufficientHistory } = failure
  return {
    ...encodePlace(failure),
    n,
    mean,
    lower: lower === null ? null : wireDouble(lower),
    upper: upper === null ? null : wireDouble(upper),
    rule,
    side,
    insufficient_history: insufficientHistory,
  }
}

function encodeStale(stale: StaleCoordinate): ReplayDocument['stale_coordinates'][number] {
  return {
    series: encodeSeries(stale.series),
    metric_key: stale.metricKey,
    step: stale.step,
    side: stale.side,
    latest: stale.latest.map(encodeFailure),
    reset_run_ids: stale.resetRunIds && [...stale.resetRunIds],
    reset_run_ids_total: stale.resetRunIdsTotal,
    other_coordinates: stale.otherCoordinates.map(({ metricKey, step, runsLost, runsLeft }) => ({
      metric_key: metricKey,
      step,
      runs_lost: runsLost,
      runs_left: runsLeft,
    })),
    other_coordinates_total: stale.otherCoordinatesTotal,
    warning: resetWarning(stale),
    ambiguous: stale.ambiguous,
  }
}

/** Trust is per run: revoking takes the runs from every coordinate that they hold. */
function resetWarning({
  resetRunIdsTotal: runs,
  otherCoordinatesTotal: others,
  otherCoordinatesEmptied: emptied,
}: StaleCoordinate): string | null {
  if (others === 0) return null
  return (
    `Trust is per run: revoking ${runs === 1 ? 'this run' : `these ${runs} runs`} takes values from ` +
    `${others === 1 ? 'one other coordinate' : `${others} other coordinates`} of the series as well, ` +
    (emptied === 0 ? 'none of which' : emptied === others ? 'all of which' : `${emptied} of which`) +
    ` would start cold.`
  )
}
