import {
  ComparisonPageSchema,
  ComparisonSchema,
  type ComparisonHead,
} from '../../documents/evals-comparison.js'
import { JudgeValiditySchema } from '../../documents/evals-validity.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { compareEvals, listComparisons, readComparison } from '../../operations/evals/compare-evals.js'
import type { Verdict } from '../../operations/evals/keep-verdict.js'
import type { StoredSides } from '../../operations/evals/prepare-comparison.js'
import type { App } from '../app-types.js'
import type { EvalDesk } from '../evals/eval-desk.js'
import { verdictAnswer } from '../evals/verdict-answer.js'
import { IdempotencyHeaders, readIdempotencyKey } from '../idempotency-key.js'
import { renderValidityMarkdown } from '../render/evals-validity.js'
import { ComparisonBodySchema, ValidityBodySchema } from '../schemas/evals.js'
import { ComparisonParams } from '../schemas/params.js'
import { OnFailParameter, pageParameters, Query, readPageRequest } from '../schemas/query.js'
import { evalAnswer, failedOrFaulty, json, problems } from '../schemas/responses.js'
import { sendEval, type EvalAnswer } from '../send-eval.js'

const FORMS = { cases: 'one test case a gate, and one that says whether the runs can be compared' }
const STORED = { ...FORMS, path: '/v1/evals/comparisons/{comparison_id}' }

/** Did the scores of an eval regress, and can its judge be believed? */
export function evalComparisonRoutes(app: App, gatehouse: Gatehouse, desk: EvalDesk): void {
  app.post(
    '/v1/evals/comparisons',
    {
      config: {
        scopes: ['evals:write'],
        forms: { 'application/json': ComparisonBodySchema },
        threaded: true,
      },
      schema: {
        operationId: 'compareEvals',
        tags: ['evals'],
        summary: 'Did the scores regress between two eval runs?',
        description:
          'Over the questions that both runs scored. Gates are opt-in: with any of them the evidence must be complete, and without one nothing is claimed.',
        headers: IdempotencyHeaders,
        querystring: Query({ on_fail: OnFailParameter }),
        response: {
          201: evalAnswer(ComparisonSchema, 'Compared and stored', STORED),
          ...problems(400, 404, 409, 413, 415, 422),
          422: failedOrFaulty(evalAnswer(ComparisonSchema, '', STORED)),
        },
      },
    },
    async (request, reply) => {
      const { principal, id: requestId } = request
      const key = readIdempotencyKey(request)
      const prepare = (stored: StoredSides | null) =>
        desk.do('comparison', request, { keyed: key !== null && stored === null, stored }, weightOf(stored))
      const comparison = await compareEvals(gatehouse, { principal, requestId }, prepare, key)
      const { outcome, comparison_id: comparisonId } = comparison.head
      const failed = request.query.on_fail === 'error' && outcome === 'fail'
      void reply.code(failed ? 422 : 201).header('location', `/v1/evals/comparisons/${comparisonId}`)
      if (comparison.replayed) void reply.header('idempotent-replayed', 'true')
      return sendEval(request, reply, answerOf(desk, comparison))
    },
  )

  app.get(
    '/v1/evals/comparisons',
    {
      config: { scopes: ['evals:write', 'history:read'] },
      schema: {
        operationId: 'listComparisons',
        tags: ['evals'],
        summary: 'Comparisons, newest first, without their questions',
        querystring: Query(pageParameters),
        response: { 200: json(ComparisonPageSchema, 'A page of comparisons'), ...problems(400) },
      },
    },
    ({ query }) => listComparisons(gatehouse, readPageRequest(query)),
  )

  app.get(
    '/v1/evals/comparisons/:comparison_id',
    {
      config: { scopes: ['evals:write', 'history:read'] },
      schema: {
        operationId: 'readComparison',
        tags: ['evals'],
        summary: 'A comparison as it was made',
        params: ComparisonParams,
        querystring: Query({}),
        response: { 200: evalAnswer(ComparisonSchema, 'The comparison', FORMS), ...problems(400, 404) },
      },
    },
    async (request, reply) =>
      sendEval(request, reply, answerOf(desk, await readComparison(gatehouse, request.params.comparison_id))),
  )

  app.post(
    '/v1/evals/judge-validity',
    {
      config: { scopes: ['evals:write'], forms: { 'application/json': ValidityBodySchema }, threaded: true },
      schema: {
        operationId: 'checkJudge',
        tags: ['evals'],
        summary: 'Does a judge agree with people?',
        description:
          'Valid where the whole interval of the agreement lies at or above the minimum, invalid where it lies below, inconclusive else. Nothing is stored.',
        querystring: Query({ on_fail: OnFailParameter }),
        response: {
          200: evalAnswer(JudgeValiditySchema, 'Judged', {}),
          ...problems(400, 413, 415, 422),
          422: failedOrFaulty(evalAnswer(JudgeValiditySchema, '', {})),
        },
      },
    },
    async (request, reply) => {
      const document = await desk.do('validity', request, null)
      const { outcome, result } = document
      void reply.code(request.query.on_fail === 'error' && outcome === 'fail' ? 422 : 200)
      return sendEval(request, reply, {
        outcome,
        result,
        json: () => document,
        markdown: () => renderValidityMarkdown(document),
        junit: null,
      })
    },
  )
}

function answerOf(desk: EvalDesk, comparison: Verdict<ComparisonHead>): EvalAnswer {
  const { outcome, result } = comparison.head
  return { outcome, result, ...verdictAnswer(desk, 'comparison', comparison) }
}

function weightOf(stored: StoredSides | null): number {
  const pieces = [...(stored?.baseline?.pieces ?? []), ...(stored?.current?.pieces ?? [])]
  return pieces.reduce((sum, { items }) => sum + items.length, 0)
}
