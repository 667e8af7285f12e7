import { Type } from 'typebox'
import { SCOPES } from '../../auth/principal.js'
import { Document, Nullable } from '../../documents/common.js'
import type { App } from '../app-types.js'
import { json, problems } from '../schemas/responses.js'

const WhoamiSchema = Document({
  actor: Type.String(),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  rule: Nullable(Type.String({ description: 'the configuration rule that granted the scopes' })),
})

/** Who the server takes one for: any valid credential may ask. */
export function whoamiRoutes(app: App): void {
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
    ({ principal }, reply) =>
      reply.send({
        actor: principal.actor,
        scopes: SCOPES.filter((scope) => principal.scopes.has(scope)),
        rule: principal.rule,
      }),
  )
}
