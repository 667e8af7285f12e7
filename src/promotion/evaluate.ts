import type { Context, DriftFacts } from './context.js'
import { entryPredicates, nextTarget, type Target } from './criteria.js'
import type { SelectionView } from './episode.js'
import { voidedByCaps } from './comparison.js'
import { gatherEvidence } from './evidence.js'
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
export interface Evaluation {
  /** Afterwards. Write its pointer with a compare-and-swap on the generation that was read. */
  readonly ladder: Ladder
  /** In the order in which they follow from each other; empty when nothing moved. */
  readonly transitions: readonly Transition[]
  /** One for each variant that has a next rung. What passed is in the transitions, with its predicates too. */
  readonly checks: readonly RungCheck[]
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
  const evidence = gatherEvidence(view)
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
  return {
    ladder: context.ladder,
    transitions,
    checks: checksOf(context),
    voided: voidedByCaps(view.comparisons, view.episodes),
  }
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
