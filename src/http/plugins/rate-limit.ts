import rateLimit from '@fastify/rate-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { OPEN_MODE_PRINCIPAL } from '../../auth/principal.js'
import { GatehouseError } from '../../errors.js'
import type { App } from '../app-types.js'

/** Requests that one credential may make in a minute, on one instance. */
export const DEFAULT_RATE_LIMIT = 6_000

const WINDOW_MS = 60_000

/** Windows that are remembered at once; the least recently used one goes first. */
const MAX_OWNERS = 10_000

/**
 * Bounds the requests of each credential, in windows of a minute from its first request on. Counted as soon as it is
 * known who asks, so that what is refused later for want of a scope counts too. Each instance counts for itself: a
 * shared count would make every request write to the database.
 * @param max requests per minute; 0 for no bound
 */
export async function limitRates(app: App, max: number): Promise<void> {
  // Not through its own hook, which would run behind all others.
  await app.register(rateLimit, { global: false, cache: MAX_OWNERS })
  const count = app.createRateLimit({
    max,
    timeWindow: WINDOW_MS,
    keyGenerator: (request) => request.principal.owner,
  })
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.scopes !== 'public') await app.countRequest(request, reply)
  })
  app.decorate('countRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    // Open mode has one user, on this machine.
    if (max === 0 || request.principal.owner === OPEN_MODE_PRINCIPAL.owner) return
    const counted = await count(request)
    if (counted.isAllowed) return
    const { remaining, ttlInSeconds, isExceeded } = counted
    void reply.headers({
      'ratelimit-limit': max,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': ttlInSeconds,
    })
    if (!isExceeded) return
    app.metrics.refused('rate_limit')
    void reply.header('retry-after', ttlInSeconds)
    throw new GatehouseError(
      'rate_limited',
      `this credential has made its ${max} requests of this minute; ask again in ${ttlInSeconds} s`,
    )
  })
}
