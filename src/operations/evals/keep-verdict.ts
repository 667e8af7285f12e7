import { uuidv7 } from 'uuidv7'
import type { Timestamp } from '../../gate/run.js'
import type { EvalKind, ItemPiece, StoredEvalVerdict } from '../../store/evals.js'
import type { HistoryReader, SubmissionKey } from '../../store/store.js'
import type { Gatehouse } from '../gatehouse.js'
import { firstAnswer, knownAnswer, type KeyedAnswers } from '../idempotency.js'
import type { Caller } from '../submission.js'

/** What is to be kept of a grid or a comparison. */
export interface Keeping<Head, Detail> {
  readonly kind: EvalKind
  readonly name: string | null
  readonly outcome: 'pass' | 'fail' | null
  /** What a list shows, given its id and time. */
  head(evalId: string, createdAt: Timestamp): Head
  readonly detail: Detail
  readonly rows: readonly ItemPiece[]
}

export interface KeyedHash {
  readonly key: SubmissionKey
  readonly hash: string
}

/** A document, and whether it is the one of an earlier request with the same key and content. */
export interface Kept<Document> {
  readonly document: Document
  readonly replayed: boolean
}

/**
 * Stores what was said of a grid or of two runs, once under its key.
 * @throws GatehouseError idempotency_conflict
 */
export async function keepVerdict<Head extends object, Detail extends object>(
  { store, log }: Gatehouse,
  { principal, requestId }: Caller,
  keeping: Keeping<Head, Detail>,
  keyed: KeyedHash | null,
): Promise<Kept<Head & Detail>> {
  const { kind, name, outcome, rows } = keeping
  const evalId = uuidv7()
  const detail = JSON.stringify(keeping.detail)
  const kept = await store.write(async (writer, attempt): Promise<Kept<Head & Detail>> => {
    // A retry may follow a commit whose answer was lost: then its own verdict is there.
    const own = attempt > 1 ? await writer.findEvalVerdict(kind, evalId) : null
    if (own !== null) return { document: documentOf(own), replayed: false }
    if (keyed !== null) {
      const first = await firstAnswer(writer, keyed.key, keyed.hash, answersOf<Head & Detail>(writer, kind))
      if (first !== null) return { document: first, replayed: true }
    }
    const createdAt = await writer.now()
    const head = keeping.head(evalId, createdAt)
    const text = JSON.stringify(head)
    await writer.writeEvalVerdict(
      { evalId, kind, createdAt, name, outcome, actor: principal.actor, head: text, detail },
      rows,
    )
    if (keyed !== null) await writer.writeEvalKey(keyed.key, { evalId, contentHash: keyed.hash, createdAt })
    return { document: { ...head, ...keeping.detail }, replayed: false }
  })
  if (!kept.replayed) {
    const fields = { actor: principal.actor, request_id: requestId, [`${kind}_id`]: evalId, name, outcome }
    log.info(fields, `${kind} stored`)
  }
  return kept
}

/** The answer of an earlier request with this key, or null. @throws GatehouseError idempotency_conflict */
export function replayOf<Document>(
  reader: HistoryReader,
  kind: EvalKind,
  { key, hash }: KeyedHash,
): Promise<Document | null> {
  return knownAnswer(key, hash, answersOf<Document>(reader, kind))
}

export function documentOf<Document>({ head, detail }: StoredEvalVerdict): Document {
  return { ...(JSON.parse(head) as object), ...(JSON.parse(detail) as object) } as Document
}

function answersOf<Document>(
  reader: HistoryReader,
  kind: EvalKind,
): KeyedAnswers<{ readonly evalId: string; readonly contentHash: string }, Document> {
  return {
    find: (key) => reader.findEvalKey(key),
    read: async ({ evalId }) => {
      const stored = await reader.findEvalVerdict(kind, evalId)
      return stored && documentOf(stored)
    },
    conflict: ({ evalId }) =>
      `this Idempotency-Key belongs to a ${kind} with other content (${evalId}); if this is another one, send another key`,
  }
}
