import { RevocationPageSchema, RevocationSchema, UndoSchema } from '../../documents/revocation.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { listRevocations, readRevocation, revokeTrust, undoRevocation } from '../../operations/revocations.js'
import type { App } from '../app-types.js'
import { RevocationParams } from '../schemas/params.js'
import { pageParameters, Query, readPageRequest } from '../schemas/query.js'
import { json, problems } from '../schemas/responses.js'
import { readSelector, RevocationBodySchema, UndoBodySchema } from '../schemas/revocation.js'

/** Taking trust from runs, and giving it back. */
export function revocationRoutes(app: App, gatehouse: Gatehouse): void {
  app.post(
    '/v1/admin/revocations',
    {
      config: { scopes: ['trust:revoke'] },
      schema: {
        operationId: 'revokeTrust',
        tags: ['trust'],
        summary: 'Take the trust of every run that matches',
        description:
          'Names the runs by exactly one of run_id, run_ids, github_run_id and commit_sha. Nothing is deleted and nothing judged again: the next baseline read leaves the runs out.',
        body: RevocationBodySchema,
        response: {
          200: json(RevocationSchema, 'A dry run: what would happen'),
          201: json(RevocationSchema, 'Revoked; 0 where every match was untrusted already'),
          ...problems(400, 404, 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      const { body, principal, id: requestId, jsonMembers } = request
      const dryRun = body.dry_run ?? false
      const selector = readSelector(body, jsonMembers)
      const revocation = await revokeTrust(
        gatehouse,
        { principal, requestId },
        { selector, reason: body.reason, dryRun },
      )
      if (revocation.revocation_id !== null) {
        void reply.header('location', `/v1/admin/revocations/${revocation.revocation_id}`)
      }
      return reply.code(dryRun ? 200 : 201).send(revocation)
    },
  )

  app.get(
    '/v1/admin/revocations',
    {
      config: { scopes: ['trust:revoke', 'history:read'] },
      schema: {
        operationId: 'listRevocations',
        tags: ['trust'],
        summary: 'Revocations, newest first',
        querystring: Query(pageParameters),
        response: { 200: json(RevocationPageSchema, 'A page of revocations'), ...problems(400) },
      },
    },
    ({ query }) => listRevocations(gatehouse, readPageRequest(query)),
  )

  app.get(
    '/v1/admin/revocations/:revocation_id',
    {
      config: { scopes: ['trust:revoke', 'history:read'] },
      schema: {
        operationId: 'readRevocation',
        tags: ['trust'],
        summary: 'One revocation',
        params: RevocationParams,
        response: { 200: json(RevocationSchema, 'The revocation'), ...problems(400, 404) },
      },
    },
    ({ params }) => readRevocation(gatehouse, params.revocation_id),
  )

  app.post(
    '/v1/admin/revocations/:revocation_id/undo',
    {
      config: { scopes: ['trust:revoke'] },
      schema: {
        operationId: 'undoRevocation',
        tags: ['trust'],
        summary: 'Undo a mistaken revocation',
        description:
          'A run stays untrusted where another standing revocation covers it, or where it never earned trust.',
        params: RevocationParams,
        body: UndoBodySchema,
        response: { 200: json(UndoSchema, 'Undone'), ...problems(400, 404, 409, 413, 415, 422) },
      },
    },
    ({ params, body, principal, id: requestId }) =>
      undoRevocation(gatehouse, { principal, requestId }, params.revocation_id, body.reason),
  )
}
