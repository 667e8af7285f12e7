/**
 * The contract that everything above the store sees. Two backends implement it, SQLite and PostgreSQL, and one
 * suite (`test/store/contract.ts`) holds both to what the comments here say: the same inputs give the same rows,
 * the same order, the same trust.
 *
 * Newest first always means `created_at DESC, run_id DESC` (or the row's own id), text ordered by code point.
 * Nothing rests on every row having come through this program: other tools insert into `runs` and `metric_values`
 * with SQL of their own.
 */
import type { Baseline, Cadence, Coordinate, Provenance, Series, Timestamp } from '../gate/run.js'

export interface MetricHistoryStore {
  /** `sqlite` or `postgres`; for logs and readiness, never to branch on. */
  readonly backend: 'sqlite' | 'postgres'

  /**
   * Runs `work` on one consistent snapshot. Retried within a bound after a lost connection, so `work` must be free
   * of side effects.
   * @param options.replica the work may see a state some seconds old (lists and history, never a gate's reads)
   * @throws StoreUnavailable when the store cannot be reached or is locked for longer than the bound
   */
  read<T>(work: (reader: HistoryReader) => Promise<T>, options?: { replica?: boolean }): Promise<T>

  /**
   * Runs `work` in one transaction: all of it is durable when the promise resolves, or none of it ever is.
   * Retried whole within a bound after a lost connection, a deadlock or a busy lock. A retry may come after a commit
   * whose answer was lost: `work` brings its own ids, and looks for its own result first when `attempt > 1`.
   * @throws StoreUnavailable as `read`
   */
  write<T>(work: (writer: HistoryWriter, attempt: number) => Promise<T>): Promise<T>

  /** Whether the store answers and its schema is the one this program needs; never throws. */
  checkReady(): Promise<Readiness>

  /** Deletes expired idempotency keys and verdicts in bounded batches; answers how many of each went. */
  prune(cutoffs: PruneCutoffs): Promise<{ keys: number; verdicts: number }>

  close(): Promise<void>
}

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string }

export interface PruneCutoffs {
  /** Keys of judged-only submissions made before this go; keys of writing runs never do. */
  readonly keysBefore: Timestamp
  /** Verdicts that wrote no run and were made before this go, with their evidence and keys. */
  readonly verdictsBefore: Timestamp
}

export interface HistoryReader {
  /** The store's clock: the database's on PostgreSQL, so that instances agree. */
  now(): Promise<Timestamp>

  /**
   * For each coordinate of one exact series the newest `limit` trusted finite values, newest first, in the order of
   * `coordinates` (which holds no coordinate twice). One query, whatever the number of coordinates and however long
   * the history. Two values of one coordinate in one run (another writer's) both count, the greater first.
   */
  recentTrustedValues(series: Series, coordinates: readonly Coordinate[], limit: number): Promise<Baseline[]>

  /**
   * For each metric that a trusted run of the series holds at a step >= 0: the steps (ascending, distinct) of the newest such run.
   * One query.
   */
  newestTrustedSteps(series: Series, metricKeys: readonly string[]): Promise<Map<string, number[]>>

  findRun(runId: string): Promise<StoredRun | null>
  listRuns(filter: RunFilter, page: Page): Promise<RunListing[]>
  /** The values of one run, by metric key, then step. */
  valuesOf(runId: string): Promise<RunValue[]>
  /** The revocations that cover a run, newest first. */
  revocationsOf(runId: string): Promise<CoveringRevocation[]>

  findVerdict(verdictId: string): Promise<StoredVerdict | null>
  listVerdicts(filter: VerdictFilter, page: Page): Promise<StoredVerdictHead[]>
  /**
   * Of the verdicts that match, one per series: the highest attempt (absent is 1), and among those the newest.
   * Ordered by series.
   */
  latestVerdicts(filter: VerdictFilter): Promise<LatestVerdict[]>

  /** The runs that a selector matches, oldest last, with their trust. */
  matchRuns(selector: RunSelector): Promise<MatchedRun[]>
  /**
   * What would change if the trust of these runs went: coordinates that lose their baseline or fall under the
   * enforcement minimum, and the stored verdicts whose evidence holds one of them. Read before the runs are flipped.
   */
  revocationImpact(runIds: readonly string[], settings: ImpactSettings): Promise<RevocationImpact>
  findRevocation(revocationId: string): Promise<Revocation | null>
  listRevocations(page: Page): Promise<Revocation[]>
  /**
   * The runs that undoing a standing revocation makes trusted again: those it covers that some revocation (undone or
   * not) had flipped, that are untrusted now, and that no other standing revocation covers; and those held back by
   * another standing one.
   */
  restorableRuns(revocationId: string): Promise<RestorableRuns>
}

export interface HistoryWriter extends HistoryReader {
  /** Waits until no other transaction, of any instance, holds this key; held to the end of the transaction. */
  lockSubmissionKey(key: SubmissionKey): Promise<void>
  findKeyedVerdict(key: SubmissionKey): Promise<KeyedVerdict | null>
  writeSubmissionKey(
    key: SubmissionKey,
    entry: KeyedVerdict & { createdAt: Timestamp; wroteRun: boolean },
  ): Promise<void>

  /**
   * One run with provenance, trust and all its values. Refuses, before touching anything, a value that is not finite
   * or a step or text the databases cannot both hold (`assertStorable`). -0 is stored as 0.
   * The same `runId` again changes nothing.
   */
  writeRun(run: NewRun): Promise<void>
  /** The verdict with its evidence. The same `verdictId` again changes nothing. */
  writeVerdict(verdict: NewVerdict): Promise<void>

  /** Revocations and undos of all instances come one after the other; held to the end of the transaction. */
  lockTrust(): Promise<void>
  /** Flips every matching trusted run to untrusted; answers the runs it changed, newest first. */
  markUntrusted(selector: RunSelector): Promise<string[]>
  writeRevocation(revocation: NewRevocation): Promise<void>
  /** Makes runs trusted again and keeps who undid the revocation, when and why. */
  writeUndo(undo: NewUndo): Promise<void>
}

// ---- runs ----

export interface NewRun {
  readonly runId: string
  readonly series: Series
  readonly provenance: Provenance
  readonly createdAt: Timestamp
  readonly trusted: boolean
  readonly values: readonly RunValue[]
}

export interface RunValue {
  readonly metricKey: string
  readonly step: number
  readonly value: number
  /** Canonical JSON of the literals that judged the value; empty where another tool wrote none. */
  readonly stepsKey: string
  readonly constraintKey: string
}

/** A run as stored. Another writer's rows may lack a commit. */
export interface StoredRun {
  readonly runId: string
  readonly createdAt: Timestamp
  readonly trusted: boolean
  readonly series: Series
  readonly provenance: Omit<Provenance, 'commitSha'> & { readonly commitSha: string | null }
}

/** A run with what its own verdict said; null where the run came another way. */
export interface RunListing extends StoredRun {
  readonly cadence: Cadence | null
  readonly verdictId: string | null
  readonly outcome: 'pass' | 'fail' | null
}

/** Filters are joined by AND; an absent one selects everything. */
export interface RunFilter extends TimeRange, SeriesFilter {
  readonly runId?: string
  readonly commitSha?: string
  readonly githubRunId?: bigint
  readonly prNumber?: number
  readonly trusted?: boolean
}

export interface SeriesFilter {
  readonly testPath?: string
  readonly backend?: string
  readonly suite?: string
}

/** `since` is inclusive, `until` exclusive. */
export interface TimeRange {
  readonly since?: Timestamp
  readonly until?: Timestamp
}

/** A page of a list that is newest first: at most `limit` rows strictly after (older than) the given row. */
export interface Page {
  readonly limit: number
  readonly after: { readonly createdAt: Timestamp; readonly id: string } | null
}

// ---- verdicts ----

/** `document` is the verdict as sent, without its checks, and `checks` its checks; both JSON text, kept to the byte. */
export interface NewVerdict {
  readonly verdictId: string
  readonly createdAt: Timestamp
  readonly series: Series
  readonly provenance: Provenance
  readonly cadence: Cadence
  /** The run that the submission wrote; null where it was only judged. */
  readonly runId: string | null
  readonly trusted: boolean
  readonly outcome: 'pass' | 'fail'
  readonly failingCi: number
  readonly actor: string
  readonly document: string
  readonly checks: string
  /** The normalized declarations as JSON text, for those who ask later by which rules the run was judged. */
  readonly declarations: string
  /** The runs that the baselines were read from. */
  readonly evidence: readonly string[]
}

export interface StoredVerdictHead {
  readonly verdictId: string
  readonly createdAt: Timestamp
  readonly document: string
}

export interface StoredVerdict extends StoredVerdictHead {
  readonly checks: string
}

export interface VerdictFilter extends TimeRange, SeriesFilter {
  readonly commitSha?: string
  readonly githubRunId?: bigint
  readonly prNumber?: number
  readonly outcome?: 'pass' | 'fail'
}

export interface LatestVerdict {
  readonly verdictId: string
  readonly series: Series
  readonly outcome: 'pass' | 'fail'
  readonly failingCi: number
}

// ---- idempotency ----

/** Keys belong to the credential that used them, so that nobody can claim or read another's. */
export interface SubmissionKey {
  readonly owner: string
  readonly key: string
}

export interface KeyedVerdict {
  readonly verdictId: string
  /** SHA-256 (hex) of the submission's content, to tell a retry from a conflict. */
  readonly contentHash: string
}

// ---- trust ----

export type RunSelector =
  { readonly runIds: readonly string[] } | { readonly githubRunId: bigint } | { readonly commitSha: string }

export interface MatchedRun {
  readonly runId: string
  readonly trusted: boolean
}

export interface ImpactSettings {
  /** Size of a baseline (BASELINE_WINDOW). */
  readonly window: number
  /** Trusted values that enforcement needs (ENFORCE_MIN_HISTORY). */
  readonly minimum: number
  /** How many entries each list holds at most; the totals count all. */
  readonly limit: number
}

export interface RevocationImpact {
  /** Cold ones first, then by series, metric key and step. `nBefore` and `nAfter` are sizes of the baseline. */
  readonly coordinates: readonly ImpactedCoordinate[]
  readonly coordinatesTotal: number
  /** Newest first. */
  readonly verdicts: readonly ImpactedVerdict[]
  readonly verdictsTotal: number
}

export interface ImpactedCoordinate extends Coordinate {
  readonly series: Series
  readonly nBefore: number
  readonly nAfter: number
  readonly effect: 'cold' | 'below_minimum'
}

export interface ImpactedVerdict {
  readonly verdictId: string
  readonly createdAt: Timestamp
  readonly series: Series
  readonly outcome: 'pass' | 'fail'
}

export interface NewRevocation {
  readonly revocationId: string
  readonly createdAt: Timestamp
  readonly actor: string
  readonly reason: string
  readonly selector: RunSelector
  /** Every run that matched when it was made, also those untrusted already. */
  readonly matched: readonly string[]
  /** Those of them that it changed. */
  readonly flipped: readonly string[]
  /** The impact as JSON text, as it was told when the revocation was made. */
  readonly impact: string
}

export interface Revocation extends Omit<NewRevocation, 'selector'> {
  readonly undone: { readonly createdAt: Timestamp; readonly actor: string; readonly reason: string } | null
}

export interface CoveringRevocation {
  readonly revocationId: string
  readonly createdAt: Timestamp
  readonly actor: string
  readonly reason: string
  /** Whether this revocation is the one that made the run untrusted. */
  readonly flipped: boolean
  readonly undone: boolean
}

export interface RestorableRuns {
  readonly restore: readonly string[]
  readonly heldBack: ReadonlyArray<{ readonly runId: string; readonly revocationId: string }>
}

export interface NewUndo {
  readonly revocationId: string
  readonly createdAt: Timestamp
  readonly actor: string
  readonly reason: string
  readonly restore: readonly string[]
}

// ---- failures ----

/** The store cannot answer now and may later: unreachable, shutting down, locked past the bound. Answered as 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  constructor(
    /** What an operator can act on, without SQL, addresses or secrets. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`the store is unavailable: ${reason}`, options)
  }
}
