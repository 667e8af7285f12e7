import type { SelectionEpisode } from './episode.js'
import { isCapped } from './score.js'

export type Winner = 'a' | 'b' | 'tie' | 'error'

export interface Side {
  readonly variant: string
  readonly episodeId: string
}

/** Two episodes of one group, put before a judge. */
export interface Comparison {
  readonly comparisonId: string
  readonly groupId: string
  /** The generation of the live pointer when it was issued: evidence counts against that live version only. */
  readonly generation: number
  readonly a: Side
  readonly b: Side
  /** null until a result is posted. */
  readonly winner: Winner | null
  /** The place of its result among all results of the ladder, from 1 upwards; null until one is posted. */
  readonly sequence: number | null
  /** Set when an episode of it was capped afterwards. */
  readonly voided: boolean
}

/** What a result means for one of the two variants. An `error` is no evidence; a tie is counted, and decides nothing. */
export type Standing = 'win' | 'loss' | 'tie' | 'error'

/** @returns null where there is no result, or the variant takes no part */
export function standingOf(comparison: Comparison, variant: string): Standing | null {
  const { winner, a, b } = comparison
  if (winner === null || (a.variant !== variant && b.variant !== variant)) return null
  if (winner === 'tie' || winner === 'error') return winner
  return comparison[winner].variant === variant ? 'win' : 'loss'
}

/** Whether a comparison counts anywhere: not voided, and none of its episodes is capped (whether or not it was marked yet). */
export function isStanding(comparison: Comparison, capped: ReadonlySet<string>): boolean {
  return !comparison.voided && !capped.has(comparison.a.episodeId) && !capped.has(comparison.b.episodeId)
}

/** The comparisons to mark as voided, because an episode was capped after they were issued. */
export function voidedByCaps(
  comparisons: readonly Comparison[],
  episodes: readonly SelectionEpisode[],
): string[] {
  const capped = cappedEpisodes(episodes)
  return comparisons
    .filter((comparison) => !comparison.voided && !isStanding(comparison, capped))
    .map(({ comparisonId }) => comparisonId)
}

/** The ids of capped episodes. */
export function cappedEpisodes(episodes: readonly SelectionEpisode[]): Set<string> {
  return new Set(episodes.filter(({ score }) => isCapped(score)).map(({ episodeId }) => episodeId))
}

/**
 * What to do with a posted result.
 * @returns `store` a first result, `same` for its repetition; `different` and `voided` are conflicts
 */
export function admitResult(
  comparison: Comparison,
  winner: Winner,
  capped: ReadonlySet<string>,
): 'store' | 'same' | 'different' | 'voided' {
  if (!isStanding(comparison, capped)) return 'voided'
  if (comparison.winner === null) return 'store'
  return comparison.winner === winner ? 'same' : 'different'
}

/** How the comparisons of a variant went, for people. Errors and open comparisons are in none of the numbers. */
export function comparisonRecord(
  comparisons: readonly Comparison[],
  variant: string,
): { won: number; lost: number; tied: number; voided: number } {
  const record = { won: 0, lost: 0, tied: 0, voided: 0 }
  for (const comparison of comparisons) {
    if (comparison.voided && (comparison.a.variant === variant || comparison.b.variant === variant))
      record.voided += 1
    else {
      const standing = standingOf(comparison, variant)
      if (standing === 'win') record.won += 1
      else if (standing === 'loss') record.lost += 1
      else if (standing === 'tie') record.tied += 1
    }
  }
  return record
}
