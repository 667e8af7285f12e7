import { type TSchema, Type } from 'typebox'
import type { HistoryFilter } from '../../store/history.js'
import type { RunFilter } from '../../store/runs.js'
import type { SeriesFilter, TimeRange } from '../../store/lists.js'
import type { VerdictFilter } from '../../store/verdicts.js'
import { MEAN_STEP, type Series } from '../../gate/run.js'
import { normalizeTimestamp } from '../../gate/timestamp.js'
import {
  BackendField,
  CommitShaField,
  MetricKeyField,
  PrNumberField,
  SuiteField,
  TestPathField,
} from './fields.js'

/** Query parameters: an unknown one is refused. */
export function Query<P extends Record<string, TSchema>>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}

export const BooleanParameter = Type.Boolean({ description: 'exactly true or false' })

export const OnFailParameter = Type.Optional(
  Type.Enum(['error'], { description: 'answer 422 instead of 2xx where the outcome is fail' }),
)

export const pageParameters = {
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2_000, description: 'the next_cursor of the page before' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'items on a page; 100 by default' }),
  ),
}

export const seriesParameters = { test_path: TestPathField, backend: BackendField, suite: SuiteField }

export function readSeries(query: { test_path: string; backend: string; suite: string }): Series {
  return { testPath: query.test_path, backend: query.backend, suite: query.suite }
}

/** 64 bits do not fit a JSON number's double, so the digits are kept as text. */
export const GithubRunIdParameter = Type.String({
  format: 'int64',
  pattern: '^[0-9]+$',
  description: 'the id of a workflow run, in decimal digits',
})

export const TimeParameter = Type.String({
  format: 'rfc3339-time',
  description: 'RFC 3339 with an explicit offset, as 2026-11-30T18:00:00Z',
})

export const StepParameter = Type.Integer({
  minimum: MEAN_STEP,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'a step; -1 for "last", -2 for "mean"',
})

/** What values of one metric are chosen by, beside their step. */
export const historyParameters = {
  ...seriesParameters,
  metric_key: MetricKeyField,
  trusted: Type.Optional(BooleanParameter),
  since: Type.Optional(TimeParameter),
  until: Type.Optional(TimeParameter),
}

interface HistoryQuery {
  readonly test_path: string
  readonly backend: string
  readonly suite: string
  readonly metric_key: string
  readonly trusted?: boolean
  readonly since?: string
  readonly until?: string
}

export function readHistoryFilter(query: HistoryQuery): HistoryFilter {
  return {
    series: readSeries(query),
    metricKey: query.metric_key,
    ...(query.trusted !== undefined && { trusted: query.trusted }),
    ...readTimeRange(query),
  }
}

/** What lists of runs and of verdicts are both filtered by; joined by AND. */
export const filterParameters = {
  test_path: Type.Optional(TestPathField),
  backend: Type.Optional(BackendField),
  suite: Type.Optional(SuiteField),
  commit_sha: Type.Optional(CommitShaField),
  github_run_id: Type.Optional(GithubRunIdParameter),
  pr_number: Type.Optional(PrNumberField),
  since: Type.Optional(TimeParameter),
  until: Type.Optional(TimeParameter),
}

interface FilterQuery {
  readonly test_path?: string
  readonly backend?: string
  readonly suite?: string
  readonly commit_sha?: string
  readonly github_run_id?: string
  readonly pr_number?: number
  readonly since?: string
  readonly until?: string
}

/** The filter that the parameters say. Members stand in one order, since cursors carry a digest of them. */
export function readFilter(query: FilterQuery): RunFilter & VerdictFilter & SeriesFilter & TimeRange {
  return {
    ...(query.test_path !== undefined && { testPath: query.test_path }),
    ...(query.backend !== undefined && { backend: query.backend }),
    ...(query.suite !== undefined && { suite: query.suite }),
    ...(query.commit_sha !== undefined && { commitSha: query.commit_sha }),
    ...(query.github_run_id !== undefined && { githubRunId: BigInt(query.github_run_id) }),
    ...(query.pr_number !== undefined && { prNumber: query.pr_number }),
    ...readTimeRange(query),
  }
}

/** `since` is inclusive, `until` exclusive. */
export function readTimeRange(query: { readonly since?: string; readonly until?: string }): TimeRange {
  return { ...timeBound('since', query.since), ...timeBound('until', query.until) }
}

function timeBound<N extends 'since' | 'until'>(name: N, text: string | undefined): TimeRange {
  const time = text === undefined ? null : normalizeTimestamp(text)
  return time === null ? {} : { [name]: time }
}

export function readPageRequest(query: { cursor?: string; limit?: number }) {
  return { limit: query.limit ?? 100, cursor: query.cursor ?? null }
}
