import type { Comparison } from './comparison.js'
import type { Rung } from './ladder.js'
import type { Score } from './score.js'

interface EpisodeContent {
  readonly episodeId: string
  /** The version that ran. */
  readonly variant: string
  /** Episodes of one group did the same task; only they are compared. */
  readonly groupId: string
  /** Where the variant stood when the episode was stored. */
  readonly rung: Rung
  readonly score: Score
  /** What a verifier said, where one was asked. */
  readonly verifierPassed: boolean | null
  /** In the caller's unit. */
  readonly cost: number | null
}

/** Evidence that decisions may use. */
export interface SelectionEpisode extends EpisodeContent {
  readonly split: 'selection'
}

/** Kept for the final audit; no decision may depend on it. */
export interface HeldOutEpisode extends EpisodeContent {
  readonly split: 'held_out'
}

export type Episode = SelectionEpisode | HeldOutEpisode

/**
 * All that brackets, tests, strengths and predicates receive. A held-out episode does not fit in: its split is another
 * literal type. A flag on one common type was rejected, because a forgotten filter would compile.
 */
export interface SelectionView {
  readonly episodes: readonly SelectionEpisode[]
  readonly comparisons: readonly Comparison[]
}

/** Leaves out the held-out episodes: the one way from what is stored to what decides. */
export function selectionView(
  episodes: readonly Episode[],
  comparisons: readonly Comparison[],
): SelectionView {
  return { episodes: episodes.filter(isSelection), comparisons }
}

function isSelection(episode: Episode): episode is SelectionEpisode {
  return episode.split === 'selection'
}
