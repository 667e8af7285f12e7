import { compareCodePoints } from '../gate/literal.js'
import type { Fault } from '../gate/outcome.js'
import type { ComparisonRequest, QuestionCounts } from './comparison.js'
import { FirstItems } from './first-items.js'
import type { ScoredQuestion } from './scored.js'
import { readSide } from './side.js'
import { SLICE, type Sliced } from '../gate/slices.js'

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
      unscoredBaseline: before.unscored,
      unscoredCurrent: after.unscored,
    },
  }
}
