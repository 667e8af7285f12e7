import type { Credentials } from '../../auth/credentials.js'
import { CreatedTokenSchema, TokenPageSchema } from '../../documents/token.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { createToken, listTokens, revokeToken } from '../../operations/tokens.js'
import type { App } from '../app-types.js'
import { TokenParams } from '../schemas/params.js'
import { pageParameters, Query, readPageRequest } from '../schemas/query.js'
import { json, nothing, problems } from '../schemas/responses.js'
import { readTokenRequest, TokenBodySchema } from '../schemas/token.js'

/** API tokens: what CI jobs, dashboards and people hold. */
export function tokenRoutes(app: App, gatehouse: Gatehouse, credentials: Credentials): void {
  app.post(
    '/v1/admin/tokens',
    {
      config: { scopes: ['admin'] },
      schema: {
        operationId: 'createToken',
        tags: ['admin'],
        summary: 'Make an API token',
        description:
          'The token is in this answer and nowhere else. The first one ends open mode for good, on every instance.',
        body: TokenBodySchema,
        response: {
          201: json(CreatedTokenSchema, 'Made; keep the token now'),
          ...problems(400, 409, 413, 415, 422),
        },
      },
    },
    async ({ body, principal, id: requestId }, reply) =>
      reply.code(201).send(await createToken(gatehouse, { principal, requestId }, readTokenRequest(body))),
  )

  app.get(
    '/v1/admin/tokens',
    {
      config: { scopes: ['admin'] },
      schema: {
        operationId: 'listTokens',
        tags: ['admin'],
        summary: 'Every token, newest first; revoked and expired ones too',
        querystring: Query(pageParameters),
        response: { 200: json(TokenPageSchema, 'A page of tokens'), ...problems(400) },
      },
    },
    async ({ query }) => {
      await credentials.settled()
      return listTokens(gatehouse, readPageRequest(query))
    },
  )

  app.delete(
    '/v1/admin/tokens/:token_id',
    {
      config: { scopes: ['admin'] },
      schema: {
        operationId: 'revokeToken',
        tags: ['admin'],
        summary: 'Revoke a token',
        description:
          'It is refused from the next request on, by every instance, and its sessions with it. Revoking it again changes nothing and answers the same.',
        params: TokenParams,
        response: { 204: nothing('Revoked'), ...problems(400, 404) },
      },
    },
    async ({ params, principal, id: requestId }, reply) => {
      await revokeToken(gatehouse, { principal, requestId }, params.token_id)
      return reply.code(204).send(undefined)
    },
  )
}
