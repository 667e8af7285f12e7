import { setImmediate } from 'node:timers/promises'

/**
 * Resolves when the event loop has gone round, so that sockets and timers had their turn. One `setImmediate` does not
 * say that: asked for while a socket is served, it comes before anything else that waits.
 */
export async function nextTurn(): Promise<void> {
  await setImmediate()
  await setImmediate()
}
