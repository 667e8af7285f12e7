import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import { GatehouseError } from '../../errors.js'
import type { MetricHistoryStore } from '../../store/store.js'
import type { App } from '../app-types.js'

/** When new work is refused. */
export interface PressureLimits {
  /**
   * The mean delay of the event loop over a second, in milliseconds. One large submission holds the loop for some
   * hundreds; only a queue of them reaches this.
   */
  readonly eventLoopDelayMs: number
  /**
   * Transactions that wait for a connection of one pool that verdicts wait for too. Some seconds' worth: with more, those at the end would wait
   * for their whole bound and be refused then.
   */
  readonly waitingTransactions: number
}

export const PRESSURE_LIMITS: PressureLimits = { eventLoopDelayMs: 2_000, waitingTransactions: 500 }

/** Refuses new work while the server is overloaded; work in flight finishes, and health is still told. */
export async function shedLoad(
  app: App,
  store: Pick<MetricHistoryStore, 'pools'>,
  limits: PressureLimits,
): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: limits.eventLoopDelayMs,
    maxHeapUsedBytes: Math.floor(getHeapStatistics().heap_size_limit * 0.9),
    pressureHandler: ({ routeOptions }, _reply, type) => {
      if (routeOptions.config.alive === true) return
      app.metrics.refused(type === underPressure.TYPE_HEAP_USED_BYTES ? 'heap' : 'event_loop_delay')
      throw new GatehouseError('unavailable', 'the server is overloaded; ask again in some seconds')
    },
  })
  app.addHook('onRequest', ({ routeOptions }, _reply, done) => {
    // Asked for each request: two numbers, known without asking the database.
    const isQueued = store.pools().some(({ gate, waiting }) => gate && waiting >= limits.waitingTransactions)
    if (!isQueued || routeOptions.config.scopes === 'public') return done()
    app.metrics.refused('pool_queue')
    throw new GatehouseError(
      'unavailable',
      'too many requests are waiting for the database; ask again in some seconds',
    )
  })
}
