import { GatehouseError } from '../errors.js'
import type { HistoryWriter } from '../store/store.js'
import type { SubmissionKey } from '../store/verdicts.js'

/** How the answers of one kind are found by their keys. */
export interface KeyedAnswers<Entry extends { readonly contentHash: string }, Answer> {
  find(key: SubmissionKey): Promise<Entry | null>
  read(entry: Entry): Promise<Answer | null>
  /** Why other content is refused, and the way out. */
  conflict(entry: Entry): string
}

/** The key that a client named, of one kind of request; belongs to the credential. */
export function clientKey(owner: string, key: string | null, kind = 'client'): SubmissionKey | null {
  return key === null ? null : { owner, key: `${kind}:${key}` }
}

/**
 * The first answer to a key, or null where nobody used it. A duplicate that arrives while the first is in flight waits
 * here for it, and no other can take the key until the transaction ends.
 * @throws GatehouseError idempotency_conflict
 */
export async function firstAnswer<Entry extends { readonly contentHash: string }, Answer>(
  writer: Pick<HistoryWriter, 'lockSubmissionKey'>,
  key: SubmissionKey,
  hash: string,
  answers: KeyedAnswers<Entry, Answer>,
): Promise<Answer | null> {
  await writer.lockSubmissionKey(key)
  return knownAnswer(key, hash, answers)
}

/** As `firstAnswer`, without waiting: what was answered by now. */
export async function knownAnswer<Entry extends { readonly contentHash: string }, Answer>(
  key: SubmissionKey,
  hash: string,
  answers: KeyedAnswers<Entry, Answer>,
): Promise<Answer | null> {
  const entry = await answers.find(key)
  if (entry === null) return null
  if (entry.contentHash !== hash) throw new GatehouseError('idempotency_conflict', answers.conflict(entry))
  return answers.read(entry)
}
