import { uuidv7 } from 'uuidv7'
import type {
  BracketDocument,
  LadderTestDocument,
  ResultTakenDocument,
} from '../../documents/ladder-reports.js'
import { GatehouseError } from '../../errors.js'
import { pairGroup } from '../../promotion/bracket.js'
import { admitResult, type Winner } from '../../promotion/comparison.js'
import { selectionView } from '../../promotion/episode.js'
import type { Ladder, LivePointer } from '../../promotion/ladder.js'
import type { IssuedComparison, LadderQueries, StoredComparison } from '../../store/ladders.js'
import { askedBy } from '../asked-by.js'
import type { Gatehouse } from '../gatehouse.js'
import type { Caller } from '../submission.js'
import { changeLadder, logTransitions, settle } from './change.js'
import { encodeLive, encodeTest } from './encode.js'
import { testState } from './evidence.js'

/**
 * Issues the comparisons of a group that are not issued yet, and answers all that stand under the present live version.
 * @throws GatehouseError not_found
 */
export async function issueBracket(
  gatehouse: Gatehouse,
  caller: Caller,
  name: string,
  groupId: string,
): Promise<BracketDocument> {
  const { actor } = caller.principal
  const { comparisons, issued } = await changeLadder(gatehouse, name, async ({ writer, stored, now }) => {
    const { config, live } = stored.ladder
    // Comparisons under another live version are evidence no more: the group may be compared anew.
    const known = await writer.listComparisons(name, { groupId, generation: live.generation })
    const standing = known.filter(({ voided }) => !voided)
    const { episodes } = selectionView(await writer.groupEpisodes(name, groupId), [])
    const fresh = pairGroup(config.mode, live.version, episodes, standing).map(
      ({ a, b }): IssuedComparison => ({
        comparisonId: uuidv7(),
        groupId,
        generation: live.generation,
        a,
        b,
      }),
    )
    await writer.writeComparisons(name, fresh, { at: now, by: actor })
    return { comparisons: [...standing, ...fresh], issued: fresh.length }
  })
  gatehouse.log.info({ ...askedBy(caller), ladder: name, group_id: groupId, issued }, 'comparisons issued')
  return { comparisons: comparisons.map(encodeComparison) }
}

function encodeComparison(comparison: IssuedComparison | StoredComparison) {
  const { comparisonId, a, b } = comparison
  return {
    comparison_id: comparisonId,
    a: { variant: a.variant, episode_id: a.episodeId },
    b: { variant: b.variant, episode_id: b.episodeId },
    winner: 'winner' in comparison ? comparison.winner : null,
  }
}

/**
 * Takes what a judge said of a comparison, and evaluates.
 * @throws GatehouseError not_found, result_conflict
 */
export async function takeResult(
  gatehouse: Gatehouse,
  caller: Caller,
  name: string,
  comparisonId: string,
  result: { readonly winner: Winner; readonly judge: string | null },
): Promise<ResultTakenDocument> {
  const { actor } = caller.principal
  const { isNew, answer } = await changeLadder(gatehouse, name, async (changing) => {
    const { writer, stored, now } = changing
    const comparison = await writer.findComparison(name, comparisonId)
    if (comparison === null) {
      throw new GatehouseError('not_found', `the ladder has no comparison ${JSON.stringify(comparisonId)}`)
    }
    const isNew = admit(comparison, result.winner)
    if (isNew) await writer.writeResult(name, comparisonId, result, { at: now, by: actor })
    const settled = isNew ? await settle(changing) : { ladder: stored.ladder, transitions: [] }
    const answer: ResultTakenDocument = {
      // Of the version that was live when the comparison was issued: a swap that this result decides hides nothing.
      test: await testOfComparison(writer, stored.ladder, comparison),
      transitions: [...settled.transitions],
      live: encodeLive(settled.ladder.live),
    }
    return { isNew, answer }
  })
  if (isNew) {
    gatehouse.log.info(
      {
        ...askedBy(caller),
        ladder: name,
        comparison_id: comparisonId,
        winner: result.winner,
      },
      'result taken',
    )
  }
  logTransitions(gatehouse, caller, name, answer.transitions)
  return answer
}

/** Whether the result is a first one; its repetition is not. */
function admit(comparison: StoredComparison, winner: Winner): boolean {
  const admitted = admitResult(comparison, winner, new Set())
  if (admitted === 'store' || admitted === 'same') return admitted === 'store'
  throw new GatehouseError(
    'result_conflict',
    admitted === 'voided'
      ? 'one of the two episodes was capped since: the comparison is void, and takes no result'
      : `the comparison has the result ${comparison.winner} already, which stands; another one is not taken`,
  )
}

async function testOfComparison(
  reader: LadderQueries,
  ladder: Ladder,
  { generation, a, b }: StoredComparison,
): Promise<LadderTestDocument | null> {
  const { name, live } = ladder
  const against = generation === live.generation ? live : await reader.readGeneration(name, generation)
  if (against === null) return null
  const challenger = challengerOf([a.variant, b.variant], against)
  if (challenger === null) return null
  const comparisons = await reader.listComparisons(name, { generation })
  return encodeTest(challenger, against, testState(ladder, comparisons, challenger, against))
}

/** null between two challengers of a tournament: they are tested against the live version alone. */
function challengerOf([a, b]: readonly [string, string], { version }: LivePointer): string | null {
  if (a === version) return b
  return b === version ? a : null
}
