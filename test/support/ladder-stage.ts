import { admitResult, cappedEpisodes, type Comparison, type Winner } from '../../src/promotion/comparison.js'
import type { LadderConfig } from '../../src/promotion/config.js'
import type { DriftFact } from '../../src/promotion/context.js'
import { pairGroup } from '../../src/promotion/bracket.js'
import { selectionView, type Episode } from '../../src/promotion/episode.js'
import { evaluate, type Evaluation } from '../../src/promotion/evaluate.js'
import {
  newLadder,
  register,
  variantOf,
  withFacts,
  type Facts,
  type Ladder,
  type Rung,
} from '../../src/promotion/ladder.js'
import type { Predicate, PredicateName } from '../../src/promotion/predicate.js'
import type { Score } from '../../src/promotion/score.js'
import type { Transition } from '../../src/promotion/transition.js'

export const GOOD_FACTS: Facts = { validated: true, sandboxClean: true, resourceProfile: {} }
export const SCORED: Score = { kind: 'scored', value: 0.5 }
export const CAPPED: Score = { kind: 'capped', violations: ['deleted a file outside its folder'] }

export type Sent = { readonly variant: string; readonly groupId: string } & Partial<Episode>

/** A ladder with its rows in memory: stores what is sent and evaluates after each, as the service does. */
export class Stage {
  ladder: Ladder
  episodes: Episode[] = []
  comparisons: Comparison[] = []
  drift = new Map<string, readonly DriftFact[]>()
  transitions: Transition[] = []
  last: Evaluation | null = null
  #time = Date.UTC(2026, 0, 1)
  #sequence = 0

  constructor(config: Partial<LadderConfig> = {}, live = 'v1') {
    this.ladder = newLadder('summarizer', config, live, this.#now())
  }

  #now(): string {
    this.#time += 1_000
    return new Date(this.#time).toISOString()
  }

  get view() {
    return selectionView(this.episodes, this.comparisons)
  }

  evaluate(): Evaluation {
    const evaluation = evaluate(this.ladder, this.view, this.drift, this.#now())
    this.ladder = evaluation.ladder
    this.transitions.push(...evaluation.transitions)
    const voided = new Set(evaluation.voided)
    this.comparisons = this.comparisons.map((comparison) =>
      voided.has(comparison.comparisonId) ? { ...comparison, voided: true } : comparison,
    )
    this.last = evaluation
    return evaluation
  }

  add(version: string, facts: Facts = GOOD_FACTS, commitSha: string | null = null): Evaluation {
    const added = register(this.ladder, { version, parents: ['v1'], commitSha, facts }, this.#now())
    if (!added.ok) throw new Error(added.why)
    this.ladder = added.ladder
    return this.evaluate()
  }

  setFacts(version: string, facts: Facts): Evaluation {
    this.ladder = withFacts(this.ladder, version, facts)
    return this.evaluate()
  }

  /** Stores one episode for each; what is not said is a good one of the split `selection`. */
  run(...sent: readonly Sent[]): Evaluation {
    for (const one of sent) {
      const episode = {
        episodeId: `e${String(this.episodes.length + 1).padStart(4, '0')}`,
        split: 'selection',
        rung: this.rung(one.variant),
        score: SCORED,
        verifierPassed: null,
        cost: null,
        ...one,
      } satisfies Episode
      this.episodes.push(episode)
    }
    return this.evaluate()
  }

  /** Takes the number of a stored episode away. */
  cap(episodeId: string): Evaluation {
    this.episodes = this.episodes.map((episode) =>
      episode.episodeId === episodeId ? { ...episode, score: CAPPED } : episode,
    )
    return this.evaluate()
  }

  /** Issues the comparisons of a group. */
  bracket(groupId: string): Comparison[] {
    const { mode } = this.ladder.config
    const { version, generation } = this.ladder.live
    const episodes = this.view.episodes.filter((episode) => episode.groupId === groupId)
    const issued = pairGroup(mode, version, episodes).map(({ a, b }): Comparison => {
      const comparisonId = `${groupId}:${a.episodeId}:${b.episodeId}`
      return { comparisonId, groupId, generation, a, b, winner: null, sequence: null, voided: false }
    })
    this.comparisons.push(...issued)
    return issued
  }

  judge(comparisonId: string, winner: Winner): Evaluation {
    const capped = cappedEpisodes(this.view.episodes)
    const sequence = ++this.#sequence
    this.comparisons = this.comparisons.map((comparison) => {
      if (comparison.comparisonId !== comparisonId) return comparison
      const admitted = admitResult(comparison, winner, capped)
      if (admitted !== 'store') throw new Error(admitted)
      return { ...comparison, winner, sequence }
    })
    return this.evaluate()
  }

  /** One group: an episode of each version, all comparisons, each judged. */
  round(groupId: string, versions: readonly string[], judge: (comparison: Comparison) => Winner): void {
    this.run(...versions.map((variant) => ({ variant, groupId })))
    for (const comparison of this.bracket(groupId)) {
      this.judge(comparison.comparisonId, judge(comparison))
    }
  }

  rung(version: string): Rung {
    return variantOf(this.ladder, version).rung
  }

  /** What keeps a variant from its next rung: the predicates that failed in the last evaluation. */
  unmet(version: string): PredicateName[] {
    const check = this.last?.checks.find(({ variant }) => variant === version)
    return (check?.predicates ?? []).filter(({ passed }) => !passed).map(({ name }) => name)
  }

  predicate(version: string, name: PredicateName): Predicate {
    const found = this.last?.checks
      .find(({ variant }) => variant === version)
      ?.predicates.find((predicate) => predicate.name === name)
    if (found === undefined) throw new Error(`${name} of ${version} was not evaluated`)
    return found
  }

  /** The way of a variant: each rung it came onto. */
  path(version: string): string[] {
    return this.transitions.filter(({ variant }) => variant === version).map(({ to }) => to)
  }
}
