import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Document } from '../../documents/common.js'
import { GatehouseError } from '../../errors.js'
import { exportHistory } from '../../operations/export-history.js'
import type { Gatehouse } from '../../operations/gatehouse.js'
import { importHistory } from '../../operations/import-history.js'
import { ImportConflict } from '../../store/errors.js'
import type { App } from '../app-types.js'
import { OneAtATime } from '../one-at-a-time.js'
import { BooleanParameter, filterParameters, Query, readFilter } from '../schemas/query.js'
import { json, problems } from '../schemas/responses.js'

const NDJSON = 'application/x-ndjson'
const ImportedSchema = Document({ runs: Type.Integer(), values: Type.Integer(), skipped: Type.Integer() })

/** A whole history out and in, as a stream in both directions. */
export function exchangeRoutes(app: App, gatehouse: Gatehouse, maxImportBytes: number): void {
  const exporting = new OneAtATime('an export')
  app.get(
    '/v1/export',
    {
      config: { scopes: ['history:read'], publicRead: false },
      schema: {
        operationId: 'exportHistory',
        tags: ['history'],
        summary: 'The history as a stream of lines',
        description:
          'A header, a line a run (oldest first), and a trailer with counts and a hash. A stream without its trailer was cut off.',
        querystring: Query({ ...filterParameters, trusted: Type.Optional(BooleanParameter) }),
        response: {
          200: {
            description: 'The export',
            content: { [NDJSON]: { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
          },
          ...problems(400, 429),
        },
      },
    },
    ({ method, principal, query }, reply) => {
      const filter = { ...readFilter(query), ...(query.trusted !== undefined && { trusted: query.trusted }) }
      void reply.type(NDJSON).header('content-disposition', 'attachment; filename="gatehouse-export.ndjson"')
      // Otherwise the history would be read for nobody, and the place taken meanwhile.
      if (method === 'HEAD') return Readable.from([])
      const leave = exporting.enter(principal.owner)
      const stream = Readable.from(exportHistory(gatehouse, filter), { highWaterMark: 2 })
      // Also where the client goes away in the middle, or the store does.
      stream.once('close', leave)
      return stream
    },
  )

  app.post(
    '/v1/admin/import',
    {
      config: { scopes: ['admin'], streams: true, forms: { [NDJSON]: Type.String() } },
      schema: {
        operationId: 'importHistory',
        tags: ['admin'],
        summary: 'Take a file of runs: all of them or none',
        description:
          'Takes an export, or a JSON line a run for data of other tools. A run that is there with the same content is skipped.',
        response: { 201: json(ImportedSchema, 'What was added'), ...problems(400, 409, 413, 415, 422) },
      },
    },
    async (request, reply) => {
      const caller = { principal: request.principal, requestId: request.id }
      try {
        const imported = await importHistory(
          gatehouse,
          caller,
          bounded(request.body as Readable | undefined, declaredLength(request), maxImportBytes),
        )
        return await reply.code(201).send(imported)
      } catch (error) {
        if (!(error instanceof ImportConflict)) throw error
        const message = `run ${JSON.stringify(error.runId)} is stored with other content`
        throw new GatehouseError('import_conflict', `${error.where}: ${message}; nothing was imported`, [
          { where: error.where, message },
        ])
      }
    },
  )
}

/** Zero where the request does not tell. */
function declaredLength({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0)
}

/** @throws GatehouseError too_large, before anything is read where the length is told, else as soon as the bound is passed */
async function* bounded(
  body: Readable | undefined,
  declared: number,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const check = (bytes: number): void => {
    if (bytes <= maxBytes) return
    const message = `is larger than ${maxBytes} bytes; split it, or have MAX_IMPORT_MIB raised`
    throw new GatehouseError('too_large', `the file ${message}`, [{ where: 'body', message }])
  }
  check(declared)
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += (chunk as Buffer).length
    check(bytes)
    yield chunk as Buffer
  }
}
