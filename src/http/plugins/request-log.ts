import type { Principal } from '../../auth/principal.js'
import { credentialOf } from '../../operations/asked-by.js'
import type { App } from '../app-types.js'
import { requestPath } from '../request-path.js'
import { whenOver } from '../when-over.js'

/**
 * One line and one measurement for each request when it ends, also where the client went away. Fastify's own lines hold
 * the whole address, whose query may be a secret that somebody put there by mistake.
 */
export function observeRequests(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    whenOver(reply, (isSent) => {
      const { method, routeOptions, log } = request
      const principal = request.principal as Principal | undefined
      const route = request.is404 ? null : (routeOptions.url ?? null)
      const milliseconds = reply.elapsedTime
      const status = reply.statusCode
      app.metrics.request(method, route, isSent ? status : 'aborted', milliseconds / 1_000)
      const fields = {
        method,
        route,
        path: requestPath(request.raw.url),
        status,
        duration_ms: Math.round(milliseconds * 10) / 10,
        // Of a request that was refused before anybody asked who it is from, there is none.
        ...(principal && credentialOf(principal)),
      }
      if (!isSent) log.info(fields, 'request aborted')
      // Probes come every few seconds and say nothing new.
      else if (routeOptions.config?.alive === true) log.debug(fields, 'request completed')
      else log.info(fields, 'request completed')
    })
    done()
  })
}
