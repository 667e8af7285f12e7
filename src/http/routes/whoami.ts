import { Type } from 'typebox'
import type { Credentials } from '../../auth/credentials.js'
import { SCOPES } from '../../auth/principal.js'
import { Document, Nullable } from '../../documents/common.js'
import type { App } from '../app-types.js'
import { json, problems } from '../schemas/responses.js'

const WhoamiSchema = Document({
  actor: Type.String(),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  rule: Nullable(Type.String({ description: 'the configuration rule that granted the scopes' })),
  test_path_prefixes: Nullable(
    Type.Array(Type.String(), { description: 'what the credential is confined to; null where it is not' }),
  ),
})

/** Who the server takes one for: any valid credential may ask. */
export function whoamiRoutes(app: App, credentials: Credentials): void {
  app.get(
    '/v1/whoami',
    {
      config: { scopes: SCOPES },
      schema: {
        operationId: 'whoami',
        tags: ['operation'],
        summary: 'Who asks, and what they may do',
        response: { 200: json(WhoamiSchema, 'The credential, as the server sees it'), ...problems(400) },
      },
    },
    async ({ principal }, reply) => {
      // Whoever tries out a token finds its use in the list of tokens.
      await credentials.settled()
      return reply.send({
        actor: principal.actor,
        scopes: SCOPES.filter((scope) => principal.scopes.has(scope)),
        rule: principal.rule,
        test_path_prefixes: principal.testPathPrefixes && [...principal.testPathPrefixes],
      })
    },
  )
}
