import { resultsAgainstLive, type Evidence, type Result } from './evidence.js'
import type { LivePointer } from './ladder.js'
import { runTest, type TestConfig, type TestState } from './sequential-test.js'
import { fitBradleyTerry, type BradleyTerryFit } from './bradley-terry.js'
import { difference, tallyPairs, type Difference } from './strengths.js'

/**
 * Reads the evidence, each question once: an evaluation asks the same of a variant several times, and a test over all
 * its comparisons is the dearest of its answers.
 */
export interface Readings {
  results(challenger: string, live: LivePointer): readonly Result[]
  test(challenger: string, live: LivePointer): TestState
  /** The challenger's strength beside the live version's, from all comparisons issued under this live version. */
  lead(challenger: string, live: LivePointer): Difference
}

export function readings(config: TestConfig, evidence: Evidence): Readings {
  const fits = new Map<number, BradleyTerryFit>()
  const results = remembered((challenger, live) => resultsAgainstLive(evidence, challenger, live))
  return {
    results,
    test: remembered((challenger, live) =>
      runTest(
        config,
        results(challenger, live).map(({ standing }) => standing),
      ),
    ),
    lead: remembered((challenger, live) => {
      const fit = fits.get(live.generation) ?? fitGeneration(evidence, live.generation)
      fits.set(live.generation, fit)
      return difference(fit, challenger, live.version)
    }),
  }
}

function fitGeneration({ comparisons }: Evidence, live: number): BradleyTerryFit {
  return fitBradleyTerry(tallyPairs(comparisons.filter(({ generation }) => generation === live)))
}

function remembered<Answer>(read: (challenger: string, live: LivePointer) => Answer) {
  const known = new Map<string, Answer>()
  return (challenger: string, live: LivePointer): Answer => {
    const key = JSON.stringify([challenger, live.version, live.generation])
    const answer = known.get(key) ?? read(challenger, live)
    known.set(key, answer)
    return answer
  }
}
