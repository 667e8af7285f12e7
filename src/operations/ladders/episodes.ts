import type { EpisodeDocument, EpisodePage, EpisodesTakenDocument } from '../../documents/ladder.js'
import { GatehouseError, invalidInput } from '../../errors.js'
import type { Fault } from '../../gate/outcome.js'
import type { Episode, HeldOutEpisode, SelectionEpisode } from '../../promotion/episode.js'
import { findVariant, variantOf, type Ladder } from '../../promotion/ladder.js'
import type { Score } from '../../promotion/score.js'
import type { EpisodeFilter, StoredEpisode } from '../../store/ladders.js'
import { askedBy } from '../asked-by.js'
import type { Gatehouse } from '../gatehouse.js'
import { newestFirst, readPage, type PageRequest } from '../paging.js'
import type { Caller } from '../submission.js'
import { changeLadder, logTransitions, noLadder, settle } from './change.js'
import { encodeEpisode, encodeLive } from './encode.js'

/** An episode as it is sent; on which rung the variant stands, the ladder knows. */
export type SentEpisode = Omit<SelectionEpisode, 'rung'> | Omit<HeldOutEpisode, 'rung'>

/**
 * Stores episodes, all or none, and evaluates. Each is stored once, by its id: the same again is counted and changes
 * nothing, other content is refused. One change of a stored episode is taken: its score may become capped, because a
 * violation may be found late; the way back is none.
 * @throws GatehouseError not_found, invalid_input, content_conflict
 */
export async function takeEpisodes(
  gatehouse: Gatehouse,
  caller: Caller,
  name: string,
  sent: readonly SentEpisode[],
): Promise<EpisodesTakenDocument> {
  const { actor } = caller.principal
  const answer = await changeLadder(gatehouse, name, async (changing): Promise<EpisodesTakenDocument> => {
    const { writer, stored, now } = changing
    assertVariants(stored.ladder, sent)
    const known = await writer.findEpisodes(
      name,
      sent.map(({ episodeId }) => episodeId),
    )
    const sorted = sortOut(stored.ladder, known, sent)
    const made = { at: now, by: actor }
    await writer.writeEpisodes(name, sorted.fresh, made)
    for (const [episodeId, violations] of sorted.caps) {
      await writer.writeCap(name, episodeId, violations, made)
    }
    const accepted = sent.length - sorted.duplicates
    const settled = accepted === 0 ? { ladder: stored.ladder, transitions: [] } : await settle(changing)
    return {
      accepted,
      duplicates: sorted.duplicates,
      transitions: [...settled.transitions],
      live: encodeLive(settled.ladder.live),
    }
  })
  const { accepted, duplicates } = answer
  gatehouse.log.info({ ...askedBy(caller), ladder: name, accepted, duplicates }, 'episodes taken')
  logTransitions(gatehouse, caller, name, answer.transitions)
  return answer
}

function assertVariants(ladder: Ladder, sent: readonly SentEpisode[]): void {
  const faults = sent.flatMap(({ variant }, index): Fault[] =>
    findVariant(ladder, variant)
      ? []
      : [
          {
            where: `episodes/${index}/variant`,
            message: `${JSON.stringify(variant)} is no version of this ladder; register it first`,
          },
        ],
  )
  if (faults.length > 0) throw invalidInput(faults.slice(0, 100))
}

type Known = Pick<StoredEpisode, 'episodeId' | 'scoredBefore'> & Episode

/** Tells new episodes, late caps and repetitions apart; also within what was sent at once. */
function sortOut(ladder: Ladder, stored: readonly StoredEpisode[], sent: readonly SentEpisode[]) {
  const known = new Map<string, Known>(stored.map((episode) => [episode.episodeId, episode]))
  const fresh = new Map<string, Episode>()
  const caps = new Map<string, readonly string[]>()
  const conflicts: Fault[] = []
  let duplicates = 0
  for (const [index, one] of sent.entries()) {
    const { episodeId, score } = one
    const before = known.get(episodeId)
    if (before === undefined) {
      const episode: Episode = { ...one, rung: variantOf(ladder, one.variant).rung }
      fresh.set(episodeId, episode)
      known.set(episodeId, { ...episode, scoredBefore: null })
    } else if (!sameButScore(before, one)) {
      conflicts.push(conflict(index, 'is stored with other content; another episode needs an id of its own'))
    } else if (sameScore(before.score, score) || repeatsFirst(before, score)) {
      duplicates += 1
    } else if (before.score.kind === 'scored' && score.kind === 'capped') {
      caps.set(episodeId, score.violations)
      known.set(episodeId, { ...before, score, scoredBefore: before.score.value })
    } else {
      conflicts.push(
        conflict(index, 'is stored with another score; only a score that becomes capped is taken later'),
      )
    }
  }
  if (conflicts.length > 0) {
    const [first] = conflicts
    throw new GatehouseError(
      'content_conflict',
      `${first!.where} ${first!.message}; nothing was stored`,
      conflicts.slice(0, 100),
    )
  }
  return { fresh: [...fresh.values()], caps, duplicates }
}

function conflict(index: number, message: string): Fault {
  return { where: `episodes/${index}`, message }
}

function sameButScore(known: Known, sent: SentEpisode): boolean {
  return (
    known.variant === sent.variant &&
    known.groupId === sent.groupId &&
    known.split === sent.split &&
    known.verifierPassed === sent.verifierPassed &&
    known.cost === sent.cost
  )
}

function sameScore(one: Score, other: Score): boolean {
  if (one.kind === 'scored' || other.kind === 'scored') {
    return one.kind === 'scored' && other.kind === 'scored' && one.value === other.value
  }
  return JSON.stringify(one.violations) === JSON.stringify(other.violations)
}

/** What was sent before the cap came, sent once more: it is stored, and the cap stands. */
function repeatsFirst({ scoredBefore }: Known, score: Score): boolean {
  return score.kind === 'scored' && scoredBefore !== null && score.value === scoredBefore
}

/** @throws GatehouseError not_found */
export async function readEpisode(
  { store }: Gatehouse,
  name: string,
  episodeId: string,
): Promise<EpisodeDocument> {
  const [episode] = await store.read((reader) => reader.findEpisodes(name, [episodeId]))
  if (episode !== undefined) return encodeEpisode(episode)
  throw new GatehouseError('not_found', `the ladder has no episode ${JSON.stringify(episodeId)}`)
}

/**
 * The episodes of a ladder, newest first, held-out ones among them.
 * @throws GatehouseError not_found
 */
export function listEpisodes(
  { store }: Gatehouse,
  name: string,
  filter: EpisodeFilter,
  request: PageRequest,
): Promise<EpisodePage> {
  return store.read(async (reader) => {
    if ((await reader.readLive(name)) === null) throw noLadder(name)
    return readPage(
      ['episodes', { ladder: name, ...filter }],
      request,
      newestFirst<StoredEpisode>(({ createdAt, episodeId }) => ({ createdAt, id: episodeId })),
      (page) => reader.listEpisodes(name, filter, page),
      encodeEpisode,
    )
  })
}
