import { Type } from 'typebox'
import type { App } from '../app-types.js'
import { problems } from '../schemas/responses.js'

/** The API's own description. */
export function docsRoutes(app: App): void {
  app.get(
    '/openapi.json',
    {
      config: { scopes: 'public' },
      schema: {
        operationId: 'openapi',
        tags: ['operation'],
        summary: 'This document',
        response: {
          200: {
            description: 'OpenAPI 3.1',
            content: { 'application/json': { schema: Type.Object({}, { additionalProperties: true }) } },
          },
          ...problems(400),
        },
      },
    },
    (_request, reply) => reply.send(app.swagger()),
  )
}
