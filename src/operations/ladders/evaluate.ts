import type { EvaluationDocument, OverrideDocument } from '../../documents/ladder-reports.js'
import { GatehouseError, invalidInput } from '../../errors.js'
import { findVariant, variantOf } from '../../promotion/ladder.js'
import { override } from '../../promotion/override.js'
import type { HistoryReader } from '../../store/store.js'
import type { Rung } from '../../promotion/ladder.js'
import { askedBy } from '../asked-by.js'
import type { Gatehouse } from '../gatehouse.js'
import type { Caller } from '../submission.js'
import { changeLadder, logTransitions, settle } from './change.js'
import { encodeCheck, encodeLive } from './encode.js'
import { readEvidence } from './evidence.js'

/**
 * Evaluates a ladder as it stands. Asked again without any news, it changes nothing.
 * @throws GatehouseError not_found
 */
export async function evaluateLadder(
  gatehouse: Pick<Gatehouse, 'store' | 'log'>,
  caller: Caller,
  name: string,
): Promise<EvaluationDocument> {
  const answer = await changeLadder(gatehouse, name, async (changing) => {
    const { ladder, transitions, checks } = await settle(changing)
    return { transitions: [...transitions], checks: checks.map(encodeCheck), live: encodeLive(ladder.live) }
  })
  logTransitions(gatehouse, caller, name, answer.transitions)
  return answer
}

/**
 * Evaluates the ladders whose drift series changed. Called after the change is committed and before it is answered, and
 * never fails it: a decision reads the trust of that moment anyway, so what is late here is only what might have become
 * possible, or the record of what became impossible.
 */
export async function evaluateWatching(
  gatehouse: Pick<Gatehouse, 'store' | 'log'>,
  caller: Caller,
  find: (reader: HistoryReader) => Promise<readonly string[]>,
): Promise<void> {
  try {
    for (const name of await gatehouse.store.read(find)) await evaluateLadder(gatehouse, caller, name)
  } catch (error) {
    const fields = { err: error, ...askedBy(caller) }
    gatehouse.log.warn(fields, 'ladders were not evaluated after a change of their drift series')
  }
}

export interface OverrideRequest {
  readonly variant: string
  readonly toRung: Rung
  readonly reason: string
}

/**
 * Moves a variant by one rung, by a person's word; then the rules go on from there.
 * @throws GatehouseError not_found, invalid_input, override_refused
 */
export async function overrideLadder(
  gatehouse: Gatehouse,
  caller: Caller,
  name: string,
  request: OverrideRequest,
): Promise<OverrideDocument> {
  const { actor } = caller.principal
  let done: { at: string; answer: OverrideDocument } | null = null
  const answer = await changeLadder(gatehouse, name, async (changing) => {
    const { writer, stored, now, attempt } = changing
    if (attempt > 1 && done !== null) {
      // After a commit whose answer was lost, once more would be a second rung.
      const own = await writer.listTransitions(name, { limit: 100, before: null, variant: request.variant })
      if (own.some(({ transition }) => transition.at === done?.at && transition.actor === actor)) {
        return done.answer
      }
    }
    if (findVariant(stored.ladder, request.variant) === undefined) {
      const message = `${JSON.stringify(request.variant)} is no version of this ladder`
      throw invalidInput([{ where: 'variant', message }])
    }
    const evidence = await readEvidence(writer, stored.ladder)
    const moved = override(stored.ladder, evidence, { ...request, actor }, now)
    if (!moved.ok) {
      throw new GatehouseError('override_refused', moved.faults[0]?.message ?? 'it is refused', moved.faults)
    }
    const settled = await settle(changing, moved.value)
    const { rung } = variantOf(settled.ladder, request.variant)
    const transitions = [...settled.transitions]
    done = {
      at: now,
      answer: { variant: request.variant, rung, transitions, live: encodeLive(settled.ladder.live) },
    }
    return done.answer
  })
  logTransitions(gatehouse, caller, name, answer.transitions)
  return answer
}
