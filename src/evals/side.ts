import { compareCodePoints } from '../gate/literal.js'
import type { Fault } from '../gate/outcome.js'
import { shown } from '../gate/text.js'
import type { Listed } from '../replay/report.js'
import type { EvalRun } from './eval-run.js'
import { FirstItems } from './first-items.js'
import { scoredIn, type ScoredQuestion } from './scored.js'
import { SLICE, type Sliced } from '../gate/slices.js'

const MAX_FAULTS = 100

/** The questions of one run, by whether they count. */
export interface Side {
  readonly faults: readonly Fault[]
  readonly scored: ReadonlyMap<string, ScoredQuestion>
  /** By code point. */
  readonly unscored: Listed<string>
}

/**
 * Sorts the questions of a run into those that are scored and those that are not, and finds what makes it no run at all.
 * @param where the run's own place in the request; empty where it is the request
 */
export function* readSide(run: EvalRun, where: string, listLimit: number): Sliced<Side> {
  const at = where === '' ? '' : `${where}/`
  const faults: Fault[] = []
  const scored = new Map<string, ScoredQuestion>()
  const unscored = new FirstItems(listLimit, compareCodePoints)
  const ids = new Set<string>()
  const isScored = scoredIn(run)
  if (run.questions.length === 0)
    faults.push({ where: `${at}questions`, message: 'is empty; an empty run compares with nothing' })
  if (run.judge.kind === 'panel' && run.judge.members.length === 0)
    faults.push({ where: `${at}judge/members`, message: 'is empty; a panel has at least one member' })
  for (const [index, question] of run.questions.entries()) {
    if (index % SLICE === SLICE - 1) yield
    const { questionId } = question
    if (ids.has(questionId)) {
      const message = `${shown(questionId)} is the id of an earlier question; scores of one id cannot be told apart`
      if (faults.length < MAX_FAULTS) faults.push({ where: `${at}questions/${index}/question_id`, message })
      continue
    }
    ids.add(questionId)
    if (isScored(question)) scored.set(questionId, question)
    else unscored.push(questionId)
  }
  return { faults, scored, unscored: unscored.list() }
}
