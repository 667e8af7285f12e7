import { Type } from 'typebox'
import type { Credentials } from '../../auth/credentials.js'
import { SCOPES } from '../../auth/principal.js'
import { looksLikeJwt } from '../../auth/token.js'
import { Document } from '../../documents/common.js'
import { GatehouseError, invalidInput } from '../../errors.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { beginSession, endSession, SESSION_SECONDS } from '../../operations/sessions.js'
import type { App } from '../app-types.js'
import { json, nothing, problems } from '../schemas/responses.js'
import { SessionBodySchema } from '../schemas/token.js'
import { forgetSession, sessionOf, setSession } from '../session-cookie.js'

const SessionSchema = Document({
  actor: Type.String(),
  scopes: Type.Array(Type.Enum([...SCOPES])),
})

/** Signing in to the dashboard: a token for a cookie that no script can read. */
export function sessionRoutes(app: App, gatehouse: Gatehouse, credentials: Credentials): void {
  app.post(
    '/v1/session',
    {
      // The credential is in the body.
      config: { scopes: 'public' },
      schema: {
        operationId: 'beginSession',
        tags: ['session'],
        summary: 'Sign in with an API token',
        description:
          'Answers with the cookie gatehouse_session, good for 12 hours and as long as the token is. Changes within the session need the header `X-Gatehouse: 1`.',
        body: SessionBodySchema,
        response: {
          204: nothing('Signed in', { 'Set-Cookie': Type.String() }),
          ...problems(400, 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      const token = request.body.token.trim()
      const presented = await present(credentials, token)
      request.principal = presented.principal
      // Each session is a row: whoever holds a token must not fill the store with them.
      await app.countRequest(request, reply)
      setSession(request, reply, await beginSession(gatehouse, presented, request.id), SESSION_SECONDS)
      return reply.code(204).send(undefined)
    },
  )

  app.get(
    '/v1/session',
    {
      config: { scopes: SCOPES, publicRead: false },
      schema: {
        operationId: 'readSession',
        tags: ['session'],
        summary: 'Who is signed in, and what they may do',
        response: { 200: json(SessionSchema, 'The credential of this request'), ...problems(400) },
      },
    },
    ({ principal }, reply) =>
      reply.send({ actor: principal.actor, scopes: SCOPES.filter((scope) => principal.scopes.has(scope)) }),
  )

  app.delete(
    '/v1/session',
    {
      config: { scopes: SCOPES },
      schema: {
        operationId: 'endSession',
        tags: ['session'],
        summary: 'Sign out',
        response: { 204: nothing('Signed out', { 'Set-Cookie': Type.String() }), ...problems(400) },
      },
    },
    async (request, reply) => {
      const { principal, id: requestId } = request
      const sessionId = sessionOf(request)
      if (sessionId !== undefined) await endSession(gatehouse, { principal, requestId }, sessionId)
      forgetSession(request, reply)
      return reply.code(204).send(undefined)
    },
  )
}

/** @throws GatehouseError invalid_input for a job's identity token, unauthorized for a bad token */
async function present(credentials: Credentials, token: string) {
  try {
    return await credentials.present(token)
  } catch (error) {
    const isUnknown = error instanceof GatehouseError && error.code === 'unauthorized'
    if (!isUnknown || !looksLikeJwt(token)) throw error
    const message = 'is the identity token of a job, which is for the job alone; sign in with an API token'
    throw invalidInput([{ where: 'token', message }])
  }
}
