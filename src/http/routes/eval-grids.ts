import { GridPageSchema, GridRowPageSchema, GridSchema, type GridHead } from '../../documents/evals-grid.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import type { Verdict } from '../../operations/evals/keep-verdict.js'
import { listGridRows, listGrids, readGrid, submitGrid } from '../../operations/evals/grids.js'
import type { App } from '../app-types.js'
import type { EvalDesk } from '../evals/eval-desk.js'
import { verdictAnswer } from '../evals/verdict-answer.js'
import { IdempotencyHeaders, readIdempotencyKey } from '../idempotency-key.js'
import { GridBodySchema } from '../schemas/evals.js'
import { GridParams } from '../schemas/params.js'
import { OnFailParameter, pageParameters, Query, readPageRequest } from '../schemas/query.js'
import { evalAnswer, failedOrFaulty, json, problems } from '../schemas/responses.js'
import { sendEval, type EvalAnswer } from '../send-eval.js'

const FORMS = { cases: 'one test case for each way in which a grid falls short' }
const STORED = { ...FORMS, path: '/v1/evals/grids/{grid_id}' }

/** Is the grid of an eval complete? */
export function evalGridRoutes(app: App, gatehouse: Gatehouse, desk: EvalDesk): void {
  app.post(
    '/v1/evals/grids',
    {
      config: { scopes: ['evals:write'], forms: { 'application/json': GridBodySchema }, threaded: true },
      schema: {
        operationId: 'submitGrid',
        tags: ['evals'],
        summary: 'Is the grid of an eval complete?',
        description:
          'The plan is every task with every harness, each as often as repeats says. The grid is complete where each planned cell has exactly one row, with a score, and there is no other row. It is stored either way.',
        headers: IdempotencyHeaders,
        querystring: Query({ on_fail: OnFailParameter }),
        response: {
          201: evalAnswer(GridSchema, 'Judged and stored', STORED),
          ...problems(400, 409, 413, 415, 422),
          422: failedOrFaulty(evalAnswer(GridSchema, '', STORED)),
        },
      },
    },
    async (request, reply) => {
      const { principal, id: requestId } = request
      const key = readIdempotencyKey(request)
      const prepared = await desk.do('grid', request, { keyed: key !== null })
      const grid = await submitGrid(gatehouse, { principal, requestId }, prepared, key)
      const failed = request.query.on_fail === 'error' && grid.head.outcome === 'fail'
      void reply.code(failed ? 422 : 201).header('location', `/v1/evals/grids/${grid.head.grid_id}`)
      if (grid.replayed) void reply.header('idempotent-replayed', 'true')
      return sendEval(request, reply, answerOf(desk, grid))
    },
  )

  app.get(
    '/v1/evals/grids',
    {
      config: { scopes: ['evals:write', 'history:read'] },
      schema: {
        operationId: 'listGrids',
        tags: ['evals'],
        summary: 'Grids, newest first, without their cells',
        querystring: Query(pageParameters),
        response: { 200: json(GridPageSchema, 'A page of grids'), ...problems(400) },
      },
    },
    ({ query }) => listGrids(gatehouse, readPageRequest(query)),
  )

  app.get(
    '/v1/evals/grids/:grid_id',
    {
      config: { scopes: ['evals:write', 'history:read'] },
      schema: {
        operationId: 'readGrid',
        tags: ['evals'],
        summary: 'A grid as it was judged',
        params: GridParams,
        querystring: Query({}),
        response: { 200: evalAnswer(GridSchema, 'The grid', FORMS), ...problems(400, 404) },
      },
    },
    async (request, reply) =>
      sendEval(request, reply, answerOf(desk, await readGrid(gatehouse, request.params.grid_id))),
  )

  app.get(
    '/v1/evals/grids/:grid_id/results',
    {
      config: { scopes: ['evals:write', 'history:read'] },
      schema: {
        operationId: 'listGridResults',
        tags: ['evals'],
        summary: 'The rows of a grid as they came',
        params: GridParams,
        querystring: Query(pageParameters),
        response: { 200: json(GridRowPageSchema, 'A page of rows'), ...problems(400, 404) },
      },
    },
    ({ params, query }) => listGridRows(gatehouse, params.grid_id, readPageRequest(query)),
  )
}

function answerOf(desk: EvalDesk, grid: Verdict<GridHead>): EvalAnswer {
  const { outcome, complete } = grid.head
  return { outcome, result: complete ? 'complete' : 'incomplete', ...verdictAnswer(desk, 'grid', grid) }
}
