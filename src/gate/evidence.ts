import { compareCodePoints } from './literal.js'
import type { Baseline } from './run.js'

/** The runs that the baselines of one verdict were read from. */
export interface Evidence {
  /** The union, newest first. */
  readonly runs: readonly string[]
  /** The runs of one baseline; null where they are simply the first n of `runs`. */
  runsUnlessFirst(baseline: Baseline): readonly string[] | null
}

/** Gathers the evidence of a verdict, so that it can be re-computed later, and a revocation can tell what rested on it. */
export function gatherEvidence(baselines: readonly Baseline[]): Evidence {
  const createdAt = new Map<string, string>()
  for (const { values } of baselines) for (const value of values) createdAt.set(value.runId, value.createdAt)
  const runs = [...createdAt]
    .sort(([idA, timeA], [idB, timeB]) => compareCodePoints(timeB, timeA) || compareCodePoints(idB, idA))
    .map(([runId]) => runId)
  return {
    runs,
    runsUnlessFirst({ values }) {
      if (values.every(({ runId }, i) => runId === runs[i])) return null
      return values.map(({ runId }) => runId)
    },
  }
}
