import { openModeRefusal } from '../../auth/open-mode.js'
import { mayDo, OPEN_MODE_PRINCIPAL } from '../../auth/principal.js'
import { GatehouseError } from '../../errors.js'
import type { App } from '../app-types.js'

/** In open mode a browser must not become a client, nor a proxy publish the server. */
export function guardOpenMode(app: App): void {
  app.addHook('onRequest', ({ headers, raw }, _reply, done) => {
    if (headers.host === undefined && raw.httpVersion === '1.1') {
      throw new GatehouseError('bad_request', 'an HTTP/1.1 request names its Host')
    }
    const refusal = openModeRefusal({
      host: headers.host,
      origin: headers.origin,
      secFetchSite: headers['sec-fetch-site'] as string | undefined,
      headerNames: Object.keys(headers),
    })
    if (refusal !== null) throw new GatehouseError('forbidden', refusal)
    done()
  })
}

/** Says who asks. Credentials will be read here; without any, open mode holds every scope. */
export function authenticate(app: App): void {
  app.decorateRequest('principal')
  app.addHook('onRequest', (request, _reply, done) => {
    request.principal = OPEN_MODE_PRINCIPAL
    done()
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
