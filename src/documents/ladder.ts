import { type Static, Type } from 'typebox'
import { Document, Nullable, SeriesSchema, TimestampSchema } from './common.js'
import { PageSchema } from './page.js'

const ShareSchema = Type.Number({ description: 'a part of 1' })

export const RUNG_NAMES = [
  'registered',
  'shadow',
  'trial',
  'canary',
  'ramp',
  'current',
  'rejected',
  'rolled_back',
  'superseded',
] as const
export const RungSchema = Type.Enum([...RUNG_NAMES])

export const LiveSchema = Document({
  version: Type.String(),
  generation: Type.Integer({ description: 'from 1; each change of the live version raises it by one' }),
  since: TimestampSchema,
})
export type LiveDocument = Static<typeof LiveSchema>

export const PredicateSchema = Document({
  name: Type.String(),
  passed: Type.Boolean(),
  inputs: Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    description: 'what it read, by name',
    additionalProperties: true,
  }),
})
export type PredicateDocument = Static<typeof PredicateSchema>

export const TransitionSchema = Document({
  sequence: Type.Integer({ description: 'its place among all of the ladder, from 1' }),
  variant: Type.String(),
  from: RungSchema,
  to: RungSchema,
  share: ShareSchema,
  cause: Type.String(),
  predicates: Type.Array(PredicateSchema, { description: 'what decided it' }),
  live: LiveSchema,
  actor: Type.String({ description: 'rules, or who overrode them' }),
  reason: Nullable(Type.String()),
  at: TimestampSchema,
})
export type TransitionDocument = Static<typeof TransitionSchema>
export const TransitionPageSchema = PageSchema(TransitionSchema)
export type TransitionPage = Static<typeof TransitionPageSchema>

const checkMembers = {
  variant: Type.String(),
  rung: RungSchema,
  ramp_step: Nullable(Type.Integer()),
  passed: Type.Boolean(),
  predicates: Type.Array(PredicateSchema),
}
/** The entry criterion of a variant's next rung. */
export const RungCheckSchema = Document(checkMembers)
export type RungCheckDocument = Static<typeof RungCheckSchema>
export const LoggedCheckSchema = Document({
  sequence: Type.Integer({ description: 'its place among all of the ladder, from 1' }),
  created_at: TimestampSchema,
  ...checkMembers,
})
export type LoggedCheckDocument = Static<typeof LoggedCheckSchema>
export const CheckPageSchema = PageSchema(LoggedCheckSchema)
export type CheckPage = Static<typeof CheckPageSchema>

export const LadderSchema = Document({
  ladder: Type.String(),
  mode: Type.Enum(['pairwise', 'tournament']),
  trial_share: ShareSchema,
  min_shadow_episodes: Type.Integer(),
  test: Document({
    kind: Type.Enum(['mixture', 'sprt']),
    alpha: Type.Number(),
    beta: Type.Number(),
    min_effect: Nullable(Type.Number()),
    p1: Nullable(Type.Number()),
  }),
  pass_rate_margin: Type.Number(),
  min_verified: Type.Integer(),
  resource_budget: Type.Unsafe<Readonly<Record<string, number>>>({
    type: 'object',
    additionalProperties: { type: 'number' },
  }),
  drift_series: Type.Array(SeriesSchema),
  canary_share: ShareSchema,
  ramp_shares: Type.Array(ShareSchema),
  sustain_groups: Type.Integer(),
  cost_budget: Nullable(Type.Number()),
  live: LiveSchema,
  shares: Type.Array(Document({ version: Type.String(), share: ShareSchema }), {
    description: 'who has traffic, the live version first; they add up to 1',
  }),
  variants: Type.Array(
    Document({
      version: Type.String(),
      rung: RungSchema,
      ramp_step: Nullable(Type.Integer()),
      share: ShareSchema,
      parents: Type.Array(Type.String()),
      commit_sha: Nullable(Type.String()),
      since: TimestampSchema,
    }),
  ),
  created_at: TimestampSchema,
  created_by: Type.String(),
})
export type LadderDocument = Static<typeof LadderSchema>
export const LadderPageSchema = PageSchema(LadderSchema)
export type LadderPage = Static<typeof LadderPageSchema>

const FactsSchema = Document({
  validated: Nullable(Type.Boolean()),
  sandbox_clean: Nullable(Type.Boolean()),
  resource_profile: Type.Unsafe<Readonly<Record<string, number>>>({
    type: 'object',
    additionalProperties: { type: 'number' },
  }),
})

const StrengthSchema = Document({
  value: Type.Number({ description: 'a natural logarithm; mean 0 over those it can be measured against' }),
  standard_error: Type.Number(),
  lower: Type.Number({ description: 'of the 95 % interval' }),
  upper: Type.Number(),
})

export const VariantSchema = Document({
  version: Type.String(),
  rung: RungSchema,
  ramp_step: Nullable(Type.Integer()),
  share: ShareSchema,
  parents: Type.Array(Type.String()),
  commit_sha: Nullable(Type.String()),
  facts: FactsSchema,
  placed: Type.Enum(['by_rule', 'raised', 'lowered']),
  predecessor: Nullable(Type.String({ description: 'the version it replaced when it became live' })),
  since: TimestampSchema,
  episodes: Type.Integer({ description: 'how many of the split selection are stored' }),
  held_out_episodes: Type.Integer(),
  comparisons: Document({
    won: Type.Integer(),
    lost: Type.Integer(),
    tied: Type.Integer(),
    voided: Type.Integer(),
  }),
  strength: Nullable(StrengthSchema),
  predicates: Type.Array(PredicateSchema, {
    description: 'of its next rung, as they were last evaluated; none where there is no next rung',
  }),
})
export type VariantDocument = Static<typeof VariantSchema>

export const RegisteredSchema = Document({
  version: Type.String(),
  rung: RungSchema,
  predicates: Type.Array(PredicateSchema, { description: "of shadow's entry" }),
  transitions: Type.Array(TransitionSchema),
  live: LiveSchema,
})
export type RegisteredDocument = Static<typeof RegisteredSchema>

const ScoreSchema = Type.Union([
  Document({ kind: Type.Enum(['scored']), value: Type.Number() }),
  Document({ kind: Type.Enum(['capped']), violations: Type.Array(Type.String()) }),
])

export const EpisodeSchema = Document({
  episode_id: Type.String(),
  variant: Type.String(),
  group_id: Type.String(),
  split: Type.Enum(['selection', 'held_out']),
  rung: RungSchema,
  score: ScoreSchema,
  verifier_passed: Nullable(Type.Boolean()),
  cost: Nullable(Type.Number()),
  created_at: TimestampSchema,
  capped_at: Nullable(Type.String({ description: 'when it was capped, if later than it was stored' })),
})
export type EpisodeDocument = Static<typeof EpisodeSchema>
export const EpisodePageSchema = PageSchema(EpisodeSchema)
export type EpisodePage = Static<typeof EpisodePageSchema>

export const EpisodesTakenSchema = Document({
  accepted: Type.Integer({ description: 'stored anew, late caps among them' }),
  duplicates: Type.Integer({ description: 'stored before with the same content' }),
  transitions: Type.Array(TransitionSchema),
  live: LiveSchema,
})
export type EpisodesTakenDocument = Static<typeof EpisodesTakenSchema>
