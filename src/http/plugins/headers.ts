import helmet from '@fastify/helmet'
import type { App } from '../app-types.js'

/** Headers that every answer carries: the request id, and what keeps a browser from being turned against its user. */
export async function setHeaders(app: App): Promise<void> {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    // Verdicts and baselines change with every run and every revocation.
    void reply.header('cache-control', 'no-store')
    done()
  })
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        connectSrc: ["'self'"],
        fontSrc: ["'self'", 'data:'],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // The documentation page draws its icons from data: URLs in its style sheet.
        imgSrc: ["'self'", 'data:'],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
      },
    },
    // TLS, where there is any, ends in front of the server: it decides on this header.
    strictTransportSecurity: false,
  })
}
