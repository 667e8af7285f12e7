/**
 * The contract that everything above the store sees. Two backends implement it, SQLite and PostgreSQL, and one
 * suite (`test/store/contract.ts`) holds both to what the comments here say: the same inputs give the same rows,
 * the same order, the same trust.
 *
 * Newest first always means `created_at DESC, run_id DESC` (or the row's own id), text ordered by code point.
 * Nothing rests on every row having come through this program: other tools insert into `runs` and `metric_values`
 * with SQL of their own.
 */
import type { GateQuestion } from './gate-history.js'
import type { Baseline, Cadence, Coordinate, Provenance, Series, Timestamp } from '../gate/run.js'
import type { CredentialQueries, CredentialWrites } from './credentials.js'
import type { EvalQueries, EvalWrites } from './evals.js'
import type { LadderQueries, LadderWrites } from './ladders.js'

export interface MetricHistoryStore {
  /** `sqlite` or `postgres`; for logs and readiness, never to branch on. */
  readonly backend: 'sqlite' | 'postgres'

  /**
   * Runs `work` on one consistent snapshot. Retried within a bound after a lost connection, so `work` must be free
   * of side effects.
   * @throws StoreUnavailable when the store cannot be reached or is locked for longer than the bound
   */
  read<T>(work: (reader: HistoryReader) => Promise<T>, options?: ReadOptions): Promise<T>

  /**
   * Runs `work` in one transaction: all of it is durable when the promise resolves, or none of it ever is.
   * Retried whole within a bound after a lost connection, a deadlock or a busy lock. A retry may come after a commit
   * whose answer was lost: `work` brings its own ids, and looks for its own result first when `attempt > 1`.
   * @throws StoreUnavailable as `read`
   */
  write<T>(work: (writer: HistoryWriter, attempt: number) => Promise<T>): Promise<T>

  /**
   * Takes runs of other tools or of an export, all of them or none: staged as they come, then published at once.
   * A run that is there already with the same content, in the store or earlier in `runs`, is skipped and keeps its
   * trust. Its content is series, provenance, time and the multiset of its values with their keys, to the bit. Trust is
   * no part of it, since it may have been revoked after the export was made and an import must not bring it back; nor
   * are cadence and declarations, which are kept beside the run.
   *
   * `runs` is pulled as fast as it is written; memory stays flat. Imports of all instances come one after the other.
   * On SQLite no lock is held for longer than a second while other writes wait. As many runs as fit into a part of that
   * (ten thousand, say) appear at one moment; more do so in steps, and once the first was taken nothing stops the rest:
   * when the process ends there, the next start finishes what it began.
   * @param onProgress told how many runs were taken so far, about every thousand
   * @throws ImportConflict when a run id holds other content; whatever `runs` throws, after the staged rows are gone
   * @throws StoreUnavailable as `read`; never tried again once `runs` was pulled
   */
  importRuns(runs: AsyncIterable<ImportedRun>, onProgress?: (runs: number) => void): Promise<ImportResult>

  /** Whether the store answers and its schema is the one this program needs; never throws. */
  checkReady(): Promise<Readiness>

  /**
   * Makes copies of some runs that have none (another writer's, imported ones), by which verdicts read faster; answers
   * how many runs, 0 when none is left. Safe beside everything else, and on any number of instances.
   */
  copySome(): Promise<number>

  /** Deletes expired idempotency keys and verdicts in bounded batches; answers how many of each went. */
  prune(cutoffs: PruneCutoffs): Promise<{ keys: number; verdicts: number }>

  /** How busy the connections are at this moment; asks no database. */
  pools(): readonly PoolUse[]

  /**
   * Begins nothing more, and lets what runs finish.
   * @param patienceMs what still waits for the database then is refused as `StoreUnavailable`; not given where all waits
   *   are bounded anyway, or nobody waits for the end
   */
  close(patienceMs?: number): Promise<void>
}

/** The connections of one kind. */
export interface PoolUse {
  readonly name: string
  /** Whether verdicts wait for them. Those of a replica, and of long transactions, keep only their own kind waiting. */
  readonly gate: boolean
  /** How many are open. */
  readonly size: number
  /** How many of these are lent to nobody. */
  readonly idle: number
  /** How many transactions wait for one. */
  readonly waiting: number
}

export interface ReadOptions {
  /** The work may see a state some seconds old (lists and history, never a gate's reads). */
  readonly replica?: boolean
  /**
   * The work may take long, and pause for up to ten minutes between two statements (an export to a slow client). It
   * runs on one of a few connections kept for such, so that it holds up no other read, and is never tried again once it
   * has begun: it may write what it reads to somewhere else.
   */
  readonly long?: boolean
  /**
   * The work is one statement and no second one, for what is asked with every request: a snapshot by itself, so that a
   * store may leave out the transaction around it, or end it without waiting for the answer. What is `mostly` so may ask
   * more nevertheless: it may then be begun again, in one transaction for all.
   */
  readonly single?: boolean | 'mostly'
}

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string }

export interface PruneCutoffs {
  /** Keys of judged-only submissions made before this go; keys of writing runs never do. */
  readonly keysBefore: Timestamp
  /** Verdicts that wrote no run and were made before this go, with their evidence and keys. */
  readonly verdictsBefore: Timestamp
}

export interface HistoryReader extends HistoryQueries, CredentialQueries, EvalQueries, LadderQueries {
  /** The store's clock: the database's on PostgreSQL, so that instances agree. */
  now(): Promise<Timestamp>

  /**
   * For each coordinate of one exact series the newest `limit` trusted finite values, newest first, in the order of
   * `coordinates` (which holds no coordinate twice). Two queries at most, whatever the number of coordinates and however
   * long the history. Two values of one coordinate in one run (another writer's) both count, the greater first.
   */
  recentTrustedValues(series: Series, coordinates: readonly Coordinate[], limit: number): Promise<Baseline[]>

  /**
   * All that a verdict asks of one exact series, of one moment: baselines as `recentTrustedValues` gives them, and for
   * each metric of `stepsOf` that a trusted run holds at a step >= 0 the steps (ascending, distinct) of the newest such
   * run. One query in the usual case, three at most.
   */
  gateHistory(series: Series, question: GateQuestion): Promise<GateHistory>

  listRuns(filter: RunFilter, page: Page): Promise<RunListing[]>
  /** The values of one run, by metric key, then step. */
  valuesOf(runId: string): Promise<RunValue[]>
  /** The revocations that cover a run, newest first. */
  revocationsOf(runId: string): Promise<CoveringRevocation[]>
  /**
   * Those of the runs that a revocation keeps untrusted, by code point: untrusted now, covered by a standing revocation,
   * and flipped by one (undone or not). Others are untrusted because they never earned trust.
   */
  revokedAmong(runIds: readonly string[]): Promise<string[]>

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

export interface HistoryWriter extends HistoryReader, CredentialWrites, EvalWrites, LadderWrites {
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

/** What `gateHistory` answers; the baselines in the order of the coordinates. */
export interface GateHistory {
  /** The store's clock at the moment of reading. */
  readonly now: Timestamp
  readonly baselines: readonly Baseline[]
  readonly trustedSteps: ReadonlyMap<string, readonly number[]>
}

/** The reads of dashboards and tools. They may come from a replica, and use indexes alone. */
export interface HistoryQueries {
  /** Series by code point of test path, backend, suite; at most `limit`, strictly after `after`. */
  listSeries(
    filter: SeriesListFilter,
    page: { limit: number; after: Series | null },
  ): Promise<SeriesListing[]>
  /** The metrics of one series by code point, each with its distinct steps (ascending) and its number of values. */
  listCoordinates(series: Series, page: { limit: number; after: string | null }): Promise<CoordinateListing[]>
  /** The declarations (JSON text) of the newest run of the series that brought any; null where none did. */
  newestDeclarations(series: Series): Promise<string | null>
  /** Values of one metric newest first: `created_at DESC, run_id DESC, step ASC, value DESC`, with what the run's own verdict said. */
  listHistory(filter: HistoryFilter, page: HistoryPage): Promise<HistoryPoint[]>
  /**
   * Runs oldest first (`created_at ASC, run_id ASC`) with all their values, on the snapshot of this transaction; a
   * few at a time in memory. Values by metric key, then step.
   */
  exportRuns(filter: RunFilter): AsyncIterable<ExportedRun>
  /** The same runs and values without what came with them, read by copies where there are some. */
  replayRuns(filter: RunFilter): AsyncIterable<ReplayedRun>
}

export interface SeriesListFilter {
  readonly testPathPrefix?: string
  readonly backend?: string
  readonly suite?: string
}

export interface SeriesListing {
  readonly series: Series
  readonly runs: number
  readonly trustedRuns: number
  readonly lastRun: { readonly runId: string; readonly createdAt: Timestamp; readonly trusted: boolean }
  /** What the verdict of the newest run said; null where it came another way. */
  readonly lastOutcome: 'pass' | 'fail' | null
}

export interface CoordinateListing {
  readonly metricKey: string
  readonly steps: readonly number[]
  readonly values: number
}

export interface HistoryFilter extends TimeRange {
  readonly series: Series
  readonly metricKey: string
  readonly step?: number
  readonly trusted?: boolean
}

/** `after` names the last point told. */
export interface HistoryPage {
  readonly limit: number
  readonly after: {
    readonly createdAt: Timestamp
    readonly runId: string
    readonly step: number
    readonly value: number
  } | null
}

export interface HistoryPoint {
  readonly runId: string
  readonly createdAt: Timestamp
  readonly commitSha: string | null
  readonly githubRunId: bigint | null
  readonly trusted: boolean
  readonly step: number
  readonly value: number
  /** The check of this coordinate in the run's own verdict, as JSON text of the wire's check; null where unknown. */
  readonly check: string | null
}

/** A run as an export tells it. `declarations` is JSON text. */
export interface ExportedRun extends StoredRun {
  readonly cadence: Cadence | null
  readonly declarations: string | null
  readonly values: readonly RunValue[]
}

/** A run as a replay takes it. */
export interface ReplayedRun extends StoredRun {
  readonly values: ReadonlyArray<Pick<RunValue, 'metricKey' | 'step' | 'value'>>
}

/** A run that comes with its time, its trust and its id; without a commit where an export holds another writer's. */
export interface ImportedRun extends StoredRun {
  readonly values: readonly RunValue[]
  readonly cadence: Cadence | null
  readonly declarations: string | null
  /** Where it stands in the file (`line 17`), for a conflict's message. */
  readonly where: string
}

export interface ImportResult {
  readonly runs: number
  readonly values: number
  readonly skipped: number
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

/** `document` is the verdict as sent, without its checks; JSON text, kept to the byte. */
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
  /**
   * The checks in their order, in pieces of one metric each, so that the history of a metric reads no other's. JSON text
   * in one line.
   */
  readonly checks: ReadonlyArray<{ readonly metricKey: string; readonly checks: string }>
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
  /** The JSON arrays of the pieces, in order. */
  readonly checks: readonly string[]
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
  readonly testPath: string
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

/** An import holds a run whose id is taken by other content. */
export class ImportConflict extends Error {
  override readonly name = 'ImportConflict'
  constructor(
    readonly runId: string,
    readonly where: string,
  ) {
    super(`${where}: run ${runId} is stored with other content`)
  }
}

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

/** The database that the configuration names cannot be this program's: not before somebody changes one of the two. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused'
}
