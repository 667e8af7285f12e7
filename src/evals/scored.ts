import type { EvalRun, Judge, Question } from './eval-run.js'
import { foldMember } from './identity.js'
import { isScore } from './scores.js'

export interface ScoredQuestion extends Question {
  readonly contextScore: number
  readonly baselineScore: number
}

/** Decides which questions of a run are scored. */
export function scoredIn({
  judge,
}: Pick<EvalRun, 'judge'>): (question: Question) => question is ScoredQuestion {
  const panel = panelOf(judge)
  return (question): question is ScoredQuestion =>
    !question.errored &&
    isScore(question.contextScore) &&
    isScore(question.baselineScore) &&
    (panel === null || hasEveryVote(question, panel))
}

/** By member as written, so that each name is folded once. */
interface PanelMembers {
  readonly folded: ReadonlySet<string>
  readonly byName: Map<string, string>
}

function panelOf(judge: Judge): PanelMembers | null {
  if (judge.kind === 'single') return null
  const byName = new Map(judge.members.map((member) => [member, foldMember(member)]))
  return { folded: new Set(byName.values()), byName }
}

/** Every member voted, and no vote of a member failed. Votes of others say nothing. */
function hasEveryVote({ votes }: Question, { folded, byName }: PanelMembers): boolean {
  const voted = new Set<string>()
  for (const { member, score, error } of votes ?? []) {
    const name = byName.get(member) ?? foldMember(member)
    if (!folded.has(name)) continue
    if ((error !== null && error !== undefined) || !isScore(score)) return false
    voted.add(name)
  }
  return voted.size === folded.size
}
