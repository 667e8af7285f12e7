/**
 * The contract that everything above the store sees. Two backends implement it, SQLite and PostgreSQL, and one
 * suite (`test/store/contract.ts`) holds both to what the comments here say: the same inputs give the same rows,
 * the same order, the same trust.
 *
 * Newest first always means `created_at DESC, run_id DESC` (or the row's own id), text ordered by code point.
 * Nothing rests on every row having come through this program: other tools insert into `runs` and `metric_values`
 * with SQL of their own.
 */
import type { Timestamp } from '../gate/run.js'
import type { BaselineQueries } from './baselines.js'
import type { CredentialQueries, CredentialWrites } from './credentials.js'
import type { EvalQueries, EvalWrites } from './evals.js'
import type { ImportedRun, ImportResult } from './exchange.js'
import type { HistoryQueries } from './history.js'
import type { LadderQueries, LadderWrites } from './ladders.js'
import type { RunQueries, RunWrites } from './runs.js'
import type { TrustQueries, TrustWrites } from './trust.js'
import type { VerdictQueries, VerdictWrites } from './verdicts.js'

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

export interface HistoryReader
  extends
    BaselineQueries,
    RunQueries,
    HistoryQueries,
    VerdictQueries,
    TrustQueries,
    CredentialQueries,
    EvalQueries,
    LadderQueries {
  /** The store's clock: the database's on PostgreSQL, so that instances agree. */
  now(): Promise<Timestamp>
}

export interface HistoryWriter
  extends HistoryReader, RunWrites, VerdictWrites, TrustWrites, CredentialWrites, EvalWrites, LadderWrites {}
