import { createHash } from 'node:crypto'
import { toJson, wireInteger } from '../documents/json.js'
import { compareCodePoints } from '../gate/literal.js'
import type { ExportedRun } from '../store/exchange.js'

/**
 * The id of a run that was given none: of its content, so that the same line is the same run in every file, however
 * it is written. Trust plays no part, as it plays none where a store compares content: a run that was revoked and is
 * imported once more is not a second one.
 * @returns a UUID of version 8, which is for ids made by a rule of one's own
 */
export function deriveRunId({
  series,
  provenance,
  createdAt,
  values,
}: Pick<ExportedRun, 'series' | 'provenance' | 'createdAt' | 'values'>): string {
  const content = toJson([
    [series.testPath, series.backend, series.suite],
    [
      provenance.commitSha,
      provenance.prNumber,
      wireInteger(provenance.githubRunId),
      provenance.githubRunAttempt,
      provenance.eventName,
      provenance.ref,
    ],
    createdAt,
    [...values]
      .sort((a, b) => compareCodePoints(a.metricKey, b.metricKey) || a.step - b.step)
      .map(({ metricKey, step, value, stepsKey, constraintKey }) => [
        metricKey,
        step,
        value,
        stepsKey,
        constraintKey,
      ]),
  ])
  const digits = createHash('sha256').update(content).digest('hex').slice(0, 32)
  const variant = ((parseInt(digits[16]!, 16) & 0x3) | 0x8).toString(16)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-')
}
