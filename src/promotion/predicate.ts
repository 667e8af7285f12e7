/** What predicates record of what they read. */
export type InputValue =
  string | number | boolean | null | readonly InputValue[] | { readonly [key: string]: InputValue }

export type PredicateName =
  | 'registered'
  | 'validated'
  | 'sandbox_clean'
  | 'resource_fits'
  | 'min_shadow_episodes'
  | 'trial_slot_free'
  | 'no_core_violation'
  | 'sequential_test_accepts'
  | 'sequential_test_does_not_reject'
  | 'drift_clean'
  | 'pass_rate_holds'
  | 'beats_current'
  | 'cost_within_budget'
  | 'sustained'
  | 'share_available'
  | 'live_unchanged'
  | 'not_lowered'

/** One evaluation of a named predicate. It is stored and shown as it is, hence the inputs' keys in snake_case. */
export interface Predicate {
  readonly name: PredicateName
  readonly passed: boolean
  readonly inputs: { readonly [key: string]: InputValue }
}
