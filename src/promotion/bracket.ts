import type { Side } from './comparison.js'
import type { SelectionEpisode } from './episode.js'
import type { Mode } from './config.js'
import { compareText } from './order.js'
import { isCapped } from './score.js'

export interface Pairing {
  readonly a: Side
  readonly b: Side
}

/**
 * The comparisons to issue for one group: each other variant against the live one (`a` is the challenger), or all
 * pairs of variants in a tournament.
 *
 * Capped episodes leave before anything is paired, and rungs play no part: what is issued depends on the uncapped
 * episodes alone, so that a group with a capped episode is compared exactly as if that episode did not exist. (Were
 * rungs read, the rollback that a capped episode causes would change who is compared.)
 *
 * Where variants have several episodes in a group, the first is compared with the first, the second with the second,
 * in the order of their ids. Crossing all with all was rejected: comparisons that share an episode are not independent,
 * and the sequential test counts each as new evidence.
 * @param episodes of the group, in any order; the answer does not depend on it
 * @param issued the comparisons of the group that stand already: what they pair is not paired again, so that episodes
 *   which come later are added to a bracket and change nothing of it
 */
export function pairGroup(
  mode: Mode,
  live: string,
  episodes: readonly SelectionEpisode[],
  issued: readonly Pairing[] = [],
): Pairing[] {
  const byVariant = new Map<string, Side[]>()
  const sides = episodes
    .filter(({ score }) => !isCapped(score))
    .map(({ variant, episodeId }) => ({ variant, episodeId }))
    .sort(
      (left, right) =>
        compareText(left.variant, right.variant) || compareText(left.episodeId, right.episodeId),
    )
  for (const side of sides) {
    const known = byVariant.get(side.variant)
    if (known) known.push(side)
    else byVariant.set(side.variant, [side])
  }
  const versions = [...byVariant.keys()]
  const pairs =
    mode === 'pairwise'
      ? versions.filter((version) => version !== live).map((version) => [version, live] as const)
      : versions.flatMap((one, index) => versions.slice(index + 1).map((other) => [one, other] as const))
  return pairs.flatMap(([one, other]) => {
    const paired = new Set(issued.filter((pairing) => isBetween(pairing, one, other)).flatMap(episodesOf))
    const free = (version: string) =>
      (byVariant.get(version) ?? []).filter(({ episodeId }) => !paired.has(episodeId))
    return zip(free(one), free(other))
  })
}

function isBetween({ a, b }: Pairing, one: string, other: string): boolean {
  return (a.variant === one && b.variant === other) || (a.variant === other && b.variant === one)
}

function episodesOf({ a, b }: Pairing): string[] {
  return [a.episodeId, b.episodeId]
}

function zip(left: readonly Side[], right: readonly Side[]): Pairing[] {
  return left.slice(0, right.length).map((a, index) => ({ a, b: right[index]! }))
}
