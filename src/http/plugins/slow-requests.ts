import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { App } from '../app-types.js'
import { clientError, REQUEST_TIMEOUT } from './problems.js'

/** A streamed body has no time for the whole; a client that sends nothing for so long is gone. */
const SILENCE_MS = 120_000

/**
 * Ends requests whose bodies do not arrive in time. Node's own timeout knows one bound for all requests, and an import
 * of gigabytes takes longer than any other may.
 */
export function endSlowRequests(app: App, requestTimeoutMs: number): void {
  app.addHook('onRequest', ({ raw, routeOptions }, _reply, done) => {
    const { socket } = raw
    // Without a body the head is all of it.
    if (!hasBody(raw) || raw.complete || !(socket instanceof Socket)) return done()
    const end = () => {
      if (raw.complete) return
      clientError(Object.assign(new Error('the request is too slow'), { code: REQUEST_TIMEOUT }), socket)
    }
    if (routeOptions.config?.streams === true) {
      socket.setTimeout(SILENCE_MS)
      socket.once('timeout', end)
    } else {
      const timer = setTimeout(end, requestTimeoutMs)
      timer.unref()
      raw.once('close', () => clearTimeout(timer))
      raw.once('end', () => clearTimeout(timer))
    }
    done()
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}
