import type { TransitionDocument } from '../../documents/ladder.js'
import { GatehouseError } from '../../errors.js'
import type { Timestamp } from '../../gate/run.js'
import type { Evidence } from '../../promotion/evidence.js'
import { decide, type RungCheck } from '../../promotion/evaluate.js'
import type { Ladder, LivePointer } from '../../promotion/ladder.js'
import type { Transition } from '../../promotion/transition.js'
import { LadderMoved, type StoredLadder } from '../../store/ladders.js'
import type { HistoryWriter } from '../../store/store.js'
import { askedBy } from '../asked-by.js'
import type { Gatehouse } from '../gatehouse.js'
import type { Caller } from '../submission.js'
import { encodeTransitions } from './encode.js'
import { readDrift, readEvidence } from './evidence.js'

/** What one transaction works with. */
export interface Changing {
  readonly writer: HistoryWriter
  /** As it stands under the lock. */
  readonly stored: StoredLadder
  /** The store's clock, after the lock was had: changes of one ladder have rising times. */
  readonly now: Timestamp
  /** Greater than 1 after a lost connection, perhaps after a commit whose answer was lost. */
  readonly attempt: number
}

const MOST_TRIES = 5

/**
 * Changes a ladder in one transaction. Those of one ladder wait for each other; should two meet all the same, the key of
 * the pointer lets one win, and the other begins anew with what it finds then.
 * @throws GatehouseError not_found
 */
export async function changeLadder<T>(
  { store }: Pick<Gatehouse, 'store'>,
  name: string,
  work: (changing: Changing) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await store.write(async (writer, attempt) => {
        await writer.lockLadder(name)
        const stored = await writer.findLadder(name)
        if (stored === null) throw noLadder(name)
        return work({ writer, stored, now: await writer.now(), attempt })
      })
    } catch (error) {
      if (!(error instanceof LadderMoved)) throw error
      if (tries < MOST_TRIES) continue
      throw new GatehouseError(
        'unavailable',
        `the ladder ${JSON.stringify(name)} changes faster than this could be decided; ask again`,
        [],
        {},
        { cause: error },
      )
    }
  }
}

/** What an evaluation made of a ladder. */
export interface Settled {
  readonly ladder: Ladder
  readonly transitions: readonly TransitionDocument[]
  readonly checks: readonly RungCheck[]
}

/**
 * Evaluates a ladder and writes what follows, within the transaction that changed its evidence: when the answer is sent,
 * it has happened.
 * @param begun the ladder with what the caller itself changed, and the transitions of that
 */
export async function settle(
  { writer, stored, now }: Changing,
  begun: {
    readonly ladder: Ladder
    readonly transitions: readonly Transition[]
    readonly evidence?: Evidence
  } = {
    ladder: stored.ladder,
    transitions: [],
  },
): Promise<Settled> {
  const { name } = stored.ladder
  const evidence = begun.evidence ?? (await readEvidence(writer, begun.ladder))
  const decisions = decide(begun.ladder, evidence, await readDrift(writer, begun.ladder), now)
  const transitions = [...begun.transitions, ...decisions.transitions]
  for (const live of pointersAfter(stored.ladder.live, transitions)) await writer.writeLive(name, live)
  const before = new Map(stored.ladder.variants.map((variant) => [variant.version, variant]))
  for (const variant of decisions.ladder.variants) {
    if (before.get(variant.version) === variant) continue
    await writer.writeVariantState(name, variant, stored.revisions.get(variant.version) ?? 0)
  }
  const first = transitions.length === 0 ? 0 : await writer.writeTransitions(name, transitions)
  await writeNewChecks(writer, name, decisions.checks, now)
  return {
    ladder: decisions.ladder,
    transitions: encodeTransitions(transitions, first),
    checks: decisions.checks,
  }
}

/** Every generation that was passed through; one evaluation may raise it by more than one. */
function pointersAfter(before: LivePointer, transitions: readonly Transition[]): LivePointer[] {
  const pointers = new Map<number, LivePointer>()
  for (const { live } of transitions)
    if (live.generation > before.generation) pointers.set(live.generation, live)
  return [...pointers.values()].sort((left, right) => left.generation - right.generation)
}

/**
 * Keeps what was found, also where it did not pass. What was found the last time with the same inputs is that record
 * still: a ladder asked a thousand times without any news gains no rows.
 */
async function writeNewChecks(
  writer: HistoryWriter,
  name: string,
  checks: readonly RungCheck[],
  now: Timestamp,
): Promise<void> {
  if (checks.length === 0) return
  const latest = await writer.latestChecks(name)
  const known = new Map(latest.map(({ check }) => [check.variant, JSON.stringify(check)]))
  const news = checks.filter((check) => known.get(check.variant) !== JSON.stringify(check))
  await writer.writeChecks(name, news, now)
}

/** Each change of a rung is a change of state: logged with actor and request id. */
export function logTransitions(
  { log }: Pick<Gatehouse, 'log'>,
  { principal, requestId }: Caller,
  ladder: string,
  transitions: readonly TransitionDocument[],
): void {
  for (const { variant, from, to, cause, live } of transitions) {
    const fields = {
      ...askedBy({ principal, requestId }),
      ladder,
      variant,
      from,
      to,
      cause,
      live: live.version,
      generation: live.generation,
    }
    if (cause === 'core_violation_without_predecessor') {
      log.error(fields, 'the live version violated the core, and there is none to restore')
    } else log.info(fields, 'variant moved')
  }
}

export function noLadder(name: string): GatehouseError {
  return new GatehouseError('not_found', `there is no ladder ${JSON.stringify(name)}`)
}

export function noVariant(version: string): GatehouseError {
  return new GatehouseError('not_found', `the ladder has no variant ${JSON.stringify(version)}`)
}
