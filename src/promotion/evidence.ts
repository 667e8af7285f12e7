import { cappedEpisodes, isStanding, standingOf, type Comparison, type Standing } from './comparison.js'
import type { SelectionEpisode, SelectionView } from './episode.js'
import { isCapped } from './score.js'

/** What a variant's selection episodes say. No score is among it: decisions read the tag `capped` and no number. */
export interface VariantEvidence {
  readonly episodes: number
  readonly shadowEpisodes: number
  /** The ids of capped episodes. */
  readonly capped: readonly string[]
  readonly verified: { readonly n: number; readonly passed: number }
  /** The mean cost of the `n` episodes that have one; null where none has. */
  readonly cost: { readonly n: number; readonly mean: number | null }
}

/** All evidence of a ladder, summed up. Made from a selection view alone, so that held-out episodes cannot be in it. */
export interface Evidence {
  readonly byVariant: ReadonlyMap<string, VariantEvidence>
  /** Those with a result that stand, in the order of their results. */
  readonly comparisons: readonly Comparison[]
  /** The newest result of the ladder; 0 before the first. */
  readonly sequence: number
}

const NO_EPISODES: VariantEvidence = {
  episodes: 0,
  shadowEpisodes: 0,
  capped: [],
  verified: { n: 0, passed: 0 },
  cost: { n: 0, mean: null },
}

/** The order of the rows in the view plays no part. */
export function gatherEvidence(view: SelectionView): Evidence {
  const byVersion = new Map<string, SelectionEpisode[]>()
  for (const episode of view.episodes) {
    const known = byVersion.get(episode.variant)
    if (known) known.push(episode)
    else byVersion.set(episode.variant, [episode])
  }
  const capped = cappedEpisodes(view.episodes)
  return {
    byVariant: new Map([...byVersion].map(([version, episodes]) => [version, sumUp(episodes)])),
    comparisons: view.comparisons
      .filter((comparison) => comparison.sequence !== null && isStanding(comparison, capped))
      .sort((left, right) => left.sequence! - right.sequence!),
    sequence: view.comparisons.reduce((newest, { sequence }) => Math.max(newest, sequence ?? 0), 0),
  }
}

function sumUp(episodes: readonly SelectionEpisode[]): VariantEvidence {
  const verified = episodes.filter(({ verifierPassed }) => verifierPassed !== null)
  const costs = episodes.flatMap(({ cost }) => (cost === null ? [] : [cost]))
  return {
    episodes: episodes.length,
    shadowEpisodes: episodes.filter(({ rung }) => rung === 'shadow').length,
    capped: episodes
      .filter(({ score }) => isCapped(score))
      .map(({ episodeId }) => episodeId)
      .sort(),
    verified: {
      n: verified.length,
      passed: verified.filter(({ verifierPassed }) => verifierPassed === true).length,
    },
    cost: meanOf(costs),
  }
}

/** The mean of costs, whatever their order: a sum in another one may differ in its last bit. */
export function meanOf(costs: readonly number[]): VariantEvidence['cost'] {
  if (costs.length === 0) return { n: 0, mean: null }
  const n = costs.length
  const sorted = [...costs].sort((a, b) => a - b)
  const mean = sorted.reduce((total, cost) => total + cost, 0) / n
  // The sum of the largest numbers is none any more, and their mean is.
  return { n, mean: Number.isFinite(mean) ? mean : sorted.reduce((total, cost) => total + cost / n, 0) }
}

export function evidenceOf(evidence: Evidence, version: string): VariantEvidence {
  return evidence.byVariant.get(version) ?? NO_EPISODES
}

export interface Result {
  readonly sequence: number
  readonly groupId: string
  readonly standing: Standing
}

/** A challenger's results against the live version, of comparisons issued while that version was live this time. */
export function resultsAgainstLive(
  evidence: Evidence,
  challenger: string,
  live: { readonly version: string; readonly generation: number },
): Result[] {
  return evidence.comparisons.flatMap((comparison) => {
    const { a, b, generation, groupId, sequence } = comparison
    if (generation !== live.generation || (a.variant !== live.version && b.variant !== live.version))
      return []
    const standing = standingOf(comparison, challenger)
    return standing === null ? [] : [{ sequence: sequence!, groupId, standing }]
  })
}
