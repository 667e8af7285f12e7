import { compareCodePoints } from '../../src/gate/literal.js'
import type { Baseline, Coordinate } from '../../src/gate/run.js'

/** A stored run as the pure gate sees one series' history. */
export interface MemoryRun {
  readonly runId: string
  readonly createdAt: string
  readonly trusted: boolean
  readonly values: ReadonlyArray<readonly [metricKey: string, step: number, value: number]>
}

/** Newest first: `created_at DESC, run_id DESC`. */
export function newestFirst(runs: readonly MemoryRun[]): MemoryRun[] {
  return [...runs].sort(
    (a, b) => compareCodePoints(b.createdAt, a.createdAt) || compareCodePoints(b.runId, a.runId),
  )
}

/** The baselines that the store's contract promises, by the shortest code that can be checked by eye. */
export function baselinesOf(
  runs: readonly MemoryRun[],
  coordinates: readonly Coordinate[],
  window: number,
): Baseline[] {
  const trusted = newestFirst(runs.filter((run) => run.trusted))
  return coordinates.map(({ metricKey, step }) => {
    const held = trusted
      .flatMap(({ runId, createdAt, values }) =>
        values
          .filter(([key, at]) => key === metricKey && at === step)
          .map(([, , value]) => ({ run: { runId, createdAt }, value })),
      )
      .slice(0, window)
    return { values: held.map(({ value }) => value), runs: held.map(({ run }) => run), nonFinite: 0 }
  })
}
