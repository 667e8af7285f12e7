import type { FastifyRequest } from 'fastify'
import { anonymousPrincipal, type Credentials } from '../../auth/credentials.js'
import { openModeRefusal } from '../../auth/open-mode.js'
import { mayDo } from '../../auth/principal.js'
import { GatehouseError } from '../../errors.js'
import type { App } from '../app-types.js'
import { forgetSession, sessionOf } from '../session-cookie.js'

/** What is open to those who bring no credential. */
export interface Openings {
  /** The read routes, but export and replay (GATEHOUSE_PUBLIC_READ). */
  readonly publicRead: boolean
  /** Badge and chart images (BADGES_PUBLIC). */
  readonly badgesPublic: boolean
}

/**
 * Node drops the headers beyond these without a word, and a proxy's own stand last. (To lift its bound was rejected:
 * Fastify listens at each address of `localhost` by a server of its own, of which only the first can be set.)
 */
const MOST_HEADERS = 1_000

/** In open mode a browser must not become a client, nor a proxy publish the server. */
export function guardOpenMode(app: App, credentials: Credentials): void {
  app.addHook('onRequest', async (request) => {
    const { headers, raw } = request
    if (headers.host === undefined && raw.httpVersion === '1.1') {
      throw new GatehouseError('bad_request', 'an HTTP/1.1 request names its Host')
    }
    if (raw.rawHeaders.length >= 2 * MOST_HEADERS) {
      throw new GatehouseError('bad_request', `the request has ${MOST_HEADERS} headers or more; send fewer`)
    }
    // Of each Node keeps the first and drops the rest, where a proxy may have looked at the last (RFC 9112, 3.2).
    for (const name of ['Host', 'Authorization']) {
      if (occurrences(raw.rawHeaders, name) < 2) continue
      throw new GatehouseError('bad_request', `the request has more than one ${name} header; send one`)
    }
    if (!credentials.seemsOpen) return
    const refusal = openModeRefusal({
      httpVersion: raw.httpVersion,
      host: targetAuthority(raw.url) ?? headers.host,
      origin: headers.origin,
      secFetchSite: headers['sec-fetch-site'],
      headerNames: Object.keys(headers),
    })
    if (refusal === null) return
    // Public routes never ask the store. For the others the first token may have been made meanwhile, by any instance.
    if (needsCredential(request) && !(await credentials.isOpen())) return
    throw new GatehouseError('forbidden', refusal)
  })
}

function occurrences(rawHeaders: readonly string[], name: string): number {
  const wanted = name.toLowerCase()
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === wanted).length
}

/** The host in a request target of absolute form, which stands above the Host header (RFC 9112, 3.2.2). */
function targetAuthority(target = ''): string | undefined {
  return /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1]
}

/** Says who asks, before anything of the request's body is read. */
export function authenticate(app: App, credentials: Credentials, openings: Openings): void {
  app.decorateRequest('principal')
  app.decorateRequest('borne')
  app.addHook('onRequest', async (request, reply) => {
    request.borne = 'none'
    if (!needsCredential(request)) {
      request.principal = anonymousPrincipal(request.ip, [])
      return
    }
    const session = sessionOf(request)
    const { authorization } = request.headers
    try {
      const { principal, borne } = await credentials.identify({
        authorization,
        session,
        isRead: isRead(request),
        isDeliberate: request.headers['x-gatehouse'] === '1',
        anonymous: isOpened(request, openings) ? anonymousPrincipal(request.ip, ['history:read']) : null,
      })
      request.principal = principal
      request.borne = borne
    } catch (error) {
      // A browser that keeps the cookie of a dead session could not even read what is public.
      const isDead = error instanceof GatehouseError && error.code === 'unauthorized'
      if (isDead && session !== undefined && authorization === undefined) forgetSession(request, reply)
      throw error
    }
  })
}

/** Holds every route to the scopes that it declares; one that declares none does not start. */
export function enforceScopes(app: App): void {
  app.addHook('onRoute', (route) => {
    // The pages of @fastify/swagger-ui are registered by it; they hold nothing but the public document.
    if (/^\/docs(?:\/|$)/.test(route.url)) route.config = { ...route.config, scopes: 'public' }
    if (route.config?.scopes === undefined) throw new Error(`route ${route.url} declares no scopes`)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { scopes } = request.routeOptions.config
    if (scopes === 'public') return done()
    if (scopes === undefined || !mayDo(request.principal, ...scopes)) {
      throw new GatehouseError(
        'forbidden',
        `${request.principal.actor} lacks the scope ${(scopes ?? []).join(' or ')}`,
      )
    }
    done()
  })
}

function needsCredential({ is404, routeOptions }: FastifyRequest): boolean {
  return !is404 && routeOptions.config.scopes !== 'public'
}

/** Whether the operator opened the route to everybody: what `history:read` may get, but what costs or tells too much. */
function isOpened(request: FastifyRequest, { publicRead, badgesPublic }: Openings): boolean {
  const { scopes, publicRead: mayBePublic = true, image = false } = request.routeOptions.config
  if (!isRead(request) || !mayBePublic || scopes === 'public' || !scopes?.includes('history:read'))
    return false
  return publicRead || (image && badgesPublic)
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}
