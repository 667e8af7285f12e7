/** The part of the contract that is about verdicts, and about the keys under which a submission counts once. */
import type { Cadence, Provenance, Series, Timestamp } from '../gate/run.js'
import type { Page, SeriesFilter, TimeRange } from './lists.js'

export interface VerdictQueries {
  findVerdict(verdictId: string): Promise<StoredVerdict | null>
  listVerdicts(filter: VerdictFilter, page: Page): Promise<StoredVerdictHead[]>
  /**
   * Of the verdicts that match, one per series: the highest attempt (absent is 1), and among those the newest.
   * Ordered by series.
   */
  latestVerdicts(filter: VerdictFilter): Promise<LatestVerdict[]>
}

export interface VerdictWrites {
  /** The verdict with its evidence. The same `verdictId` again changes nothing. */
  writeVerdict(verdict: NewVerdict): Promise<void>

  /** Waits until no other transaction, of any instance, holds this key; held to the end of the transaction. */
  lockSubmissionKey(key: SubmissionKey): Promise<void>
  findKeyedVerdict(key: SubmissionKey): Promise<KeyedVerdict | null>
  writeSubmissionKey(
    key: SubmissionKey,
    entry: KeyedVerdict & { createdAt: Timestamp; wroteRun: boolean },
  ): Promise<void>
}

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
