import { Type } from 'typebox'
import { RunPageSchema, RunSchema } from '../../documents/run.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { listRuns, readRun } from '../../operations/runs.js'
import { submitRun } from '../../operations/submit-run.js'
import type { App } from '../app-types.js'
import { IdempotencyHeaders, readIdempotencyKey } from '../idempotency-key.js'
import { readSubmission } from '../read-submission.js'
import { RunParams } from '../schemas/params.js'
import {
  BooleanParameter,
  filterParameters,
  OnFailParameter,
  pageParameters,
  Query,
  readFilter,
  readPageRequest,
} from '../schemas/query.js'
import { failedOrFaulty, json, problems, verdict } from '../schemas/responses.js'
import { SubmissionBodySchema, SubmissionFormSchema } from '../schemas/submission.js'
import { sendVerdict } from '../send-verdict.js'

/** Submitting runs, and the runs that were stored. */
export function runRoutes(app: App, gatehouse: Gatehouse): void {
  app.post(
    '/v1/runs',
    {
      config: {
        scopes: ['runs:submit'],
        forms: { 'multipart/form-data': SubmissionFormSchema, 'application/json': SubmissionBodySchema },
      },
      schema: {
        operationId: 'submitRun',
        tags: ['verdicts'],
        summary: 'Submit a run, get its verdict',
        description:
          'Judges the record of one run by the declarations of its test file. A nightly or weekly run is stored with the trust that it earned, which needs the scope baselines:write; a regular or release one is only judged.',
        headers: IdempotencyHeaders,
        querystring: Query({
          on_fail: OnFailParameter,
          dry_run: Type.Optional(BooleanParameter),
        }),
        response: {
          200: verdict('Judged, no run written'),
          201: verdict('Judged, and the run written'),
          ...problems(400, 409, 413, 415, 422),
          422: failedOrFaulty(verdict('')),
        },
      },
    },
    async (request, reply) => {
      const { on_fail: onFail, dry_run: dryRun = false } = request.query
      const caller = { principal: request.principal, requestId: request.id }
      const options = { dryRun, idempotencyKey: readIdempotencyKey(request) }
      const { verdict, pieces, written, replayed } = await submitRun(
        gatehouse,
        caller,
        readSubmission(request),
        options,
      )
      if (verdict.verdict_id !== null && !replayed) app.metrics.verdict(verdict)
      const failed = onFail === 'error' && verdict.outcome === 'fail'
      void reply.code(failed ? 422 : written ? 201 : 200)
      if (verdict.verdict_id !== null) void reply.header('location', `/v1/verdicts/${verdict.verdict_id}`)
      if (replayed) void reply.header('idempotent-replayed', 'true')
      return sendVerdict(request, reply, verdict, pieces)
    },
  )

  app.get(
    '/v1/runs',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'listRuns',
        tags: ['history'],
        summary: 'Stored runs, newest first',
        querystring: Query({
          ...filterParameters,
          trusted: Type.Optional(BooleanParameter),
          ...pageParameters,
        }),
        response: { 200: json(RunPageSchema, 'A page of runs'), ...problems(400) },
      },
    },
    ({ query }) => {
      const filter = { ...readFilter(query), ...(query.trusted !== undefined && { trusted: query.trusted }) }
      return listRuns(gatehouse, filter, readPageRequest(query))
    },
  )

  app.get(
    '/v1/runs/:run_id',
    {
      config: { scopes: ['history:read'] },
      schema: {
        operationId: 'readRun',
        tags: ['history'],
        summary: 'One run with its values and the revocations that cover it',
        params: RunParams,
        response: { 200: json(RunSchema, 'The run'), ...problems(400, 404) },
      },
    },
    ({ params }) => readRun(gatehouse, params.run_id),
  )
}
