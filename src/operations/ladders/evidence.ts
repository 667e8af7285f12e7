import { compareCodePoints } from '../../gate/literal.js'
import type { DriftFact, DriftFacts } from '../../promotion/context.js'
import type { DriftSeries } from '../../promotion/config.js'
import { gatherEvidence, resultsAgainstLive, type Evidence } from '../../promotion/evidence.js'
import { isChallenger, type Ladder, type LivePointer } from '../../promotion/ladder.js'
import { runTest, type TestState } from '../../promotion/sequential-test.js'
import type { CommitRun, LadderQueries, StoredComparison } from '../../store/ladders.js'

/**
 * What decisions read of a ladder: its selection episodes added up, and the comparisons issued under the present live
 * version, which are the only ones that count. However long a ladder lives, that is all that one evaluation reads.
 */
export async function readEvidence(reader: LadderQueries, { name, config, live }: Ladder): Promise<Evidence> {
  // Only the ramp of a tournament asks for costs.
  const byVariant = await reader.sumUpEpisodes(name, { costs: config.mode === 'tournament' })
  const comparisons = await reader.listComparisons(name, { generation: live.generation })
  return {
    byVariant,
    comparisons: standing(comparisons),
    sequence: await reader.newestResult(name),
  }
}

/** The state of the test of a challenger against the version that was live when the comparisons were issued. */
export function testState(
  { config }: Ladder,
  comparisons: readonly StoredComparison[],
  challenger: string,
  against: LivePointer,
): TestState {
  const evidence = { byVariant: new Map(), comparisons: standing(comparisons), sequence: 0 }
  const results = resultsAgainstLive(evidence, challenger, against)
  return runTest(
    config.test,
    results.map(({ standing }) => standing),
  )
}

/** With a result, not voided, in the order of results: what a store says of voiding, it says of the comparison itself. */
function standing(comparisons: readonly StoredComparison[]) {
  return gatherEvidence({ episodes: [], comparisons }).comparisons
}

/** How the drift series of a ladder stand for each variant that may still become live; read anew each time. */
export async function readDrift(reader: LadderQueries, ladder: Ladder): Promise<DriftFacts> {
  const { driftSeries } = ladder.config
  if (driftSeries.length === 0) return new Map()
  const waiting = ladder.variants.filter(
    (variant) => variant.commitSha !== null && (variant.rung === 'registered' || isChallenger(variant)),
  )
  const commits = [...new Set(waiting.flatMap(({ commitSha }) => (commitSha === null ? [] : [commitSha])))]
  const runs = await reader.runsOfCommits(commits)
  return new Map(
    waiting.map(({ version, commitSha }) => {
      const own = runs.filter((run) => run.commitSha === commitSha)
      return [version, driftSeries.map((series): DriftFact => ({ series, run: newestOf(series, own) }))]
    }),
  )
}

function newestOf({ testPath, backend, suite }: DriftSeries, runs: readonly CommitRun[]): CommitRun | null {
  const inSeries = runs.filter(
    ({ series }) => series.testPath === testPath && series.backend === backend && series.suite === suite,
  )
  return inSeries.reduce<CommitRun | null>(
    (newest, run) => (newest === null || isNewer(run, newest) ? run : newest),
    null,
  )
}

function isNewer(one: CommitRun, other: CommitRun): boolean {
  const byTime = compareCodePoints(one.createdAt, other.createdAt)
  return byTime > 0 || (byTime === 0 && compareCodePoints(one.runId, other.runId) > 0)
}
