import { uuidv7 } from 'uuidv7'
import type { Timestamp } from '../../gate/run.js'
import type { EvalKind, ItemPiece, StoredEvalVerdict } from '../../store/evals.js'
import type { HistoryReader } from '../../store/store.js'
import type { SubmissionKey } from '../../store/verdicts.js'
import { askedBy } from '../asked-by.js'
import type { Gatehouse } from '../gatehouse.js'
import { clientKey, firstAnswer, knownAnswer, type KeyedAnswers } from '../idempotency.js'
import type { Caller } from '../submission.js'

/** What is to be kept of a grid or a comparison. */
export interface Keeping<Head> {
  readonly kind: EvalKind
  readonly name: string | null
  readonly outcome: 'pass' | 'fail' | null
  /** What a list shows, given its id and time. */
  head(evalId: string, createdAt: Timestamp): Head
  /** The rest of the document, as the text of a JSON object. */
  readonly detail: string
  readonly rows: readonly ItemPiece[]
}

export interface KeyedHash {
  readonly key: SubmissionKey
  readonly hash: string
}

/**
 * A grid or a comparison as it is kept. Its detail may be megabytes of cells: it stays a text, which is the answer, and
 * is read by those alone who need what is in it.
 */
export interface Verdict<Head> {
  readonly head: Head
  readonly detail: string
}

/** A verdict, and whether it is the one of an earlier request with the same key and content. */
export interface Kept<Head> extends Verdict<Head> {
  readonly replayed: boolean
}

/**
 * The key that a client named, with the hash of what it stands for.
 * @param hash null where none was computed, since there is no key
 */
export function keyedHash(
  owner: string,
  idempotencyKey: string | null,
  kind: EvalKind,
  hash: string | null,
): KeyedHash | null {
  const key = clientKey(owner, idempotencyKey, kind)
  if (key === null) return null
  if (hash === null) throw new TypeError('content under a key needs its hash')
  return { key, hash }
}

/**
 * Stores what was said of a grid or of two runs, once under its key.
 * @throws GatehouseError idempotency_conflict
 */
export async function keepVerdict<Head extends object>(
  { store, log }: Gatehouse,
  { principal, requestId }: Caller,
  keeping: Keeping<Head>,
  keyed: KeyedHash | null,
): Promise<Kept<Head>> {
  const { kind, name, outcome, rows, detail } = keeping
  const evalId = uuidv7()
  const kept = await store.write(async (writer, attempt): Promise<Kept<Head>> => {
    // A retry may follow a commit whose answer was lost: then its own verdict is there.
    const own = attempt > 1 ? await writer.findEvalVerdict(kind, evalId) : null
    if (own !== null) return { ...verdictOf<Head>(own), replayed: false }
    if (keyed !== null) {
      const first = await firstAnswer(writer, keyed.key, keyed.hash, answersOf<Head>(writer, kind))
      if (first !== null) return { ...first, replayed: true }
    }
    const createdAt = await writer.now()
    const head = keeping.head(evalId, createdAt)
    const text = JSON.stringify(head)
    await writer.writeEvalVerdict(
      { evalId, kind, createdAt, name, outcome, actor: principal.actor, head: text, detail },
      rows,
    )
    if (keyed !== null) await writer.writeEvalKey(keyed.key, { evalId, contentHash: keyed.hash, createdAt })
    return { head, detail, replayed: false }
  })
  if (!kept.replayed) {
    const fields = { ...askedBy({ principal, requestId }), [`${kind}_id`]: evalId, name, outcome }
    log.info(fields, `${kind} stored`)
  }
  return kept
}

/** The answer of an earlier request with this key, or null. @throws GatehouseError idempotency_conflict */
export function replayOf<Head>(
  reader: HistoryReader,
  kind: EvalKind,
  { key, hash }: KeyedHash,
): Promise<Verdict<Head> | null> {
  return knownAnswer(key, hash, answersOf<Head>(reader, kind))
}

export function verdictOf<Head>({ head, detail }: StoredEvalVerdict): Verdict<Head> {
  return { head: JSON.parse(head) as Head, detail }
}

/** The whole document. */
export function documentOf<Document>({ head, detail }: Verdict<object>): Document {
  return { ...head, ...(JSON.parse(detail) as object) } as Document
}

/** The same as JSON text. */
export function textOf({ head, detail }: Verdict<object>): string {
  return `${JSON.stringify(head).slice(0, -1)},${detail.slice(1)}`
}

function answersOf<Head>(
  reader: HistoryReader,
  kind: EvalKind,
): KeyedAnswers<{ readonly evalId: string; readonly contentHash: string }, Verdict<Head>> {
  return {
    find: (key) => reader.findEvalKey(key),
    read: async ({ evalId }) => {
      const stored = await reader.findEvalVerdict(kind, evalId)
      return stored && verdictOf<Head>(stored)
    },
    conflict: ({ evalId }) =>
      `this Idempotency-Key belongs to a ${kind} with other content (${evalId}); if this is another one, send another key`,
  }
}
