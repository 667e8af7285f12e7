import type { ComparisonDetail, ComparisonHead, GateDocument } from '../../documents/evals-comparison.js'
import { wireDouble } from '../../documents/json.js'
import { compareRuns } from '../../evals/compare-runs.js'
import type { Comparison, ComparisonRequest, GateResult, Means } from '../../evals/comparison.js'
import type { EvalRun } from '../../evals/eval-run.js'
import { LIST_LIMIT } from '../../evals/first-items.js'
import { SMALL_SAMPLE } from '../../evals/interval.js'
import type { Sliced } from '../../gate/slices.js'
import { accepted, type Outcome } from '../../gate/outcome.js'
import type { ItemPiece } from '../../store/evals.js'
import { encodeMakers, encodeQuestion } from './encode-run.js'
import { decodeEvalRun, type LoadedRun } from './eval-runs.js'
import { hashContent, toPieces } from './pieces.js'

/** A run that is stored, or one that came with the request. */
export type ComparedSide = { readonly name: string } | { readonly name: null; readonly run: EvalRun }

export interface ComparisonSubmission extends Omit<ComparisonRequest, 'baseline' | 'current'> {
  readonly baseline: ComparedSide
  readonly current: ComparedSide
}

/** Stored runs of the sides that name one. */
export interface StoredSides {
  readonly baseline: LoadedRun | null
  readonly current: LoadedRun | null
}

/** What can be said of a request for a comparison. */
export interface PreparedComparison {
  readonly names: { readonly baseline: string | null; readonly current: string | null }
  /** SHA-256 (hex) of the content; null where no key asks for it. */
  readonly hash: string | null
  /** null as long as a run is named that is not there yet. */
  readonly compared: Outcome<ComparedRuns> | null
}

/** A comparison as it is to be kept. */
export interface ComparedRuns {
  /** All but its id and time. */
  readonly head: Omit<ComparisonHead, 'comparison_id' | 'created_at'>
  /** A JSON object. */
  readonly detail: string
}

/**
 * Reads what a request names, and compares once all of it is there.
 * @param keyed whether the request has a key, under which its content is told from another's
 * @param stored null where nothing was looked up yet
 */
export function* prepareComparison(
  submission: ComparisonSubmission,
  keyed: boolean,
  stored: StoredSides | null,
): Sliced<PreparedComparison> {
  const { baseline, current } = submission
  const names = { baseline: baseline.name, current: current.name }
  const hash = keyed ? yield* hashOf(submission) : null
  if (stored === null && (names.baseline !== null || names.current !== null))
    return { names, hash, compared: null }
  const compared = yield* compareRuns({
    ...submission,
    baseline: yield* runOf(baseline, stored?.baseline),
    current: yield* runOf(current, stored?.current),
  })
  if (!compared.ok) return { names, hash, compared }
  const head = comparisonHead(submission, compared.value)
  const detail = JSON.stringify(comparisonDetail(compared.value))
  return { names, hash, compared: accepted({ head, detail }) }
}

function* runOf(side: ComparedSide, loaded: LoadedRun | null | undefined): Sliced<EvalRun> {
  if (side.name === null) return side.run
  if (!loaded) throw new Error('a stored run was not loaded')
  return yield* decodeEvalRun(loaded)
}

function* hashOf(submission: ComparisonSubmission): Sliced<string> {
  const { gates, strict, onInconclusive } = submission
  const fields: unknown[] = [gates, strict, onInconclusive]
  const lists: Array<readonly ItemPiece[]> = []
  for (const side of [submission.baseline, submission.current]) {
    fields.push(side.name === null ? encodeMakers(side.run) : { name: side.name })
    lists.push(side.name === null ? yield* toPieces(side.run.questions, encodeQuestion) : [])
  }
  return yield* hashContent(fields, ...lists)
}

function comparisonHead(
  { baseline, current, gates, strict, onInconclusive }: ComparisonSubmission,
  comparison: Comparison,
): ComparedRuns['head'] {
  const { questions, means } = comparison
  return {
    result: comparison.result,
    outcome: comparison.outcome,
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
