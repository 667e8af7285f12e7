import { type Static, Type } from 'typebox'
import { RUNG_NAMES } from '../../documents/ladder.js'
import { invalidInput } from '../../errors.js'
import type { Fault } from '../../gate/outcome.js'
import type { SentEpisode } from '../../operations/ladders/episodes.js'
import type { LadderRequest } from '../../operations/ladders/ladders.js'
import { DEFAULT_LADDER_CONFIG, type LadderConfig } from '../../promotion/config.js'
import type { Facts, Registration } from '../../promotion/ladder.js'
import type { Score } from '../../promotion/score.js'
import type { TestConfig } from '../../promotion/sequential-test.js'
import {
  Absent,
  BackendField,
  Body,
  CommitShaField,
  ReasonField,
  SuiteField,
  TestPathField,
} from './fields.js'

/** An index entry holds a ladder beside a series, or beside two ids. */
export const LadderField = Type.String({
  format: 'path-name',
  maxLength: 128,
  description: 'the name of a ladder, as summarizer',
})
const id = (description: string) => Type.String({ format: 'path-name', maxLength: 256, description })
export const VersionField = id('a version, as v2')
export const EpisodeIdField = id('an id of your own, by which an episode is stored once')
export const GroupIdField = id('what episodes of one task have in common')
const TextField = Type.String({ format: 'text', maxLength: 1_024 })
const Amounts = (description: string) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'number', minimum: 0 },
    propertyNames: { type: 'string', minLength: 1, maxLength: 128, format: 'text' },
    maxProperties: 100,
    description,
  })

const MAX_EPISODES = 1_000

/** A body that may be left out. */
export const NoBodySchema = Type.Unsafe<Record<string, never> | null>({
  type: ['object', 'null'],
  properties: {},
  additionalProperties: false,
  description: 'nothing, or {}',
})

export const LadderBodySchema = Body({
  ladder: LadderField,
  mode: Absent(Type.Enum(['pairwise', 'tournament'])),
  live: Body({ version: VersionField }),
  trial_share: Absent(Type.Number({ description: 'a part of 1; 0.05 by default' })),
  min_shadow_episodes: Absent(Type.Integer()),
  test: Absent(
    Body({
      kind: Absent(Type.Enum(['mixture', 'sprt'])),
      alpha: Absent(Type.Number()),
      beta: Absent(Type.Number()),
      min_effect: Absent(Type.Number({ description: 'of mixture' })),
      p1: Absent(Type.Number({ description: 'of sprt' })),
    }),
  ),
  pass_rate_margin: Absent(Type.Number()),
  min_verified: Absent(Type.Integer()),
  resource_budget: Absent(Amounts('a limit for each dimension; one without a limit fits')),
  drift_series: Absent(
    Type.Array(Body({ test_path: TestPathField, backend: BackendField, suite: SuiteField }), {
      maxItems: 100,
    }),
  ),
  canary_share: Absent(Type.Number()),
  ramp_shares: Absent(Type.Array(Type.Number(), { maxItems: 20 })),
  sustain_groups: Absent(Type.Integer()),
  cost_budget: Absent(Type.Number()),
})

/** @throws GatehouseError invalid_input for a parameter of the other test */
export function readLadderRequest(body: Static<typeof LadderBodySchema>): LadderRequest {
  const config: Partial<LadderConfig> = {
    ...given('mode', body.mode),
    ...given('trialShare', body.trial_share),
    ...given('minShadowEpisodes', body.min_shadow_episodes),
    ...given('passRateMargin', body.pass_rate_margin),
    ...given('minVerified', body.min_verified),
    ...given('resourceBudget', body.resource_budget),
    ...given('canaryShare', body.canary_share),
    ...given('rampShares', body.ramp_shares),
    ...given('sustainGroups', body.sustain_groups),
    ...given('costBudget', body.cost_budget),
    ...(body.drift_series && {
      driftSeries: body.drift_series.map(({ test_path: testPath, backend, suite }) => ({
        testPath,
        backend,
        suite,
      })),
    }),
    ...(body.test && { test: readTestConfig(body.test) }),
  }
  return { ladder: body.ladder, live: body.live.version, config }
}

function readTestConfig(test: NonNullable<Static<typeof LadderBodySchema>['test']>): TestConfig {
  const kind = test.kind ?? 'mixture'
  const foreign = kind === 'mixture' ? 'p1' : 'min_effect'
  if (test[foreign] !== undefined && test[foreign] !== null) {
    throw invalidInput([{ where: `test/${foreign}`, message: `is no parameter of ${kind}; leave it out` }])
  }
  const shared = {
    alpha: test.alpha ?? DEFAULT_LADDER_CONFIG.test.alpha,
    beta: test.beta ?? DEFAULT_LADDER_CONFIG.test.beta,
  }
  return kind === 'mixture'
    ? { kind, ...shared, minEffect: test.min_effect ?? 0.1 }
    : { kind, ...shared, p1: test.p1 ?? 0.6 }
}

/** null means absent. */
function given<N extends string, T>(name: N, value: T | null | undefined) {
  return (value === undefined || value === null ? {} : { [name]: value }) as { [K in N]?: NonNullable<T> }
}

const FactsBody = Body({
  validated: Absent(Type.Boolean()),
  sandbox_clean: Absent(Type.Boolean()),
  resource_profile: Absent(Amounts('what the version declares to need, by dimension')),
})

export const VariantBodySchema = Body({
  version: VersionField,
  parents: Absent(Type.Array(VersionField, { maxItems: 100, uniqueItems: true })),
  commit_sha: Absent(CommitShaField),
  facts: Absent(FactsBody),
})

export const FactsBodySchema = Body({ facts: FactsBody })

export function readRegistration(body: Static<typeof VariantBodySchema>): Registration {
  return {
    version: body.version,
    parents: body.parents ?? [],
    commitSha: body.commit_sha ?? null,
    facts: { validated: null, sandboxClean: null, resourceProfile: {}, ...readFacts(body.facts ?? {}) },
  }
}

/** Those that are given. */
export function readFacts(facts: Static<typeof FactsBody>): Partial<Facts> {
  return {
    ...given('validated', facts.validated),
    ...given('sandboxClean', facts.sandbox_clean),
    ...given('resourceProfile', facts.resource_profile),
  }
}

const EpisodeBody = Body({
  episode_id: EpisodeIdField,
  variant: VersionField,
  group_id: GroupIdField,
  split: Type.Enum(['selection', 'held_out'], { description: 'what decisions may read, or the final audit' }),
  score: Body({
    kind: Type.Enum(['scored', 'capped']),
    value: Absent(Type.Number({ description: 'of a scored one' })),
    violations: Absent(Type.Array(TextField, { maxItems: 100, description: 'of a capped one' })),
  }),
  verifier_passed: Absent(Type.Boolean()),
  cost: Absent(Type.Number({ description: 'in a unit of your own' })),
})

export const EpisodesBodySchema = Body({
  episodes: Type.Array(EpisodeBody, { minItems: 1, maxItems: MAX_EPISODES }),
})

/** @throws GatehouseError invalid_input for a score that is neither scored nor capped, or both */
export function readEpisodes(body: Static<typeof EpisodesBodySchema>): SentEpisode[] {
  const faults: Fault[] = []
  const episodes = body.episodes.map((sent, index): SentEpisode => {
    const { score } = sent
    const message = scoreFault(score)
    if (message !== null) faults.push({ where: `episodes/${index}/score`, message })
    return {
      episodeId: sent.episode_id,
      variant: sent.variant,
      groupId: sent.group_id,
      split: sent.split,
      score: readScore(score),
      verifierPassed: sent.verifier_passed ?? null,
      cost: sent.cost ?? null,
    }
  })
  if (faults.length > 0) throw invalidInput(faults.slice(0, 100))
  return episodes
}

type SentScore = Static<typeof EpisodeBody>['score']

function scoreFault({ kind, value, violations }: SentScore): string | null {
  const hasValue = value !== undefined && value !== null
  const hasViolations = violations !== undefined && violations !== null
  if (kind === 'scored') {
    if (!hasValue) return 'is scored and needs a value'
    return hasViolations ? 'is scored and has violations; a violation of the core makes it capped' : null
  }
  if (hasValue) return 'is capped and has a value; a capped score has no number'
  return hasViolations ? null : 'is capped and needs violations'
}

function readScore({ kind, value, violations }: SentScore): Score {
  return kind === 'scored' ? { kind, value: value ?? NaN } : { kind, violations: violations ?? [] }
}

export const ResultBodySchema = Body({
  winner: Type.Enum(['a', 'b', 'tie', 'error'], { description: 'an error is no evidence' }),
  judge: Absent(TextField),
})

export const OverrideBodySchema = Body({
  variant: VersionField,
  to_rung: Type.Enum([...RUNG_NAMES]),
  reason: ReasonField,
})

export const LadderParams = Type.Object({ ladder: LadderField })
export const LadderVariantParams = Type.Object({ ladder: LadderField, version: VersionField })
export const LadderEpisodeParams = Type.Object({ ladder: LadderField, episode_id: EpisodeIdField })
export const LadderGroupParams = Type.Object({ ladder: LadderField, group_id: GroupIdField })
export const LadderComparisonParams = Type.Object({
  ladder: LadderField,
  comparison_id: Type.String({ format: 'uuid' }),
})
