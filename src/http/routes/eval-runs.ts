import { EvalRunHeadSchema, EvalRunPageSchema, EvalRunSchema } from '../../documents/evals-run.js'
import { invalidInput } from '../../errors.js'
import { keyFault } from '../../gate/text.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { deleteEvalRun, listEvalRuns, putEvalRun, readEvalRun } from '../../operations/evals/eval-runs.js'
import type { App } from '../app-types.js'
import type { EvalDesk } from '../evals/eval-desk.js'
import { EvalRunBodySchema } from '../schemas/evals.js'
import { EvalRunParams, NewEvalRunParams } from '../schemas/params.js'
import { pageParameters, Query, readPageRequest } from '../schemas/query.js'
import { json, nothing, problems } from '../schemas/responses.js'

/** Eval runs that are kept by name, to be compared with. */
export function evalRunRoutes(app: App, gatehouse: Gatehouse, desk: EvalDesk): void {
  app.put(
    '/v1/evals/runs/:name',
    {
      config: { scopes: ['evals:write'], forms: { 'application/json': EvalRunBodySchema }, threaded: true },
      schema: {
        operationId: 'putEvalRun',
        tags: ['evals'],
        summary: 'Store an eval run under a name',
        description:
          'A name is taken for good, also after its run was deleted: a baseline never comes to mean another run. The same content again changes nothing.',
        params: NewEvalRunParams,
        querystring: Query({}),
        response: {
          200: json(EvalRunHeadSchema, 'Stored before with the same content'),
          201: json(EvalRunHeadSchema, 'Stored'),
          ...problems(400, 409, 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      const { principal, id: requestId, params } = request
      checkName(params.name)
      const prepared = await desk.do('run', request, null)
      const { run, written } = await putEvalRun(gatehouse, { principal, requestId }, params.name, prepared)
      return reply
        .code(written ? 201 : 200)
        .header('location', `/v1/evals/runs/${encodeURIComponent(params.name)}`)
        .send(run)
    },
  )

  app.get(
    '/v1/evals/runs',
    {
      config: { scopes: ['evals:write', 'history:read'] },
      schema: {
        operationId: 'listEvalRuns',
        tags: ['evals'],
        summary: 'Stored eval runs, newest first, without their questions; deleted ones are left out',
        querystring: Query(pageParameters),
        response: { 200: json(EvalRunPageSchema, 'A page of eval runs'), ...problems(400) },
      },
    },
    ({ query }) => listEvalRuns(gatehouse, readPageRequest(query)),
  )

  app.get(
    '/v1/evals/runs/:name',
    {
      config: { scopes: ['evals:write', 'history:read'] },
      schema: {
        operationId: 'readEvalRun',
        tags: ['evals'],
        summary: 'A stored eval run with its questions',
        params: EvalRunParams,
        querystring: Query({}),
        response: { 200: json(EvalRunSchema, 'The run'), ...problems(400, 404) },
      },
    },
    async ({ params }, reply) =>
      reply.type('application/json; charset=utf-8').send(await readEvalRun(gatehouse, params.name)),
  )

  app.delete(
    '/v1/evals/runs/:name',
    {
      config: { scopes: ['admin'] },
      schema: {
        operationId: 'deleteEvalRun',
        tags: ['evals'],
        summary: 'Delete an eval run; its name stays taken',
        description: 'Deleting it again changes nothing and answers the same.',
        params: EvalRunParams,
        querystring: Query({}),
        response: { 204: nothing('Deleted'), ...problems(400, 404) },
      },
    },
    async ({ params, principal, id: requestId }, reply) => {
      await deleteEvalRun(gatehouse, { principal, requestId }, params.name)
      return reply.code(204).send(undefined)
    },
  )
}

/** A name that cannot be taken is a fault of the request; to those who ask for it, it is nobody's. */
function checkName(name: string): void {
  const message = keyFault(name)
  if (message !== null) throw invalidInput([{ where: 'name', message }])
}
