import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import { GatehouseError } from '../../errors.js'
import type { App } from '../app-types.js'

/**
 * The mean delay of the event loop over a second, in milliseconds. One large submission holds the loop for some
 * hundreds; only a queue of them reaches this.
 */
const MAX_EVENT_LOOP_DELAY = 2_000

/** Refuses new work while the server is overloaded; work in flight finishes, and health is still told. */
export async function shedLoad(app: App, maxEventLoopDelay = MAX_EVENT_LOOP_DELAY): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay,
    maxHeapUsedBytes: Math.floor(getHeapStatistics().heap_size_limit * 0.9),
    pressureHandler: (request, _reply, type) => {
      if (request.routeOptions.config.alive === true) return
      request.log.warn({ pressure: type }, 'new work is refused')
      throw new GatehouseError('unavailable', 'the server is overloaded; ask again in some seconds')
    },
  })
}
