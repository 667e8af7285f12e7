import { type Static, type TSchema, Type } from 'typebox'
import { Document, DoubleSchema, Nullable, SeriesSchema, TimestampSchema } from './common.js'

const coordinate = { series: SeriesSchema, metric_key: Type.String(), step: Type.Integer() }
const candidate = {
  run_id: Type.String(),
  created_at: TimestampSchema,
  ...coordinate,
  value: DoubleSchema,
}
const SideSchema = Type.Enum(['above', 'below'])

/** A list that is bounded stands beside its total. */
function total(list: string) {
  return Type.Integer({ description: `how many there are; ${list} holds at most snapshot.list_limit` })
}

const FailingCandidateSchema = Document({
  ...candidate,
  n: Nullable(Type.Integer({ description: 'null for a hard_ref' })),
  mean: Nullable(Type.Number()),
  lower: Nullable(DoubleSchema),
  upper: Nullable(DoubleSchema),
  rule: Type.Enum(['band', 'hard_ref']),
  side: Nullable(SideSchema),
  insufficient_history: Type.Boolean(),
})
export type FailingCandidateDocument = Static<typeof FailingCandidateSchema>

function newest<S extends TSchema>(item: S, description: string) {
  return Type.Array(item, { description: `${description}; oldest first, the newest where they are too many` })
}

export const ReplaySchema = Document({
  snapshot: Document({
    window: Type.Integer(),
    minimum: Type.Integer({ description: 'trusted values that enforcement needs' }),
    runs: Type.Integer({ description: 'runs read: also those before `since`, as history' }),
    values: Type.Integer(),
    series: Type.Integer(),
    since: Nullable(TimestampSchema),
    until: Nullable(TimestampSchema),
    filter: Document({
      test_path: Nullable(Type.String()),
      backend: Nullable(Type.String()),
      suite: Nullable(Type.String()),
    }),
    declarations: Type.Enum(['given', 'newest_run'], {
      description: 'named by the request, or those of the newest writing run of each series',
    }),
    list_limit: Type.Integer({ description: 'entries that each list holds at most' }),
  }),
  counts: Document({
    comparisons: Type.Integer(),
    passes: Type.Integer(),
    failures: Type.Integer(),
    enforcement_eligible: Type.Integer(),
    insufficient_history: Type.Integer(),
    cold_starts: Type.Integer(),
    ambiguous_window: Type.Integer(),
    incomplete: Type.Integer({ description: 'pairs of a run and a metric that it lacks' }),
  }),
  incomplete: newest(
    Document({
      run_id: Type.String(),
      created_at: TimestampSchema,
      series: SeriesSchema,
      metric_key: Type.String(),
      missing_steps: Type.Array(Type.Integer(), {
        description: 'the first 100; empty where `steps` is "all" and the run holds nothing of the metric',
      }),
      missing_steps_total: Type.Integer(),
    }),
    'runs that lack a declared metric or a required step; counts.incomplete tells how many there are',
  ),
  declarations_without_eligible_comparisons: Type.Array(
    Document({
      series: SeriesSchema,
      metric_key: Type.String(),
      comparisons: Type.Integer(),
      cold_starts: Type.Integer(),
    }),
  ),
  declarations_without_eligible_comparisons_total: total('the list'),
  trusted_inconsistencies: newest(FailingCandidateSchema, 'failing candidates of trusted runs'),
  trusted_inconsistencies_total: total('the list'),
  untrusted_regressions: newest(FailingCandidateSchema, 'failing candidates of untrusted runs'),
  untrusted_regressions_total: total('the list'),
  ambiguous_windows: newest(
    Document({
      ...candidate,
      trusted: Type.Boolean(),
      cut_at: Type.String({ description: 'the time of the values through which the window would cut' }),
    }),
    'candidates whose window would end within values of one time; counts.ambiguous_window tells how many there are',
  ),
  stale_coordinates: Type.Array(
    Document({
      ...coordinate,
      side: SideSchema,
      latest: Type.Array(FailingCandidateSchema, { description: 'the latest three comparisons' }),
      reset_run_ids: Nullable(
        Type.Array(Type.String(), {
          description:
            "the coordinate's trusted runs, all of them: revoked, its history begins anew; null where the answer would grow too large",
        }),
      ),
      reset_run_ids_total: Type.Integer(),
      other_coordinates: Type.Array(
        Document({
          metric_key: Type.String(),
          step: Type.Integer(),
          runs_lost: Type.Integer(),
          runs_left: Type.Integer(),
        }),
        { description: 'the first that hold values of those runs, at most 100' },
      ),
      other_coordinates_total: Type.Integer(),
      warning: Nullable(Type.String({ description: 'what else a reset would take along' })),
      ambiguous: Type.Boolean({ description: 'stands among zero_flip_coordinates as well' }),
    }),
    { description: 'whose trusted history no longer matches the present level' },
  ),
  stale_coordinates_total: total('the list'),
  zero_flip_coordinates: Type.Array(
    Document({
      ...coordinate,
      zeros: Type.Integer(),
      non_zeros: Type.Integer(),
      failures: Type.Integer(),
      ambiguous: Type.Boolean({ description: 'stands among stale_coordinates as well' }),
    }),
    { description: 'failing ones whose values mix exact zeros with others: the remedy is a wider band' },
  ),
  zero_flip_coordinates_total: total('the list'),
  outcome: Type.Enum(['pass', 'fail']),
})
export type ReplayDocument = Static<typeof ReplaySchema>
