import type {
  ComparisonDetail,
  ComparisonDocument,
  ComparisonHead,
  ComparisonPage,
  GateDocument,
} from '../../documents/evals-comparison.js'
import { wireDouble } from '../../documents/json.js'
import { GatehouseError, invalidInput } from '../../errors.js'
import { compareRuns } from '../../evals/compare-runs.js'
import type { Comparison, ComparisonRequest, GateResult, Means } from '../../evals/comparison.js'
import type { EvalRun } from '../../evals/eval-run.js'
import { LIST_LIMIT } from '../../evals/first-items.js'
import { SMALL_SAMPLE } from '../../evals/interval.js'
import type { EvalVerdictHead, ItemPiece } from '../../store/evals.js'
import type { HistoryReader } from '../../store/store.js'
import type { Gatehouse } from '../gatehouse.js'
import { clientKey } from '../idempotency.js'
import { inSlices } from '../in-slices.js'
import { newestFirst, readPage, type PageRequest } from '../paging.js'
import type { Caller } from '../submission.js'
import { encodeMakers, encodeQuestion } from './encode-run.js'
import { decodeEvalRun, loadEvalRun, type LoadedRun } from './eval-runs.js'
import { documentOf, keepVerdict, replayOf, type Kept, type KeyedHash } from './keep-verdict.js'
import { hashContent, toPieces } from './pieces.js'

/** A run that is stored, or one that came with the request. */
export type ComparedSide = { readonly name: string } | { readonly name: null; readonly run: EvalRun }

export interface ComparisonSubmission extends Omit<ComparisonRequest, 'baseline' | 'current'> {
  readonly baseline: ComparedSide
  readonly current: ComparedSide
}

/**
 * Compares two eval runs and keeps what was found.
 * @throws GatehouseError invalid_input; not_found where a stored run is named that is none; idempotency_conflict
 */
export async function compareEvals(
  gatehouse: Gatehouse,
  caller: Caller,
  submission: ComparisonSubmission,
  idempotencyKey: string | null,
): Promise<Kept<ComparisonDocument>> {
  const key = clientKey(caller.principal.owner, idempotencyKey, 'comparison')
  const keyed = key && { key, hash: await hashOf(submission) }
  const read = await gatehouse.store.read((reader) => readStored(reader, submission, keyed))
  if (read.first !== null) return { document: read.first, replayed: true }
  const request: ComparisonRequest = {
    ...submission,
    baseline: await runOf(submission.baseline, read.baseline),
    current: await runOf(submission.current, read.current),
  }
  const compared = await inSlices(compareRuns(request))
  if (!compared.ok) throw invalidInput(compared.faults)
  const comparison = compared.value
  const keeping = {
    kind: 'comparison' as const,
    name: null,
    outcome: comparison.outcome,
    head: (comparisonId: string, createdAt: string) =>
      comparisonHead(comparisonId, createdAt, submission, comparison),
    detail: comparisonDetail(comparison),
    rows: [],
  }
  return keepVerdict(gatehouse, caller, keeping, keyed)
}

/** @throws GatehouseError not_found */
export async function readComparison(
  { store }: Gatehouse,
  comparisonId: string,
): Promise<ComparisonDocument> {
  const stored = await store.read((reader) => reader.findEvalVerdict('comparison', comparisonId))
  if (stored !== null) return documentOf(stored)
  throw new GatehouseError('not_found', `there is no comparison ${JSON.stringify(comparisonId)}`)
}

export function listComparisons({ store }: Gatehouse, request: PageRequest): Promise<ComparisonPage> {
  return store.read((reader) =>
    readPage(
      ['comparisons', {}],
      request,
      newestFirst<EvalVerdictHead>(({ createdAt, evalId }) => ({ createdAt, id: evalId })),
      (page) => reader.listEvalVerdicts('comparison', page),
      ({ head }) => JSON.parse(head) as ComparisonHead,
    ),
  )
}

interface ReadSides {
  /** The answer of an earlier request with the same key. */
  readonly first: ComparisonDocument | null
  readonly baseline: LoadedRun | null
  readonly current: LoadedRun | null
}

/** The answer before the runs: what was compared once is answered again, also when a run was deleted since. */
async function readStored(
  reader: HistoryReader,
  { baseline, current }: ComparisonSubmission,
  keyed: KeyedHash | null,
): Promise<ReadSides> {
  const first = keyed && (await replayOf<ComparisonDocument>(reader, 'comparison', keyed))
  if (first !== null) return { first, baseline: null, current: null }
  const load = (side: ComparedSide, where: string) =>
    side.name === null ? null : loadEvalRun(reader, side.name, `${where}/name`)
  return { first: null, baseline: await load(baseline, 'baseline'), current: await load(current, 'current') }
}

function runOf(side: ComparedSide, loaded: LoadedRun | null): Promise<EvalRun> | EvalRun {
  if (side.name === null) return side.run
  if (loaded === null) throw new Error('a stored run was not loaded')
  return decodeEvalRun(loaded)
}

async function hashOf(submission: ComparisonSubmission): Promise<string> {
  const { gates, strict, onInconclusive } = submission
  const fields: unknown[] = [gates, strict, onInconclusive]
  const lists: Array<readonly ItemPiece[]> = []
  for (const side of [submission.baseline, submission.current]) {
    fields.push(side.name === null ? encodeMakers(side.run) : { name: side.name })
    lists.push(side.name === null ? await inSlices(toPieces(side.run.questions, encodeQuestion)) : [])
  }
  return inSlices(hashContent(fields, ...lists))
}

function comparisonHead(
  comparisonId: string,
  createdAt: string,
  { baseline, current, gates, strict, onInconclusive }: ComparisonSubmission,
  comparison: Comparison,
): ComparisonHead {
  const { questions, means } = comparison
  return {
    result: comparison.result,
    outcome: comparison.outcome,
    comparison_id: comparisonId,
    created_at: createdAt,
    baseline: { name: baseline.name, questions: questions.baseline },
    current: { name: current.name, questions: questions.current },
    strict,
    on_inconclusive: onInconclusive,
    min_matched: comparison.gates.length === 0 ? null : (gates.minMatched ?? 1),
    identity: { answer: comparison.identity.answer, judge: comparison.identity.judge },
    means: { baseline: encodeMeans(means.baseline), current: encodeMeans(means.current) },
    gates: comparison.gates.map(encodeGate),
    small_sample: questions.matched < SMALL_SAMPLE,
    reasons: [...comparison.reasons],
  }
}

function comparisonDetail({ questions }: Comparison): ComparisonDetail {
  const { onlyBaseline, onlyCurrent, unscoredBaseline, unscoredCurrent } = questions
  return {
    questions: {
      baseline: questions.baseline,
      current: questions.current,
      matched: questions.matched,
      only_baseline: [...onlyBaseline.items],
      only_baseline_total: onlyBaseline.total,
      only_current: [...onlyCurrent.items],
      only_current_total: onlyCurrent.total,
      unscored_baseline: [...unscoredBaseline.items],
      unscored_baseline_total: unscoredBaseline.total,
      unscored_current: [...unscoredCurrent.items],
      unscored_current_total: unscoredCurrent.total,
    },
    list_limit: LIST_LIMIT,
  }
}

function encodeMeans({ context, lift }: Means) {
  return { context: context && wireDouble(context), lift: lift && wireDouble(lift) }
}

function encodeGate({ gate, limit, meanDrop, interval, smallSample, status }: GateResult): GateDocument {
  return {
    gate,
    limit,
    mean_drop: meanDrop && wireDouble(meanDrop),
    ci95: interval && [wireDouble(interval.low), wireDouble(interval.high)],
    method: interval && interval.method,
    small_sample: smallSample,
    status,
  }
}
