import type { FastifyRequest } from 'fastify'
import { openModeRefusal } from '../../auth/open-mode.js'
import { mayDo, OPEN_MODE_PRINCIPAL, type Principal } from '../../auth/principal.js'
import { GatehouseError } from '../../errors.js'
import type { App } from '../app-types.js'

/** In open mode a browser must not become a client, nor a proxy publish the server. */
export function guardOpenMode(app: App): void {
  app.addHook('onRequest', ({ headers, raw }, _reply, done) => {
    if (headers.host === undefined && raw.httpVersion === '1.1') {
      throw new GatehouseError('bad_request', 'an HTTP/1.1 request names its Host')
    }
    const refusal = openModeRefusal({
      host: targetAuthority(raw.url) ?? headers.host,
      origin: headers.origin,
      secFetchSite: headers['sec-fetch-site'],
      headerNames: Object.keys(headers),
    })
    if (refusal !== null) throw new GatehouseError('forbidden', refusal)
    done()
  })
}

/** The host in a request target of absolute form, which stands above the Host header (RFC 9112, 3.2.2). */
function targetAuthority(target = ''): string | undefined {
  return /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1]
}

/** Who asks; throws where a credential is not good. */
export type Authenticator = (request: FastifyRequest) => Principal | Promise<Principal>

/**
 * Without credentials everyone who gets this far holds every scope. An empty bearer is what an unset secret gives, and
 * never what anybody means.
 */
export const openMode = ({ headers }: FastifyRequest): Principal => {
  if (headers.authorization !== undefined && /^\s*(?:bearer)?\s*$/i.test(headers.authorization)) {
    throw new GatehouseError(
      'unauthorized',
      'the Authorization header holds no token: is the secret unset (as in a job of a fork)? This server takes requests without the header',
    )
  }
  return OPEN_MODE_PRINCIPAL
}

/** Says who asks, before anything of the request is read. */
export function authenticate(app: App, authenticator: Authenticator): void {
  app.decorateRequest('principal')
  app.addHook('onRequest', async (request) => {
    request.principal = await authenticator(request)
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
