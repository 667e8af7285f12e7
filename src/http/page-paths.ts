/**
 * The addresses of the dashboard's views. The server answers each with the same page, and the page finds its view by
 * them: what stands here alone is a shared link that works.
 */
export const PAGE_PATHS = [
  '/',
  '/sign-in',
  '/series',
  '/runs/:run_id',
  '/verdicts/:verdict_id',
  '/revocations',
  '/revocations/:revocation_id',
  '/replay',
  '/evals',
  '/evals/grids/:grid_id',
  '/evals/comparisons/:comparison_id',
  '/ladders',
  '/ladders/:ladder',
] as const

export type PagePath = (typeof PAGE_PATHS)[number]
