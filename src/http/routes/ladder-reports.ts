import { Type } from 'typebox'
import { CheckPageSchema, TransitionPageSchema } from '../../documents/ladder.js'
import { EvaluationSchema, LadderTestSchema, StrengthsSchema } from '../../documents/ladder-reports.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { evaluateLadder } from '../../operations/ladders/evaluate.js'
import { listChecks, listTransitions, readStrengths, readTest } from '../../operations/ladders/reports.js'
import type { App } from '../app-types.js'
import { LadderParams, NoBodySchema, VersionField } from '../schemas/ladder.js'
import { pageParameters, Query, readPageRequest } from '../schemas/query.js'
import { json, problems } from '../schemas/responses.js'

/** What was decided on a ladder, and from what. */
export function ladderReportRoutes(app: App, gatehouse: Gatehouse): void {
  app.post(
    '/v1/ladders/:ladder/evaluate',
    {
      config: { scopes: ['promotions:write'] },
      schema: {
        operationId: 'evaluateLadder',
        tags: ['promotion'],
        summary: 'Evaluate a ladder as it stands',
        description: 'Changes nothing where nothing is new; says what keeps each variant from its next rung.',
        params: LadderParams,
        body: NoBodySchema,
        response: { 200: json(EvaluationSchema, 'Evaluated'), ...problems(400, 404, 413, 415, 422) },
      },
    },
    ({ params, principal, id: requestId }) =>
      evaluateLadder(gatehouse, { principal, requestId }, params.ladder),
  )

  app.get(
    '/v1/ladders/:ladder/test',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'readTest',
        tags: ['promotion'],
        summary: 'The sequential test of a variant, with its trajectory',
        description:
          'Against the live version while it is a challenger; afterwards as it was when it last was one.',
        params: LadderParams,
        querystring: Query({ variant: VersionField }),
        response: { 200: json(LadderTestSchema, 'The test'), ...problems(400, 404) },
      },
    },
    ({ params, query }) => readTest(gatehouse, params.ladder, query.variant),
  )

  app.get(
    '/v1/ladders/:ladder/strengths',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'readStrengths',
        tags: ['promotion'],
        summary: 'Bradley-Terry strengths, with intervals',
        params: LadderParams,
        response: { 200: json(StrengthsSchema, 'The strengths'), ...problems(400, 404) },
      },
    },
    ({ params }) => readStrengths(gatehouse, params.ladder),
  )

  const logQuery = Query({ variant: Type.Optional(VersionField), ...pageParameters })

  app.get(
    '/v1/ladders/:ladder/transitions',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'listTransitions',
        tags: ['promotion'],
        summary: 'Every change of a rung, newest first, with what decided it',
        params: LadderParams,
        querystring: logQuery,
        response: { 200: json(TransitionPageSchema, 'A page of transitions'), ...problems(400, 404) },
      },
    },
    ({ params, query }) =>
      listTransitions(gatehouse, params.ladder, query.variant ?? null, readPageRequest(query)),
  )

  app.get(
    '/v1/ladders/:ladder/evaluations',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'listEvaluations',
        tags: ['promotion'],
        summary: "Every evaluation of a rung's entry that did not pass, newest first",
        description:
          'With all predicates and what they read. What passed is a transition. An evaluation that finds what the one before found is the same entry.',
        params: LadderParams,
        querystring: logQuery,
        response: { 200: json(CheckPageSchema, 'A page of evaluations'), ...problems(400, 404) },
      },
    },
    ({ params, query }) =>
      listChecks(gatehouse, params.ladder, query.variant ?? null, readPageRequest(query)),
  )
}
