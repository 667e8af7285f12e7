import type { PredicateDocument, RegisteredDocument, VariantDocument } from '../../documents/ladder.js'
import { GatehouseError, invalidInput } from '../../errors.js'
import { comparisonRecord } from '../../promotion/comparison.js'
import {
  findVariant,
  register,
  withFacts,
  type Facts,
  type Ladder,
  type Registration,
} from '../../promotion/ladder.js'
import { strengthsFrom } from '../../promotion/reports.js'
import { shareOf } from '../../promotion/shares.js'
import { askedBy } from '../asked-by.js'
import type { Gatehouse } from '../gatehouse.js'
import type { Caller } from '../submission.js'
import { changeLadder, logTransitions, noLadder, noVariant, settle, type Settled } from './change.js'
import { encodeLive, encodePredicates } from './encode.js'

/**
 * Takes a variant onto a ladder; it comes onto shadow at once where the entry's predicates pass.
 * @throws GatehouseError not_found, name_taken, invalid_input
 */
export async function registerVariant(
  gatehouse: Gatehouse,
  caller: Caller,
  name: string,
  registration: Registration,
): Promise<RegisteredDocument> {
  const { actor } = caller.principal
  const { version } = registration
  let made: { at: string; answer: RegisteredDocument } | null = null
  const answer = await changeLadder(gatehouse, name, async (changing) => {
    const { writer, stored, now, attempt } = changing
    const registered = register(stored.ladder, registration, now)
    if (!registered.ok && registered.why === 'known_version') {
      // A retry after a commit whose answer was lost finds its own.
      if (attempt > 1 && made !== null) return made.answer
      throw new GatehouseError(
        'name_taken',
        `the ladder has a version ${JSON.stringify(version)} already, on ${findVariant(stored.ladder, version)?.rung}; ids are never used again, also those of versions that were rolled back`,
      )
    }
    if (!registered.ok) {
      throw invalidInput(
        registered.parents.map((parent) => ({
          where: `parents/${registration.parents.indexOf(parent)}`,
          message: `${JSON.stringify(parent)} is no version of this ladder; register it first`,
        })),
      )
    }
    const { ladder } = registered
    await writer.writeVariant(name, ladder.variants.length - 1, ladder.variants.at(-1)!, {
      at: now,
      by: actor,
    })
    const revisions = new Map(stored.revisions).set(version, 1)
    const settled = await settle({ ...changing, stored: { ...stored, ladder, revisions } })
    made = { at: now, answer: registeredDocument(version, settled) }
    return made.answer
  })
  gatehouse.log.info(
    { ...askedBy(caller), ladder: name, variant: version, rung: answer.rung },
    'variant registered',
  )
  logTransitions(gatehouse, caller, name, answer.transitions)
  return answer
}

/**
 * Changes what is known of a variant; what is left out stays as it is.
 * @throws GatehouseError not_found
 */
export async function changeFacts(
  gatehouse: Gatehouse,
  caller: Caller,
  name: string,
  version: string,
  facts: Partial<Facts>,
): Promise<RegisteredDocument> {
  const answer = await changeLadder(gatehouse, name, async (changing) => {
    const { ladder } = changing.stored
    const variant = findVariant(ladder, version)
    if (variant === undefined) throw noVariant(version)
    const changed = withFacts(ladder, version, { ...variant.facts, ...facts })
    return registeredDocument(version, await settle(changing, { ladder: changed, transitions: [] }))
  })
  gatehouse.log.info(
    { ...askedBy(caller), ladder: name, variant: version, facts },
    'facts of a variant changed',
  )
  logTransitions(gatehouse, caller, name, answer.transitions)
  return answer
}

function registeredDocument(version: string, settled: Settled): RegisteredDocument {
  const entered = settled.transitions.find(({ variant, to }) => variant === version && to === 'shadow')
  const left = settled.transitions.findLast(({ variant, to }) => variant === version && to === 'registered')
  const check = settled.checks.find(({ variant }) => variant === version)
  const predicates: PredicateDocument[] =
    entered?.predicates ?? left?.predicates ?? encodePredicates(check?.predicates ?? [])
  return {
    version,
    rung: rungOf(settled.ladder, version),
    predicates,
    transitions: [...settled.transitions],
    live: encodeLive(settled.ladder.live),
  }
}

function rungOf(ladder: Ladder, version: string) {
  const variant = findVariant(ladder, version)
  if (variant === undefined) throw noVariant(version)
  return variant.rung
}

/**
 * A variant as it stands, with how its comparisons went; never deleted, whatever became of it.
 * @throws GatehouseError not_found
 */
export async function readVariant(
  { store }: Gatehouse,
  name: string,
  version: string,
): Promise<VariantDocument> {
  return store.read(async (reader) => {
    const stored = await reader.findLadder(name)
    if (stored === null) throw noLadder(name)
    const { ladder } = stored
    const variant = findVariant(ladder, version)
    if (variant === undefined) throw noVariant(version)
    const episodes = await reader.countEpisodes(name, version)
    const comparisons = await reader.listComparisons(name, {})
    const { strengths } = strengthsFrom({ episodes: [], comparisons })
    const strength = strengths.find((one) => one.variant === version)?.estimate ?? null
    const check = (await reader.latestChecks(name)).find((one) => one.check.variant === version)?.check
    const isUnderway = check !== undefined && !isAtAnEnd(variant.rung)
    return {
      version,
      rung: variant.rung,
      ramp_step: variant.rampStep,
      share: shareOf(ladder, variant),
      parents: [...variant.parents],
      commit_sha: variant.commitSha,
      facts: {
        validated: variant.facts.validated,
        sandbox_clean: variant.facts.sandboxClean,
        resource_profile: variant.facts.resourceProfile,
      },
      placed: variant.placed,
      predecessor: variant.predecessor,
      since: variant.since.at,
      episodes: episodes.selection,
      held_out_episodes: episodes.heldOut,
      comparisons: comparisonRecord(comparisons, version),
      strength: strength && {
        value: strength.value,
        standard_error: strength.standardError,
        lower: strength.lower,
        upper: strength.upper,
      },
      predicates: isUnderway ? encodePredicates(check.predicates) : [],
    }
  })
}

function isAtAnEnd(rung: Ladder['variants'][number]['rung']): boolean {
  return rung === 'current' || rung === 'rejected' || rung === 'rolled_back' || rung === 'superseded'
}
