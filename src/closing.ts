/** The orderly end of the service's requests. */
import type { Logger } from 'pino'
import type { App } from './http/app-types.js'
import type { MetricHistoryStore } from './store/store.js'

/** Requests in flight at SIGTERM get this long; with what follows, the process is gone within ten seconds. */
const DRAIN_MS = 6_500
/** Then the store is taken from them, and they are refused, which takes a moment. */
const REFUSE_MS = 1_000
const CLOSE_CONNECTIONS_AFTER_MS = 500

/** Refuses new work, lets work in flight finish within a bound, and closes every connection. */
export async function closeApp(app: App, store: MetricHistoryStore, logger: Logger): Promise<void> {
  app.drain.begin()
  const late = await app.drain.finished(DRAIN_MS)
  if (late > 0) {
    logger.warn({ requests: late }, 'requests are refused after the time to finish')
    void store.close(0)
    const left = await app.drain.finished(REFUSE_MS)
    if (left > 0) logger.warn({ requests: left }, 'requests are cut off')
  }
  const closing = app.close()
  // What is left holds no request: half-sent ones, and clients that do not read their answer.
  setTimeout(() => app.server.closeAllConnections(), CLOSE_CONNECTIONS_AFTER_MS).unref()
  await closing
}
