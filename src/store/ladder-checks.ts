/** The write boundary of ladders; see `write-checks.ts`. */
import type { Episode } from '../promotion/episode.js'
import type { Ladder, LivePointer, Variant } from '../promotion/ladder.js'
import type { IssuedComparison, Made } from './ladders.js'
import {
  assertBytes,
  assertInteger,
  assertTexts,
  assertTimestamp,
  MAX_SERIES_BYTES,
  NotStorable,
} from './write-checks.js'

/**
 * Bytes of UTF-8, by what one entry of a PostgreSQL index can hold (2,704 bytes): that of drift series has the ladder
 * beside a series, those of episodes and variants the ladder and one or two ids.
 */
export const MAX_LADDER_BYTES = 512
export const MAX_LADDER_ID_BYTES = 1_024

export function assertStorableLadder({ name, config, live }: Ladder, made: Made): void {
  assertTexts({ ladder: name, config: JSON.stringify(config) })
  assertBytes('ladder', name, MAX_LADDER_BYTES)
  for (const { testPath, backend, suite } of config.driftSeries) {
    assertBytes('driftSeries', testPath + backend + suite, MAX_SERIES_BYTES)
  }
  assertStorableLive(live)
  assertMade(made)
}

export function assertStorableLive({ version, generation, since }: LivePointer): void {
  assertId('version', version)
  assertInteger('generation', generation, 1, Number.MAX_SAFE_INTEGER)
  assertTimestamp('since', since)
}

export function assertStorableVariant(variant: Variant, made: Made): void {
  assertId('version', variant.version)
  assertTexts({ parents: variant.parents.join(), commitSha: variant.commitSha ?? '' })
  assertTexts({ facts: JSON.stringify(variant.facts) })
  assertMade(made)
}

export function assertStorableEpisode(episode: Episode, made: Made): void {
  const { score, cost } = episode
  assertId('episodeId', episode.episodeId)
  assertId('variant', episode.variant)
  assertId('groupId', episode.groupId)
  if (score.kind === 'capped') assertTexts({ violations: score.violations.join() })
  else if (!Number.isFinite(score.value)) throw new NotStorable(`the score is ${score.value}`)
  if (cost !== null && !Number.isFinite(cost)) throw new NotStorable(`the cost is ${cost}`)
  assertMade(made)
}

export function assertStorableCap(violations: readonly string[], made: Made): void {
  assertTexts({ violations: violations.join() })
  assertMade(made)
}

export function assertStorableComparison(
  { comparisonId, groupId, a, b }: IssuedComparison,
  made: Made,
): void {
  assertId('comparisonId', comparisonId)
  assertId('groupId', groupId)
  for (const { variant, episodeId } of [a, b]) {
    assertId('variant', variant)
    assertId('episodeId', episodeId)
  }
  assertMade(made)
}

export function assertStorableResult(judge: string | null, made: Made): void {
  assertTexts({ judge: judge ?? '' })
  assertMade(made)
}

/** JSON of what is made of texts that were checked when they came. */
export function assertStorableDocument(document: string): void {
  assertTexts({ document })
}

function assertId(name: string, id: string): void {
  assertTexts({ [name]: id })
  assertBytes(name, id, MAX_LADDER_ID_BYTES)
}

function assertMade({ at, by }: Made): void {
  assertTimestamp('at', at)
  assertTexts({ by })
}
