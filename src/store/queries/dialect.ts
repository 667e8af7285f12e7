/**
 * What the shared queries ask of a backend: how SQL is written where the databases differ. The expressions take
 * qualified column names (`r.created_at`).
 */
import type { Kysely, RawBuilder, SqlBool } from 'kysely'
import type { Baseline, Coordinate, Series, Timestamp } from '../../gate/run.js'
import type { CopiedMetric, LooseValue } from '../gate-history.js'
import type { ImpactedCoordinate, ImpactSettings } from '../trust.js'
import type { NewRun } from '../runs.js'
import type { NewVerdict, SubmissionKey } from '../verdicts.js'
import type { Tables } from '../tables.js'
import type { VectorRow } from './copies.js'

export type Database = Kysely<Tables>

/** Trusted runs alone, in any order. */
export interface Copies {
  readonly now: Timestamp
  /** Of each metric the newest, as many as asked for, or all there are. */
  readonly copied: readonly CopiedMetric[]
  /** Null where there are too many of them. */
  readonly loose: readonly LooseValue[] | null
}

export interface Dialect {
  /** A boolean as the database keeps it. */
  flag(value: boolean): boolean | number
  /** A time as a parameter, to store or to compare with. */
  time(value: Timestamp): RawBuilder<string>
  /** A column of time as `Timestamp` text. */
  timeText(column: string): RawBuilder<Timestamp>
  /** The store's clock within a statement. */
  clock(): RawBuilder<string>
  /** Whether a column holds a time that `Timestamp` can express; other writers may have left it empty or infinite. */
  hasTime(column: string): RawBuilder<SqlBool>
  /** A column of text, to be ordered and compared by code point whatever the database's collation. */
  byCodePoint(column: string): RawBuilder<string>
  /** Whether a column of text is one of any number of values. */
  isOneOf(column: string, values: readonly string[]): RawBuilder<SqlBool>
  /**
   * The runs of one exact series, so written that no other index than that of the series gives them newest first; the
   * order then begins with the suite. For a first page: asked for the newest hundred of a series that rests, a planner
   * may otherwise walk through all newer runs of all others. With a row to start after, plain equality is better.
   */
  inRestingSeries(alias: string, series: Series): RawBuilder<SqlBool>
  /** A table of one column, of any number of values. */
  ids(column: string, values: readonly string[]): RawBuilder<unknown>
  /** Joins rows of a table that match, looked up through an index for each row of what stands before. */
  lookUp(table: keyof Tables, alias: string, matching: RawBuilder<SqlBool>): RawBuilder<unknown>
  /** As `lookUp`: joins to each run `r` those of its values `m` that match. */
  joinValues(matching: RawBuilder<SqlBool>): RawBuilder<unknown>

  now(db: Database): Promise<Timestamp>
  /** The copies of some metrics of a series, and the values of those of its runs that have none. */
  readCopies(db: Database, series: Series, metricKeys: readonly string[], limit: number): Promise<Copies>
  /** Some of the runs without a copy, as a table; to be copied in this transaction. */
  uncopiedRuns(limit: number): RawBuilder<unknown>
  /** Whether a run has values that no copy can hold. */
  hasUncopiable(runId: string): RawBuilder<SqlBool>
  /** Of runs from `uncopiedRuns`. */
  replaceVectors(db: Database, rows: readonly VectorRow[]): Promise<void>

  /** By rows alone, as `newestTrustedSteps`. */
  recentTrustedValues(
    db: Database,
    series: Series,
    coordinates: readonly Coordinate[],
    limit: number,
  ): Promise<Baseline[]>
  newestTrustedSteps(
    db: Database,
    series: Series,
    metricKeys: readonly string[],
  ): Promise<Map<string, number[]>>
  impactedCoordinates(
    db: Database,
    runIds: readonly string[],
    settings: ImpactSettings,
  ): Promise<{ coordinates: ImpactedCoordinate[]; total: number }>
  /** With its checks and evidence; nothing where it is there already. */
  insertVerdict(db: Database, verdict: NewVerdict): Promise<void>
  /** With its values and their copy; nothing where it is there already. */
  insertRun(db: Database, run: NewRun): Promise<void>
  lockSubmissionKey(db: Database, key: SubmissionKey): Promise<void>
  lockTrust(db: Database): Promise<void>
  lockTokens(db: Database): Promise<void>
  lockLadder(db: Database, ladder: string): Promise<void>
}
