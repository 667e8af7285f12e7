/** The drops of the questions that both runs scored. */
import type { EvalRun, Question } from '../../api/types'

/** The score with the context, or what the context adds to the one without it. */
export type Measure = 'context' | 'lift'

export interface Drop {
  readonly question: string
  readonly before: number
  readonly after: number
  readonly drop: number
}

export function dropsOf(baseline: EvalRun, current: EvalRun, measure: Measure): readonly Drop[] {
  const isScoredBefore = scoredIn(baseline)
  const isScoredAfter = scoredIn(current)
  const after = new Map(
    current.questions
      .filter(isScoredAfter)
      .map((question) => [question.question_id, scoreOf(question, measure)]),
  )
  return baseline.questions.filter(isScoredBefore).flatMap((question) => {
    const [was, is] = [scoreOf(question, measure), after.get(question.question_id)]
    return is === undefined
      ? []
      : [{ question: question.question_id, before: was, after: is, drop: exact(was - is) }]
  })
}

/** Under a panel each member has to have voted; what a single judge did is in the scores. */
function scoredIn({ judge }: EvalRun): (question: Question) => boolean {
  const members = judge.kind === 'panel' ? new Set(judge.members.map(folded)) : null
  return ({ errored, context_score: context, baseline_score: baseline, votes }) => {
    if (errored || typeof context !== 'number' || typeof baseline !== 'number') return false
    if (members === null) return true
    const voted = new Set<string>()
    for (const { member, score, error } of votes ?? []) {
      if (!members.has(folded(member))) continue
      if (error !== null || typeof score !== 'number') return false
      voted.add(folded(member))
    }
    return voted.size === members.size
  }
}

/** Members are told apart without case and outer spaces. */
function folded(member: string): string {
  return member.trim().toLowerCase()
}

function scoreOf({ context_score: context, baseline_score: baseline }: Question, measure: Measure): number {
  return measure === 'context' ? (context as number) : exact((context as number) - (baseline as number))
}

const DIGITS = 12

/** Scores are decimals; 6.9 - 6.8 is a little more than 0.1 in doubles. */
function exact(difference: number): number {
  return Number(difference.toPrecision(DIGITS))
}
