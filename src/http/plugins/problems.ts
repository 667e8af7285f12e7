import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { uuidv7 } from 'uuidv7'
import { GatehouseError } from '../../errors.js'
import { toJson } from '../../documents/json.js'
import type { App } from '../app-types.js'
import { PROBLEM_TYPE, problemDocument, toGatehouseError } from '../problem.js'
import { requestPath } from '../request-path.js'
import { whenOver } from '../when-over.js'

const RETRY_AFTER_SECONDS = 5
const MAX_LOGGED_DETAIL = 500
const MAX_LOGGED_PLACES = 20
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Every refusal and failure becomes a problem document, here and nowhere else. */
export function answerProblems(app: App): void {
  app.setErrorHandler((thrown, request, reply) => sendProblem(thrown, request, reply))
  app.setNotFoundHandler((request) => {
    // Never reached: the hook below answers before a body is read.
    throw nothingHere(request)
  })
}

/** Refuses unknown addresses and methods before their bodies are looked at. */
export function refuseUnknownRoutes(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const path = request.raw.url?.split('?')[0] ?? '/'
    const allowed: string[] = METHODS.filter((method) => app.findRoute({ method, url: path }) !== null)
    if (allowed.length === 0) throw nothingHere(request)
    void reply.header('allow', [...allowed, 'OPTIONS'].join(', '))
    if (request.method === 'OPTIONS') return void reply.code(204).send()
    throw new GatehouseError(
      'method_not_allowed',
      `${request.method} is not taken here; use ${allowed.join(' or ')}`,
    )
  })
}

/** What cannot even be routed: a malformed address. No hook has run. */
export function frameworkError(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({
    'x-request-id': request.id,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  sendProblem(thrown, request, reply)
}

/** The request of a connection that is being answered, and what is to be done afterwards. */
interface Answering {
  readonly raw: IncomingMessage
  then: () => void
}

const answering = new WeakMap<Socket, Answering>()

/** Remembers which connections wait for an answer, and refuses expectations that nobody meets. */
export function watchConnections(app: App): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    const { socket } = raw
    const own: Answering = { raw, then: () => undefined }
    answering.set(socket, own)
    whenOver(reply, () => {
      if (answering.get(socket) === own) answering.delete(socket)
      own.then()
    })
    done()
  })
  app.server.on('checkExpectation', (_request, response: ServerResponse) => {
    const requestId = uuidv7()
    const error = new GatehouseError('bad_request', 'the header Expect is met for 100-continue alone')
    response
      .writeHead(417, { 'content-type': PROBLEM_TYPE, 'x-request-id': requestId, connection: 'close' })
      .end(JSON.stringify(problemDocument(error, requestId, 417)))
  })
}

/** What is no HTTP, or takes too long to become it: answered on the bare socket. */
export function clientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const before = answering.get(socket)
  if (before?.raw.complete === true) {
    // Behind a request that has arrived whole. A refusal now would be read as the answer to that one.
    before.then = () => socket.destroySoon()
    return
  }
  const requestId = uuidv7()
  const [status, detail] = SOCKET_ERRORS[error.code ?? ''] ?? [400, 'this is no HTTP/1.1 request']
  if (socket.writable) {
    const body = JSON.stringify(problemDocument(new GatehouseError('bad_request', detail), requestId, status))
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `content-type: ${PROBLEM_TYPE}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
  socket.destroySoon()
}

/** Node's own code, which `endSlowRequests` uses too. */
export const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

const SOCKET_ERRORS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers are larger than the server takes'],
  [REQUEST_TIMEOUT]: [408, 'the request did not come to its end in time'],
}

function sendProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toGatehouseError(thrown, request.server.initialConfig.bodyLimit ?? 0)
  if (error.status === 500) request.log.error({ err: thrown }, 'request failed')
  else if (error.status >= 500) request.log.warn({ err: error.cause ?? error }, 'request refused for now')
  // The id of the request is all that a client may have kept of its answer.
  else request.log.info({ code: error.code, ...loggedReason(error) }, 'request refused')
  if ((error.status === 503 || error.status === 429) && !reply.hasHeader('retry-after')) {
    void reply.header('retry-after', RETRY_AFTER_SECONDS)
  }
  if (error.status === 401) void reply.header('www-authenticate', 'Bearer realm="gatehouse"')
  // Fastify closes the connection when a body is refused; a client that is still sending would see a reset, not this.
  void reply.removeHeader('connection')
  void reply
    .code(error.status)
    .type(PROBLEM_TYPE)
    // Bytes: to a text Fastify would add a charset, which this media type does not have.
    .send(Buffer.from(toJson(problemDocument(error, request.id))))
}

/** Faults of the input quote it, and it may hold what somebody put there by mistake: only their places are logged. */
function loggedReason({ detail, faults }: GatehouseError): object {
  if (faults.length === 0) return { detail: detail.slice(0, MAX_LOGGED_DETAIL) }
  return { where: faults.slice(0, MAX_LOGGED_PLACES).map(({ where }) => where) }
}

function nothingHere(request: FastifyRequest): GatehouseError {
  return new GatehouseError(
    'not_found',
    `nothing is at ${requestPath(request.raw.url)}; /docs lists what there is`,
  )
}
