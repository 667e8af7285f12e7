import { fitBradleyTerry } from './bradley-terry.js'
import type { SelectionView } from './episode.js'
import { gatherEvidence, resultsAgainstLive } from './evidence.js'
import type { Ladder } from './ladder.js'
import { runTest, type TestState } from './sequential-test.js'
import { strengthsOf, tallyPairs, type Strengths } from './strengths.js'

/** How the test of a challenger against the present live version stands, as evaluations see it. */
export function testOf(ladder: Ladder, view: SelectionView, challenger: string): TestState {
  const results = resultsAgainstLive(gatherEvidence(view), challenger, ladder.live)
  return runTest(
    ladder.config.test,
    results.map(({ standing }) => standing),
  )
}

/**
 * Strengths from every comparison that stands, whoever was live when it was issued: how good versions are is no matter
 * of who was live. (The predicate `beats_current` reads those of the present live version alone.)
 */
export function strengthsFrom(view: SelectionView): Strengths {
  return strengthsOf(fitBradleyTerry(tallyPairs(gatherEvidence(view).comparisons)))
}
