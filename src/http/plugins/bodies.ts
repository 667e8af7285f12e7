import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { GatehouseError } from '../../errors.js'
import type { App } from '../app-types.js'
import { gatherBody } from '../gather-body.js'
import { readBoundedJson } from '../json-body.js'
import { readMultipart, type Part } from '../multipart.js'

/** A multipart body, taken apart. */
export class FormBody {
  constructor(readonly parts: readonly Part[]) {}
}

/** A large JSON body of a route that has it read in a thread. */
export class JsonBytes {
  constructor(readonly bytes: Buffer) {}
}

/** Parsing and judging this much takes some milliseconds; asking a thread takes about one. */
export const INLINE_BYTES = 128 * 1_024

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data'
const LINES_TYPE = 'application/x-ndjson'
const NO_MEMBERS: ReadonlyMap<string, string> = new Map()

/**
 * Both forms of body are read whole, within the body limit (also where they come in chunks), and parsed from the
 * complete bytes: a value is never shorter than it was sent.
 */
export function acceptBodies(app: App): void {
  app.decorateRequest('jsonMembers')
  app.addHook('onRequest', (request, _reply, done) => {
    request.jsonMembers = NO_MEMBERS
    checkMediaType(request)
    done()
  })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(JSON_TYPE, async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await gatherBody(request, payload)
    // Clients that name a type for every request send nothing of it where nothing is wanted.
    if (bytes.length === 0 && mayLackBody(request)) return null
    await request.memory?.parse(bytes.length)
    if (request.routeOptions.config.threaded === true && bytes.length > INLINE_BYTES)
      return new JsonBytes(bytes)
    const { value, members } = readBoundedJson(bytes)
    request.jsonMembers = members
    return value
  })
  app.addContentTypeParser(FORM_TYPE, async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await gatherBody(request, payload)
    await request.memory?.parse(bytes.length)
    return new FormBody(await readMultipart(request.headers['content-type'] ?? '', bytes))
  })
  // Too large to hold: the route reads it as it comes.
  app.addContentTypeParser(LINES_TYPE, (_request, payload, done) => done(null, payload))
}

/** Refuses a body before it is read where it cannot be of a form that the route takes. */
function checkMediaType({ method, headers, routeOptions }: FastifyRequest): void {
  if (method === 'GET' || method === 'HEAD') return
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  const contentType = headers['content-type']
  if (!hasBody && contentType === undefined) return

  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
    throw refusal(`a body with Content-Encoding ${encoding} is not taken; send it uncompressed`)
  }
  const forms = routeOptions.config.forms
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === JSON_TYPE && (forms === undefined || forms[JSON_TYPE])) {
    const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1]
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
      throw refusal(`JSON in ${charset} is not taken; send it in UTF-8`)
    }
    return
  }
  if ((type === FORM_TYPE && forms?.[FORM_TYPE]) || (type === LINES_TYPE && forms?.[LINES_TYPE])) return

  if (forms?.[LINES_TYPE]) {
    const sent = type === '' ? 'a body needs a Content-Type' : `${type.slice(0, 100)} is not taken`
    throw refusal(`${sent}; send the file with curl -X POST -T FILE -H 'Content-Type: ${LINES_TYPE}'`)
  }
  const wanted = forms?.[FORM_TYPE] ? 'multipart/form-data (curl -F) or application/json' : 'application/json'
  if (type === 'application/x-www-form-urlencoded') {
    throw refusal(
      'curl --data sends application/x-www-form-urlencoded and drops newlines; ' +
        (forms?.[FORM_TYPE] ? 'send files as parts with -F, or JSON' : 'send JSON') +
        " with --data-binary @FILE -H 'Content-Type: application/json'",
    )
  }
  throw refusal(
    type === ''
      ? `a body needs a Content-Type: ${wanted}`
      : `${type.slice(0, 100)} is not taken; send ${wanted}`,
  )
}

/** Whether the route takes a request without a body. */
function mayLackBody({ method, routeOptions }: FastifyRequest): boolean {
  const body = routeOptions.schema?.body as { readonly type?: unknown } | undefined
  return method === 'DELETE' || (Array.isArray(body?.type) && body.type.includes('null'))
}

function refusal(detail: string): GatehouseError {
  return new GatehouseError('unsupported_media_type', detail)
}
