import { Type } from 'typebox'
import type { App } from '../app-types.js'
import { problems } from '../schemas/responses.js'

/** What the service counts, in the text form of Prometheus. */
export function metricsRoutes(app: App): void {
  app.get(
    '/metrics',
    {
      config: { scopes: 'public', alive: true },
      schema: {
        operationId: 'metrics',
        tags: ['operation'],
        summary: 'What Prometheus scrapes: requests, verdicts, checks, store, pools, event loop, process',
        response: {
          200: {
            description: 'Metrics in the text exposition format',
            content: { 'text/plain': { schema: Type.String() } },
          },
          ...problems(400),
        },
      },
    },
    async (_request, reply) => {
      const { metrics } = app
      return reply.type(metrics.contentType).send(await metrics.text())
    },
  )
}
