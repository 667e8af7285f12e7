/** Under which key a submission counts once, and what was answered under it before. */
import type { VerdictDocument } from '../documents/verdict.js'
import type { HistoryWriter } from '../store/store.js'
import type { SubmissionKey } from '../store/verdicts.js'
import { MAX_SUBMISSION_KEY_BYTES } from '../store/write-checks.js'
import { textHash } from './content-hash.js'
import { clientKey, firstAnswer } from './idempotency.js'
import type { Submission } from './submission.js'
import { documentOf } from './verdict-document.js'

/**
 * The key that makes a repeated submission harmless, or null where nothing tells one run from another.
 * @param owner whose key it is
 * @param clientsOwn the Idempotency-Key of the request; without one a submission with a GitHub run id has its natural one
 */
export function keyOf(
  { series, provenance }: Submission,
  owner: string,
  clientsOwn: string | null,
): SubmissionKey | null {
  if (clientsOwn !== null) return clientKey(owner, clientsOwn)
  const { githubRunId, githubRunAttempt } = provenance
  if (githubRunId === null) return null
  const { testPath, backend, suite } = series
  const parts = [testPath, backend, suite, githubRunId.toString(), githubRunAttempt ?? 1]
  const key = `run:${JSON.stringify(parts)}`
  // Escapes make the text longer than the names are, control characters sixfold: beyond what an index entry holds.
  const fits = Buffer.byteLength(owner + key) <= MAX_SUBMISSION_KEY_BYTES
  return { owner, key: fits ? key : `run:${textHash(key)}` }
}

/** The verdict of an earlier submission under the same key; null where there is none. */
export function repeatedVerdict(
  writer: HistoryWriter,
  key: SubmissionKey,
  hash: string,
): Promise<VerdictDocument | null> {
  return firstAnswer(writer, key, hash, {
    find: () => writer.findKeyedVerdict(key),
    read: async ({ verdictId }) => {
      const stored = await writer.findVerdict(verdictId)
      return stored && documentOf(stored)
    },
    conflict: ({ verdictId }) => {
      const [named, wayOut] = key.key.startsWith('client:')
        ? ['this Idempotency-Key', 'if this is another run, send another key']
        : [
            'this run (series, github_run_id and github_run_attempt)',
            'if this is another run (a matrix leg that shares all three, say), send an Idempotency-Key of its own',
          ]
      return `${named} belongs to a submission with other content (verdict ${verdictId}); ${wayOut}`
    },
  })
}
