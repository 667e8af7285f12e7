/** What the service does by itself, beside its requests. */
import { watchOpenMode } from './start-credentials.js'
import type { Credentials } from './auth/credentials.js'
import type { Gatehouse } from './operations/gatehouse.js'
import { copyHistory } from './operations/copy-history.js'
import { pruneExpired } from './operations/prune-expired.js'

const EVERY_MS = 3_600_000

/** Begins; answers what ends it. */
export function startTending(gatehouse: Gatehouse, credentials: Credentials): () => void {
  const stopWatching = watchOpenMode(credentials)
  const timer = setInterval(() => {
    pruneExpired(gatehouse).catch((error: unknown) => {
      gatehouse.log.warn({ err: error }, 'expired rows were not pruned; the next hour tries again')
    })
    copyStrays(gatehouse)
  }, EVERY_MS)
  return () => {
    clearInterval(timer)
    stopWatching()
  }
}

/** Copies the runs that did not come through a server of this release; nobody waits for it. */
export function copyStrays(gatehouse: Gatehouse): void {
  copyHistory(gatehouse).catch((error: unknown) => {
    gatehouse.log.warn({ err: error }, 'history was not copied; the next hour tries again')
  })
}
