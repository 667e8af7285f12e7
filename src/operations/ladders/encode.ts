import type {
  LadderDocument,
  LiveDocument,
  LoggedCheckDocument,
  PredicateDocument,
  RungCheckDocument,
  TransitionDocument,
  EpisodeDocument,
} from '../../documents/ladder.js'
import type { LadderTestDocument } from '../../documents/ladder-reports.js'
import type { TestConfig, TestState } from '../../promotion/sequential-test.js'
import type { RungCheck } from '../../promotion/evaluate.js'
import type { LivePointer } from '../../promotion/ladder.js'
import type { Predicate } from '../../promotion/predicate.js'
import { shareOf, shares } from '../../promotion/shares.js'
import type { Transition } from '../../promotion/transition.js'
import type { LoggedCheck, LoggedTransition, StoredEpisode, StoredLadder } from '../../store/ladders.js'
import { encodeSeries } from '../encode.js'

export function encodeLive({ version, generation, since }: LivePointer): LiveDocument {
  return { version, generation, since }
}

export function encodePredicates(predicates: readonly Predicate[]): PredicateDocument[] {
  return predicates.map(({ name, passed, inputs }) => ({ name, passed, inputs }))
}

export function encodeTransition({ sequence, transition }: LoggedTransition): TransitionDocument {
  const { variant, from, to, share, cause, predicates, live, actor, reason, at } = transition
  return {
    sequence,
    variant,
    from,
    to,
    share,
    cause,
    predicates: encodePredicates(predicates),
    live: encodeLive(live),
    actor,
    reason,
    at,
  }
}

/** @param first the place of the first among all of the ladder */
export function encodeTransitions(transitions: readonly Transition[], first: number): TransitionDocument[] {
  return transitions.map((transition, index) => encodeTransition({ sequence: first + index, transition }))
}

export function encodeCheck({ variant, rung, rampStep, passed, predicates }: RungCheck): RungCheckDocument {
  return { variant, rung, ramp_step: rampStep, passed, predicates: encodePredicates(predicates) }
}

export function encodeLoggedCheck({ sequence, createdAt, check }: LoggedCheck): LoggedCheckDocument {
  return { sequence, created_at: createdAt, ...encodeCheck(check) }
}

export function encodeLadder({ ladder, createdAt, createdBy }: StoredLadder): LadderDocument {
  const { name, config, live, variants } = ladder
  return {
    ladder: name,
    mode: config.mode,
    trial_share: config.trialShare,
    min_shadow_episodes: config.minShadowEpisodes,
    test: encodeTestConfig(config.test),
    pass_rate_margin: config.passRateMargin,
    min_verified: config.minVerified,
    resource_budget: config.resourceBudget,
    drift_series: config.driftSeries.map(encodeSeries),
    canary_share: config.canaryShare,
    ramp_shares: [...config.rampShares],
    sustain_groups: config.sustainGroups,
    cost_budget: config.costBudget,
    live: encodeLive(live),
    shares: shares(ladder),
    variants: variants.map((variant) => ({
      version: variant.version,
      rung: variant.rung,
      ramp_step: variant.rampStep,
      share: shareOf(ladder, variant),
      parents: [...variant.parents],
      commit_sha: variant.commitSha,
      since: variant.since.at,
    })),
    created_at: createdAt,
    created_by: createdBy,
  }
}

function encodeTestConfig(test: TestConfig): LadderDocument['test'] {
  const { kind, alpha, beta } = test
  return {
    kind,
    alpha,
    beta,
    min_effect: test.kind === 'mixture' ? test.minEffect : null,
    p1: test.kind === 'sprt' ? test.p1 : null,
  }
}

export function encodeEpisode(episode: StoredEpisode): EpisodeDocument {
  const { score } = episode
  return {
    episode_id: episode.episodeId,
    variant: episode.variant,
    group_id: episode.groupId,
    split: episode.split,
    rung: episode.rung,
    score:
      score.kind === 'scored'
        ? { kind: 'scored', value: score.value }
        : { kind: 'capped', violations: [...score.violations] },
    verifier_passed: episode.verifierPassed,
    cost: episode.cost,
    created_at: episode.createdAt,
    capped_at: episode.cappedAt,
  }
}

/** @param against the pointer under which the comparisons were issued */
export function encodeTest(variant: string, against: LivePointer, test: TestState): LadderTestDocument {
  return {
    variant,
    against: against.version,
    generation: against.generation,
    kind: test.kind,
    wins: test.wins,
    losses: test.losses,
    ties: test.ties,
    errors: test.errors,
    statistic: test.statistic,
    futility_statistic: test.futilityStatistic,
    accept_at: test.acceptAt,
    reject_at: test.rejectAt,
    decision: test.decision,
    decided_at: test.decidedAt,
    trajectory: [...test.trajectory],
  }
}
