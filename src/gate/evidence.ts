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
  for (const shared of new Set(baselines.map((baseline) => baseline.runs)))
    for (const run of shared) createdAt.set(run.runId, run.createdAt)
  const runs = [...createdAt]
    .sort(([idA, timeA], [idB, timeB]) => compareCodePoints(timeB, timeA) || compareCodePoints(idB, idA))
    .map(([runId]) => runId)
  const known = new Map<Baseline['runs'], readonly string[] | null>()
  const namesOf = (own: Baseline['runs']) =>
    own.every(({ runId }, i) => runId === runs[i]) ? null : own.map(({ runId }) => runId)
  return {
    runs,
    runsUnlessFirst({ runs: own }) {
      let names = known.get(own)
      if (names === undefined) known.set(own, (names = namesOf(own)))
      return names
    },
  }
}
