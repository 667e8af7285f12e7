import { Type } from 'typebox'
import { VerdictPageSchema } from '../../documents/page.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { listVerdicts, readVerdict } from '../../operations/verdicts.js'
import type { App } from '../app-types.js'
import { VerdictParams } from '../schemas/params.js'
import { filterParameters, pageParameters, Query, readFilter, readPageRequest } from '../schemas/query.js'
import { json, problems, verdict } from '../schemas/responses.js'
import { sendVerdict } from '../send-verdict.js'

/** Verdicts as they were given. */
export function verdictRoutes(app: App, gatehouse: Gatehouse): void {
  app.get(
    '/v1/verdicts/:verdict_id',
    {
      config: { scopes: ['runs:submit', 'history:read'] },
      schema: {
        operationId: 'readVerdict',
        tags: ['verdicts'],
        summary: 'A stored verdict',
        params: VerdictParams,
        response: { 200: verdict('The verdict', false), ...problems(400, 404) },
      },
    },
    async (request, reply) =>
      sendVerdict(request, reply, await readVerdict(gatehouse, request.params.verdict_id)),
  )

  app.get(
    '/v1/verdicts',
    {
      config: { scopes: ['runs:submit', 'history:read'] },
      schema: {
        operationId: 'listVerdicts',
        tags: ['verdicts'],
        summary: 'Verdicts, newest first, without their checks',
        description:
          'With github_run_id or commit_sha the answer also says what the verdicts say together: per series the highest attempt counts, and of that the newest.',
        querystring: Query({
          ...filterParameters,
          outcome: Type.Optional(Type.Enum(['pass', 'fail'])),
          ...pageParameters,
        }),
        response: { 200: json(VerdictPageSchema, 'A page of verdicts'), ...problems(400) },
      },
    },
    ({ query }) => {
      const filter = { ...readFilter(query), ...(query.outcome !== undefined && { outcome: query.outcome }) }
      return listVerdicts(gatehouse, filter, readPageRequest(query))
    },
  )
}
