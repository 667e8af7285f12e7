import { accepted, type Outcome } from '../gate/outcome.js'
import type { Comparison, ComparisonRequest, ComparisonResult, GateResult } from './comparison.js'
import { whyIncomparable, whyUndecided, whyRegression, whyNotSame } from './comparison-reasons.js'
import { commonPlaces } from './decimals.js'
import { computeDrops } from './drops.js'
import { LIST_LIMIT } from './first-items.js'
import { checkGates, gatesOf, judgeGate } from './gates.js'
import { compareJudges, compareModels } from './identity.js'
import { RESAMPLES } from './interval.js'
import { matchQuestions } from './match.js'
import type { OnInconclusive } from './scores.js'
import type { Sliced } from '../gate/slices.js'

/**
 * Did the scores of one run regress against another? The order of the questions plays no part.
 *
 * With any gate on, evidence must be complete: every question scored on one side is scored on the other, both
 * identities are the same, and enough questions match. Otherwise the two are incomparable, which fails.
 * @returns the comparison, or what is wrong with the request
 */
export function* compareRuns(
  request: ComparisonRequest,
  { listLimit = LIST_LIMIT, resamples = RESAMPLES } = {},
): Sliced<Outcome<Comparison>> {
  const gates = gatesOf(request.gates)
  const matched = yield* matchQuestions(request, listLimit)
  const faults = [...checkGates(request.gates), ...matched.faults]
  if (faults.length > 0) return { ok: false, faults }
  const { pairs, questions } = matched
  const identity = {
    answer: compareModels(request.baseline.answerModel, request.current.answerModel),
    judge: compareJudges(request.baseline.judge, request.current.judge),
  }
  const drops = yield* computeDrops(pairs, commonPlaces(gates.map(({ limit }) => limit)))
  const obstacles =
    gates.length > 0
      ? whyIncomparable(identity, questions, request.gates.minMatched ?? 1)
      : request.strict
        ? whyNotSame(identity)
        : []
  const judged: GateResult[] = []
  for (const gate of gates) judged.push(yield* judgeGate(gate, drops, obstacles.length === 0, resamples))
  const result = resultOf(judged, obstacles)
  return accepted({
    result,
    outcome: outcomeOf(result, request.onInconclusive),
    identity,
    questions,
    means: drops.means,
    gates: judged,
    reasons: [...obstacles, ...whyRegression(judged), ...whyUndecided(judged)],
  })
}

/** Incomparable before regression before inconclusive before pass: no later gate hides an earlier failure. */
function resultOf(gates: readonly GateResult[], obstacles: readonly string[]): ComparisonResult {
  if (obstacles.length > 0) return 'incomparable'
  if (gates.length === 0) return 'report'
  if (gates.some(({ status }) => status === 'regression')) return 'regression'
  return gates.some(({ status }) => status === 'undecided') ? 'inconclusive' : 'pass'
}

function outcomeOf(result: ComparisonResult, onInconclusive: OnInconclusive): 'pass' | 'fail' | null {
  switch (result) {
    case 'report':
      return null
    case 'pass':
      return 'pass'
    case 'inconclusive':
      return onInconclusive
    case 'regression':
    case 'incomparable':
      return 'fail'
  }
}
