/**
 * The part of the contract that is about promotion ladders. Rows are only ever inserted, since the server's PostgreSQL
 * role may update nothing but trust: a variant's state is its newest row, the live version the row of the highest
 * generation. What decisions remember is stored as the pure rules give it, and read back as it was.
 */
import type { Series, Timestamp } from '../gate/run.js'
import type { Comparison, Winner } from '../promotion/comparison.js'
import type { Episode } from '../promotion/episode.js'
import type { RungCheck } from '../promotion/evaluate.js'
import type { VariantEvidence } from '../promotion/evidence.js'
import type { Ladder, LivePointer, Variant } from '../promotion/ladder.js'
import type { Transition } from '../promotion/transition.js'

export interface LadderQueries {
  /** The live version at this moment; null where there is no such ladder. One statement, as short as it gets. */
  readLive(ladder: string): Promise<LivePointer | null>
  findLadder(ladder: string): Promise<StoredLadder | null>
  /** By code point of the name; at most `limit`, strictly after `after`. */
  listLadders(page: { limit: number; after: string | null }): Promise<StoredLadder[]>
  /** Who was live when a generation began; null where it never was. */
  readGeneration(ladder: string, generation: number): Promise<LivePointer | null>

  /** Of these ids the episodes that are stored, in any order. */
  findEpisodes(ladder: string, episodeIds: readonly string[]): Promise<StoredEpisode[]>
  groupEpisodes(ladder: string, groupId: string): Promise<StoredEpisode[]>
  /** Newest first. */
  listEpisodes(ladder: string, filter: EpisodeFilter, page: EpisodePage): Promise<StoredEpisode[]>
  /** How many episodes of a variant there are, by split. */
  countEpisodes(ladder: string, variant: string): Promise<{ selection: number; heldOut: number }>

  /** In the order in which they were issued. */
  listComparisons(ladder: string, filter: ComparisonFilter): Promise<StoredComparison[]>
  findComparison(ladder: string, comparisonId: string): Promise<StoredComparison | null>
  /**
   * The newest generation in which a result of a comparison between the variant and that generation's live version
   * stands, while the variant was not the live one; null where there is none.
   */
  lastContested(ladder: string, variant: string): Promise<LivePointer | null>

  /**
   * What `gatherEvidence` finds in the selection episodes of a ladder, added up by the database; held-out episodes are in
   * no part of it. Costs only where asked for: the others need no look at the rows.
   */
  sumUpEpisodes(
    ladder: string,
    options: { readonly costs: boolean },
  ): Promise<ReadonlyMap<string, VariantEvidence>>
  /** The newest result's place among all results of the ladder; 0 before the first. */
  newestResult(ladder: string): Promise<number>
  /** Of each of these commits every stored run, as it stands now, with the outcome of its own verdict. */
  runsOfCommits(commitShas: readonly string[]): Promise<CommitRun[]>

  /** The names of the ladders whose drift series hold one of these; all that have any where null is given. */
  laddersWatching(series: readonly Series[] | null): Promise<string[]>
  /** The series of some runs, each once. */
  seriesOfRuns(runIds: readonly string[]): Promise<Series[]>

  /** Newest first, strictly before a place. */
  listTransitions(ladder: string, page: LogPage): Promise<LoggedTransition[]>
  listChecks(ladder: string, page: LogPage): Promise<LoggedCheck[]>
  /** Of each variant the newest check. */
  latestChecks(ladder: string): Promise<LoggedCheck[]>
}

export interface LadderWrites {
  /** Evaluations of one ladder come one after the other, on all instances; held to the end of the transaction. */
  lockLadder(ladder: string): Promise<void>
  /** The ladder with its first variant and generation 1; answers false, and does nothing, where the name is taken. */
  writeLadder(ladder: Ladder, made: Made): Promise<boolean>
  /** Answers false, and does nothing, where the version is taken. */
  writeVariant(ladder: string, position: number, variant: Variant, made: Made): Promise<boolean>
  /**
   * The state of a variant that follows the one of `revision`.
   * @throws LadderMoved where another one follows it already
   */
  writeVariantState(ladder: string, variant: Variant, revision: number): Promise<void>
  /**
   * Moves the pointer: a compare-and-swap, since the generation before is the only one that this one may follow.
   * @throws LadderMoved where the generation is taken, or does not follow the newest
   */
  writeLive(ladder: string, live: LivePointer): Promise<void>

  writeEpisodes(ladder: string, episodes: readonly Episode[], made: Made): Promise<void>
  /** Takes the number of a stored episode away; again, it changes nothing. */
  writeCap(ladder: string, episodeId: string, violations: readonly string[], made: Made): Promise<void>
  writeComparisons(ladder: string, comparisons: readonly IssuedComparison[], made: Made): Promise<void>
  /** Answers the result's place among all of the ladder. */
  writeResult(
    ladder: string,
    comparisonId: string,
    result: { readonly winner: Winner; readonly judge: string | null },
    made: Made,
  ): Promise<number>

  /** Answers the place of the first. */
  writeTransitions(ladder: string, transitions: readonly Transition[]): Promise<number>
  writeChecks(ladder: string, checks: readonly RungCheck[], createdAt: Timestamp): Promise<void>
}

/** Another transaction was faster: what was read is no longer so. To be evaluated again, from the start. */
export class LadderMoved extends Error {
  override readonly name = 'LadderMoved'
}

/** By whom and when a row was made. */
export interface Made {
  readonly at: Timestamp
  readonly by: string
}

export interface StoredLadder {
  readonly ladder: Ladder
  /** Version to the number of its newest state, which the next one follows. */
  readonly revisions: ReadonlyMap<string, number>
  readonly createdAt: Timestamp
  readonly createdBy: string
}

/** With its late cap, where it has one, in place of the score that it was stored with. */
export type StoredEpisode = Episode & {
  readonly createdAt: Timestamp
  readonly createdBy: string
  /** The number that a late cap took away, to tell a repetition of what was sent first; null where there was none. */
  readonly scoredBefore: number | null
  readonly cappedAt: Timestamp | null
}

export interface EpisodeFilter {
  readonly variant?: string
  readonly groupId?: string
  readonly split?: Episode['split']
}

export interface EpisodePage {
  readonly limit: number
  readonly after: { readonly createdAt: Timestamp; readonly id: string } | null
}

export type IssuedComparison = Pick<Comparison, 'comparisonId' | 'groupId' | 'generation' | 'a' | 'b'>

/** `voided` is read from the episodes: a comparison is void from the moment on at which one of its two is capped. */
export interface StoredComparison extends Comparison {
  readonly judge: string | null
  readonly createdAt: Timestamp
}

/** An absent member selects everything. */
export interface ComparisonFilter {
  readonly groupId?: string
  readonly generation?: number
  readonly variant?: string
}

export interface CommitRun {
  readonly runId: string
  readonly series: Series
  readonly commitSha: string
  readonly createdAt: Timestamp
  readonly trusted: boolean
  /** null where the run came another way than by a submission. */
  readonly outcome: 'pass' | 'fail' | null
}

export interface LogPage {
  readonly limit: number
  /** The place to go on from; null for the newest. */
  readonly before: number | null
  readonly variant?: string
}

export interface LoggedTransition {
  readonly sequence: number
  readonly transition: Transition
}

export interface LoggedCheck {
  readonly sequence: number
  readonly createdAt: Timestamp
  readonly check: RungCheck
}
