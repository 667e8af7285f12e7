import { textOf, type Verdict } from '../../operations/evals/keep-verdict.js'
import type { EvalAnswer } from '../send-eval.js'
import type { EvalDesk } from './eval-desk.js'

/**
 * What a kept verdict is answered by. Its JSON is the text that is kept; for the other forms that text, which lists
 * 50,000 tasks perhaps, is read again.
 */
export function verdictAnswer(
  desk: EvalDesk,
  kind: 'grid' | 'comparison',
  verdict: Verdict<object>,
): Pick<EvalAnswer, 'json' | 'markdown' | 'junit'> {
  return {
    json: () => textOf(verdict),
    markdown: () => desk.render(`${kind} markdown`, verdict),
    junit: () => desk.render(`${kind} junit`, verdict),
  }
}
