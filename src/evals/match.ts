import { compareCodePoints } from '../gate/literal.js'
import type { Fault } from '../gate/outcome.js'
import { shown } from '../gate/text.js'
import type { ComparisonRequest, QuestionCounts } from './comparison.js'
import type { EvalRun } from './eval-run.js'
import { FirstItems } from './first-items.js'
import { scoredIn, type ScoredQuestion } from './scored.js'
import { SLICE, type Sliced } from './slices.js'

const MAX_FAULTS = 100

export interface MatchedPair {
  readonly baseline: ScoredQuestion
  readonly current: ScoredQuestion
}

export interface Matched {
  readonly faults: readonly Fault[]
  readonly pairs: readonly MatchedPair[]
  readonly questions: QuestionCounts
}

/** Pairs the questions that are scored on both sides, and lists the others. */
export function* matchQuestions(
  { baseline, current }: Pick<ComparisonRequest, 'baseline' | 'current'>,
  listLimit: number,
): Sliced<Matched> {
  const before = yield* readSide(baseline, 'baseline', listLimit)
  const after = yield* readSide(current, 'current', listLimit)
  const onlyBaseline = new FirstItems(listLimit, compareCodePoints)
  const onlyCurrent = new FirstItems(listLimit, compareCodePoints)
  const pairs: MatchedPair[] = []
  let steps = 0
  for (const [id, question] of before.scored) {
    if (++steps % SLICE === 0) yield
    const other = after.scored.get(id)
    if (other === undefined) onlyBaseline.push(id)
    else pairs.push({ baseline: question, current: other })
  }
  for (const id of after.scored.keys()) {
    if (++steps % SLICE === 0) yield
    if (!before.scored.has(id)) onlyCurrent.push(id)
  }
  return {
    faults: [...before.faults, ...after.faults],
    pairs,
    questions: {
      baseline: baseline.questions.length,
      current: current.questions.length,
      matched: pairs.length,
      onlyBaseline: onlyBaseline.list(),
      onlyCurrent: onlyCurrent.list(),
      unscoredBaseline: before.unscored.list(),
      unscoredCurrent: after.unscored.list(),
    },
  }
}

function* readSide(run: EvalRun, where: string, listLimit: number) {
  const faults: Fault[] = []
  const scored = new Map<string, ScoredQuestion>()
  const unscored = new FirstItems(listLimit, compareCodePoints)
  const ids = new Set<string>()
  const isScored = scoredIn(run)
  if (run.questions.length === 0)
    faults.push({ where: `${where}/questions`, message: 'is empty; an empty run compares with nothing' })
  if (run.judge.kind === 'panel' && run.judge.members.length === 0)
    faults.push({ where: `${where}/judge/members`, message: 'is empty; a panel has at least one member' })
  for (const [index, question] of run.questions.entries()) {
    if (index % SLICE === SLICE - 1) yield
    const { questionId } = question
    if (ids.has(questionId)) {
      const message = `${shown(questionId)} is the id of an earlier question; scores of one id cannot be told apart`
      if (faults.length < MAX_FAULTS)
        faults.push({ where: `${where}/questions/${index}/question_id`, message })
      continue
    }
    ids.add(questionId)
    if (isScored(question)) scored.set(questionId, question)
    else unscored.push(questionId)
  }
  return { faults, scored, unscored }
}
