import type { Context, DriftFacts } from './context.js'
import { entryPredicates, nextTarget, type Target } from './criteria.js'
import type { SelectionView } from './episode.js'
import { voidedByCaps } from './comparison.js'
import { gatherEvidence, type Evidence } from './evidence.js'
import type { Ladder } from './ladder.js'
import { nextMove } from './moves.js'
import type { Predicate } from './predicate.js'
import { readings } from './readings.js'
import { applyMove, type Transition } from './transition.js'

/** The entry criterion of a variant's next rung, as it was found when nothing more moved: what keeps it where it is. */
export interface RungCheck extends Target {
  readonly variant: string
  readonly passed: boolean
  readonly predicates: readonly Predicate[]
}

/** What follows from the evidence of one moment. */
export interface Decisions {
  /** Afterwards. Write its pointer with a compare-and-swap on the generation that was read. */
  readonly ladder: Ladder
  /** In the order in which they follow from each other; empty when nothing moved. */
  readonly transitions: readonly Transition[]
  /** One for each variant that has a next rung. What passed is in the transitions, with its predicates too. */
  readonly checks: readonly RungCheck[]
}

export interface Evaluation extends Decisions {
  /** Comparisons to mark as voided: an episode of theirs is capped. */
  readonly voided: readonly string[]
}

/** The rules, as against a person. */
export const RULES_ACTOR = 'rules'

/**
 * Decides everything that the evidence of this moment decides, until the ladder is at rest: rollbacks, rejections,
 * promotions, the swap. A pure function; asked again with what it answered, it answers that nothing moves.
 * @param view of the ladder's selection episodes and comparisons, in any order
 * @param now RFC 3339; becomes the time of what changes, and decides nothing
 */
export function evaluate(ladder: Ladder, view: SelectionView, drift: DriftFacts, now: string): Evaluation {
  const decisions = decide(ladder, gatherEvidence(view), drift, now)
  return { ...decisions, voided: voidedByCaps(view.comparisons, view.episodes) }
}

/**
 * The same from evidence that is summed up already, for ladders with too many rows to read at each change. Sums made
 * elsewhere must be those of `gatherEvidence`: over selection episodes alone.
 */
export function decide(ladder: Ladder, evidence: Evidence, drift: DriftFacts, now: string): Decisions {
  const occasion = { evidence, actor: RULES_ACTOR, reason: null, now }
  const transitions: Transition[] = []
  let context: Context = { ladder, evidence, readings: readings(ladder.config.test, evidence), drift }
  // Each variant passes each rung once at most in one evaluation; more is a circle in the rules.
  let left = 20 * (ladder.variants.length + 1)
  for (let move = nextMove(context); move !== null; move = nextMove(context)) {
    if (left-- === 0) throw new Error('the evaluation of a ladder does not come to rest')
    const applied = applyMove(context.ladder, move, occasion)
    transitions.push(...applied.transitions)
    context = { ...context, ladder: applied.ladder }
  }
  return { ladder: context.ladder, transitions, checks: checksOf(context) }
}

function checksOf(context: Context): RungCheck[] {
  return context.ladder.variants.flatMap((variant) => {
    const target = nextTarget(context.ladder, variant)
    if (target === null) return []
    const predicates = entryPredicates(context, variant, target)
    return [
      {
        variant: variant.version,
        ...target,
        passed: predicates.every(({ passed }) => passed),
        predicates,
      },
    ]
  })
}
