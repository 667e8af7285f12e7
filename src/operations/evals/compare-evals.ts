import type { ComparisonHead, ComparisonPage } from '../../documents/evals-comparison.js'
import { GatehouseError, invalidInput } from '../../errors.js'
import type { EvalVerdictHead } from '../../store/evals.js'
import type { HistoryReader } from '../../store/store.js'
import type { Gatehouse } from '../gatehouse.js'
import { newestFirst, readPage, type PageRequest } from '../paging.js'
import type { Caller } from '../submission.js'
import { loadEvalRun } from './eval-runs.js'
import {
  keepVerdict,
  keyedHash,
  replayOf,
  verdictOf,
  type Kept,
  type KeyedHash,
  type Verdict,
} from './keep-verdict.js'
import type { PreparedComparison, StoredSides } from './prepare-comparison.js'

/**
 * Compares two eval runs and keeps what was found.
 * @param prepare `prepareComparison` of the request, wherever it is done; asked again with the runs that it names
 * @throws GatehouseError invalid_input; not_found where a stored run is named that is none; idempotency_conflict
 */
export async function compareEvals(
  gatehouse: Gatehouse,
  caller: Caller,
  prepare: (stored: StoredSides | null) => Promise<PreparedComparison>,
  idempotencyKey: string | null,
): Promise<Kept<ComparisonHead>> {
  const { names, hash, compared: already } = await prepare(null)
  const keyed = keyedHash(caller.principal.owner, idempotencyKey, 'comparison', hash)
  const { first, ...stored } = await gatehouse.store.read((reader) => readStored(reader, names, keyed))
  if (first !== null) return { ...first, replayed: true }
  const compared = already ?? (await prepare(stored)).compared
  if (compared === null) throw new Error('stored runs were loaded, and not compared')
  if (!compared.ok) throw invalidInput(compared.faults)
  const { head, detail } = compared.value
  const { result, outcome, ...rest } = head
  const keeping = {
    kind: 'comparison' as const,
    name: null,
    outcome,
    head: (comparisonId: string, createdAt: string): ComparisonHead => ({
      result,
      outcome,
      comparison_id: comparisonId,
      created_at: createdAt,
      ...rest,
    }),
    detail,
    rows: [],
  }
  return keepVerdict(gatehouse, caller, keeping, keyed)
}

/** @throws GatehouseError not_found */
export async function readComparison(
  { store }: Gatehouse,
  comparisonId: string,
): Promise<Verdict<ComparisonHead>> {
  const stored = await store.read((reader) => reader.findEvalVerdict('comparison', comparisonId))
  if (stored !== null) return verdictOf(stored)
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

interface ReadSides extends StoredSides {
  /** The answer of an earlier request with the same key. */
  readonly first: Verdict<ComparisonHead> | null
}

/** The answer before the runs: what was compared once is answered again, also when a run was deleted since. */
async function readStored(
  reader: HistoryReader,
  { baseline, current }: PreparedComparison['names'],
  keyed: KeyedHash | null,
): Promise<ReadSides> {
  const first = keyed && (await replayOf<ComparisonHead>(reader, 'comparison', keyed))
  if (first !== null) return { first, baseline: null, current: null }
  const load = (name: string | null, where: string) =>
    name === null ? null : loadEvalRun(reader, name, `${where}/name`)
  return { first: null, baseline: await load(baseline, 'baseline'), current: await load(current, 'current') }
}
