import { Type } from 'typebox'
import { Document } from '../../documents/common.js'
import { GatehouseError } from '../../errors.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { VERSION } from '../../version.js'
import type { App } from '../app-types.js'
import { json, problems } from '../schemas/responses.js'

const HealthSchema = Document({ status: Type.Enum(['ok']), version: Type.String() })
const ReadySchema = Document({
  status: Type.Enum(['ready']),
  store: Type.Enum(['sqlite', 'postgres']),
  version: Type.String(),
})

/** Whether the process lives, and whether it can work. */
export function healthRoutes(app: App, { store }: Gatehouse): void {
  app.get(
    '/healthz',
    {
      config: { scopes: 'public', alive: true },
      schema: {
        operationId: 'health',
        tags: ['operation'],
        summary: 'The process lives; never asks the store',
        response: { 200: json(HealthSchema, 'It does'), ...problems(400) },
      },
    },
    (_request, reply) => reply.send({ status: 'ok', version: VERSION }),
  )

  app.get(
    '/readyz',
    {
      config: { scopes: 'public', alive: true },
      schema: {
        operationId: 'ready',
        tags: ['operation'],
        summary: 'The store answers, and its schema is the expected one',
        response: { 200: json(ReadySchema, 'Ready for work'), ...problems(400) },
      },
    },
    async (_request, reply) => {
      if (app.drain.begun) throw new GatehouseError('unavailable', 'the server is shutting down')
      const readiness = await store.checkReady()
      if (!readiness.ready) throw new GatehouseError('unavailable', `not ready: ${readiness.reason}`)
      return reply.send({ status: 'ready', store: store.backend, version: VERSION })
    },
  )
}
