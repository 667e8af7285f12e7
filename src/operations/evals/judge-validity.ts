import type { JudgeValidityDocument } from '../../documents/evals-validity.js'
import { invalidInput } from '../../errors.js'
import { judgeValidity, type ValidityRequest } from '../../evals/judge-validity.js'

/**
 * How well a judge agrees with people; nothing is stored.
 * @throws GatehouseError invalid_input
 */
export function checkJudge(request: ValidityRequest): JudgeValidityDocument {
  const judged = judgeValidity(request)
  if (!judged.ok) throw invalidInput(judged.faults)
  const { result, outcome, n, agreement, interval, kappa } = judged.value
  return {
    result,
    outcome,
    n,
    agreement,
    interval: [interval.low, interval.high],
    kappa,
    min_agreement: request.minAgreement,
    confidence: request.confidence,
    on_inconclusive: request.onInconclusive,
  }
}
