import { shown } from '../gate/text.js'
import type { Comparison, GateResult, QuestionCounts } from './comparison.js'
import type { Identity } from './identity.js'

/** Ids that a sentence names. */
const NAMED = 5

/** Why evidence for a gate is not complete; empty where it is. */
export function whyIncomparable(
  identity: Comparison['identity'],
  questions: QuestionCounts,
  minMatched: number,
): string[] {
  const reasons = whyNotSame(identity)
  for (const [side, other, { items, total }] of [
    ['baseline', 'current', questions.onlyBaseline],
    ['current', 'baseline', questions.onlyCurrent],
  ] as const) {
    if (total === 0) continue
    const names = items.slice(0, NAMED).map((id) => shown(id, 40))
    const more = total > names.length ? `, … (${total} in all)` : ''
    reasons.push(`scored in ${side} and not in ${other}: ${names.join(', ')}${more}`)
  }
  if (questions.matched < minMatched)
    reasons.push(`${questions.matched} questions match, and at least ${minMatched} must (min_matched)`)
  return reasons
}

/** Why the two sides were not answered and judged by the same; empty where they were. */
export function whyNotSame({ answer, judge }: Comparison['identity']): string[] {
  return [...identityReason('answer model', answer), ...identityReason('judge', judge)]
}

function identityReason(what: string, identity: Identity): string[] {
  if (identity === 'same') return []
  return identity === 'different'
    ? [`the ${what} of the two runs is not the same`]
    : [`the ${what} is not recorded on both sides: blank, unknown, or without its provider`]
}

export function whyRegression(gates: readonly GateResult[]): string[] {
  return gates
    .filter(({ status }) => status === 'regression')
    .map(({ gate, meanDrop, limit }) => `${gate}: the mean drop ${meanDrop} is above the limit ${limit}`)
}

export function whyUndecided(gates: readonly GateResult[]): string[] {
  return gates
    .filter(({ status }) => status === 'undecided')
    .map(
      ({ gate, meanDrop, limit, interval }) =>
        `${gate}: the mean drop ${meanDrop} is within the limit ${limit}, and its interval reaches ${interval?.high}`,
    )
}
