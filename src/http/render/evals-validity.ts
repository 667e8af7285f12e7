import type { JudgeValidityDocument } from '../../documents/evals-validity.js'
import { distinctNumbers, NO_VALUE, shortNumber } from '../../charts/numbers.js'

/** How well a judge agrees with people, as a GitHub job summary. */
export function renderValidityMarkdown(validity: JudgeValidityDocument): string {
  const { result, outcome, n, agreement, interval, kappa, min_agreement: minimum, confidence } = validity
  const word = result.toUpperCase()
  const headline =
    result === 'inconclusive'
      ? `${word}, which counts as ${outcome}`
      : result === 'invalid'
        ? `FAIL, ${word}`
        : word
  const [low, high, least] = distinctNumbers([...interval, minimum])
  return [
    `## Gatehouse: ${headline}`,
    '',
    `- **Agreement:** ${shortNumber(agreement)} of ${n} items; at least ${least} is wanted`,
    `- **${Number((confidence * 100).toPrecision(6))} % interval (Wilson):** ${low} … ${high}`,
    `- **Cohen's kappa:** ${kappa === null ? `${NO_VALUE} (one label only)` : shortNumber(kappa)}`,
    '',
  ].join('\n')
}
