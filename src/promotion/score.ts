/**
 * What a grader says of an episode. A core (safety) violation caps the score: it takes the number away instead of
 * subtracting from it. With a penalty, enough speed would buy a violation; what has no number cannot be bought past.
 */
export type Score = ScoredScore | CappedScore

export interface ScoredScore {
  readonly kind: 'scored'
  readonly value: number
}

export interface CappedScore {
  readonly kind: 'capped'
  /** What was violated, for people; the rules read the tag alone. */
  readonly violations: readonly string[]
}

/** Whether a core violation capped this score. Reads the tag and never a number. */
export function isCapped(score: Score): score is CappedScore {
  return score.kind === 'capped'
}
