import { uuidv7 } from 'uuidv7'
import type { EvalRunHead, EvalRunPage, QuestionDocument } from '../../documents/evals-run.js'
import { GatehouseError, invalidInput } from '../../errors.js'
import type { EvalRun } from '../../evals/eval-run.js'
import { readSide } from '../../evals/side.js'
import type { Sliced } from '../../gate/slices.js'
import type { ItemPiece, NewEvalRun, StoredEvalRun } from '../../store/evals.js'
import type { HistoryReader } from '../../store/store.js'
import { askedBy } from '../asked-by.js'
import type { Gatehouse } from '../gatehouse.js'
import { newestFirst, readPage, type PageRequest } from '../paging.js'
import type { Caller } from '../submission.js'
import { decodeQuestion, encodeMakers, encodeQuestion } from './encode-run.js'
import { fromPieces, hashContent, toPieces } from './pieces.js'

/** What is kept of a run beside its questions; its columns are added when it is told. */
type KeptHead = Pick<EvalRunHead, 'answer_model' | 'judge' | 'scored'>

/** A run as it is to be kept. */
export interface PreparedRun {
  readonly kept: KeptHead
  readonly questions: readonly ItemPiece[]
  readonly questionCount: number
  /** SHA-256 (hex) of the content. */
  readonly contentHash: string
}

/** @throws GatehouseError invalid_input */
export function* prepareRun(run: EvalRun): Sliced<PreparedRun> {
  const { faults, scored } = yield* readSide(run, '', 0)
  if (faults.length > 0) throw invalidInput(faults)
  const makers = encodeMakers(run)
  const questions = yield* toPieces(run.questions, encodeQuestion)
  return {
    kept: { ...makers, scored: scored.size },
    questions,
    questionCount: run.questions.length,
    contentHash: yield* hashContent(makers, questions),
  }
}

/**
 * Stores an eval run under a name that is taken for good. The same content again changes nothing.
 * @returns the run without its questions, and whether this call stored it
 * @throws GatehouseError name_taken where the name holds, or held, another run
 */
export async function putEvalRun(
  { store, log }: Gatehouse,
  { principal, requestId }: Caller,
  name: string,
  { kept, questions, questionCount, contentHash }: PreparedRun,
): Promise<{ run: EvalRunHead; written: boolean }> {
  const evalRunId = uuidv7()
  const { stored, written } = await store.write(async (writer) => {
    const fresh: NewEvalRun = {
      evalRunId,
      name,
      createdAt: await writer.now(),
      actor: principal.actor,
      contentHash,
      head: JSON.stringify(kept),
      questions: questionCount,
    }
    // Two at once: the second waits for the first, and finds its run.
    if (await writer.writeEvalRun(fresh, questions))
      return { stored: { ...fresh, deleted: null }, written: true }
    const standing = await writer.findEvalRun(name)
    if (standing === null) throw new Error('an eval run is neither written nor there')
    // A retry may follow a commit whose answer was lost.
    return { stored: standing, written: standing.evalRunId === evalRunId }
  })
  if (stored.deleted !== null) throw takenByDeleted(stored)
  if (stored.contentHash !== contentHash) {
    throw new GatehouseError(
      'name_taken',
      `${JSON.stringify(name)} holds an eval run with other content (stored at ${stored.createdAt}), which is not overwritten; choose another name`,
    )
  }
  if (written) {
    const fields = { ...askedBy({ principal, requestId }), name, questions: stored.questions }
    log.info(fields, 'eval run stored')
  }
  return { run: headOf(stored), written }
}

/**
 * The whole run as JSON text: its questions are passed on as they are kept, and never built.
 * @throws GatehouseError not_found
 */
export async function readEvalRun({ store }: Gatehouse, name: string): Promise<string> {
  return store.read(async (reader) => {
    const stored = await findStanding(reader, name)
    const pieces = await reader.evalRunQuestions(stored.evalRunId)
    const questions = pieces.map(({ items }) => items.slice(1, -1)).join(',')
    return `${JSON.stringify(headOf(stored)).slice(0, -1)},"questions":[${questions}]}`
  })
}

export function listEvalRuns({ store }: Gatehouse, request: PageRequest): Promise<EvalRunPage> {
  return store.read((reader) =>
    readPage(
      ['eval runs', {}],
      request,
      newestFirst<StoredEvalRun>(({ createdAt, evalRunId }) => ({ createdAt, id: evalRunId })),
      (page) => reader.listEvalRuns(page),
      headOf,
    ),
  )
}

/**
 * Takes a run out of use; its name stays taken. Again, it changes nothing: whoever lost the answer may ask once more.
 * @throws GatehouseError not_found
 */
export async function deleteEvalRun(
  { store, log }: Gatehouse,
  { principal, requestId }: Caller,
  name: string,
): Promise<void> {
  const { actor } = principal
  const deleted = await store.write(async (writer) => {
    const run = await writer.findEvalRun(name)
    if (run === null) throw unknownRun(name)
    if (run.deleted !== null) return false
    await writer.writeEvalRunDeletion(run.evalRunId, { createdAt: await writer.now(), actor })
    return true
  })
  if (deleted) log.info({ ...askedBy({ principal, requestId }), name }, 'eval run deleted')
}

/** A stored run, with its questions still in pieces. */
export interface LoadedRun {
  readonly stored: StoredEvalRun
  readonly pieces: readonly ItemPiece[]
}

/** @throws GatehouseError not_found; `where` is the place that named it */
export async function loadEvalRun(reader: HistoryReader, name: string, where: string): Promise<LoadedRun> {
  const stored = await findStanding(reader, name, where)
  return { stored, pieces: await reader.evalRunQuestions(stored.evalRunId) }
}

/** The run as it was sent. */
export function* decodeEvalRun({ stored, pieces }: LoadedRun): Sliced<EvalRun> {
  const { answer_model: answerModel, judge } = JSON.parse(stored.head) as KeptHead
  const questions = yield* fromPieces<QuestionDocument, EvalRun['questions'][number]>(pieces, decodeQuestion)
  return { answerModel, judge, questions }
}

async function findStanding(reader: HistoryReader, name: string, where?: string): Promise<StoredEvalRun> {
  const run = await reader.findEvalRun(name)
  if (run === null) throw unknownRun(name, where)
  if (run.deleted === null) return run
  const message = `was deleted at ${run.deleted.createdAt} by ${run.deleted.actor}`
  throw new GatehouseError(
    'not_found',
    `the eval run ${JSON.stringify(name)} ${message}; its name stays taken`,
    where === undefined ? [] : [{ where, message }],
  )
}

function unknownRun(name: string, where?: string): GatehouseError {
  const message = `there is no eval run ${JSON.stringify(name)}`
  return new GatehouseError('not_found', message, where === undefined ? [] : [{ where, message }])
}

function takenByDeleted({ name, deleted }: StoredEvalRun): GatehouseError {
  return new GatehouseError(
    'name_taken',
    `${JSON.stringify(name)} was the name of an eval run that was deleted at ${deleted?.createdAt}; a name never comes to mean another run, so choose another`,
  )
}

function headOf({ name, createdAt, actor, head, questions }: StoredEvalRun): EvalRunHead {
  const { answer_model, judge, scored } = JSON.parse(head) as KeptHead
  return {
    name,
    created_at: createdAt,
    created_by: actor,
    answer_model,
    judge,
    question_count: questions,
    scored,
  }
}
