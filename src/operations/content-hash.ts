import { createHash } from 'node:crypto'
import { toJson } from '../documents/json.js'
import type { Declaration } from '../gate/declarations.js'
import type { Cadence, Provenance, Series } from '../gate/run.js'
import { encodeProvenance, encodeSeries } from './encode.js'

/** What makes two submissions the same one. */
export interface SubmissionContent {
  readonly series: Series
  readonly provenance: Provenance
  readonly cadence: Cadence
  readonly declarations: readonly Declaration[]
  /** Of the merged record, as `planRecord` tells it. */
  readonly recordDigest: string
}

/**
 * SHA-256 (hex) of a submission's content, so that a retry is told from a conflict. Content, not bytes: the form it
 * came in, how the record was spread over files, and the lines of the test file play no part.
 */
export function contentHash(content: SubmissionContent): string {
  const hash = createHash('sha256')
  const { series, provenance, cadence, declarations, recordDigest } = content
  hash.update(
    toJson([
      encodeSeries(series),
      // An absent attempt is the first one, as in the natural key.
      { ...encodeProvenance(provenance), github_run_attempt: provenance.githubRunAttempt ?? 1 },
      cadence,
      declarations.map(({ metricKey, stepsKey, constraintKey, enforce }) => [
        metricKey,
        stepsKey,
        constraintKey,
        enforce,
      ]),
    ]),
  )
  hash.update(recordDigest)
  return hash.digest('hex')
}

/** SHA-256 (hex) of a text. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
