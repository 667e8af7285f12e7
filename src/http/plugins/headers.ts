import helmet from '@fastify/helmet'
import type { FastifyReply } from 'fastify'
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
    // It would build its policy anew for each answer, which costs more than all other hooks together.
    global: false,
  })
  let fixed: Readonly<Record<string, string>> | null = null
  app.addHook('onRequest', (_request, reply, done) => {
    // Among Fastify's own: headers that are set on Node's answer are all set once more when it is sent.
    void reply.headers((fixed ??= whatHelmetSets(reply)))
    done()
  })
}

function whatHelmetSets(reply: FastifyReply): Readonly<Record<string, string>> {
  const { raw } = reply
  const before = new Set(raw.getHeaderNames())
  reply.helmet()
  const added = raw.getHeaderNames().filter((name) => !before.has(name))
  return Object.fromEntries(added.map((name) => [name, String(raw.getHeader(name))]))
}
