import { Socket } from 'node:net'
import type { App } from '../app-types.js'
import { whenOver } from '../when-over.js'

/** Requests of one connection that may be under way at once. No common client sends a second before its answer. */
const MAX_PIPELINED = 8

/**
 * Cuts off connections that send request upon request without reading the answers. Node stops reading once answers
 * pile up, but by then has parsed a whole piece of input: in 64 KiB there are a thousand requests, whose answers would
 * all be held until the client reads them.
 */
export function boundPipelines(app: App): void {
  const underWay = new WeakMap<Socket, number>()
  app.addHook('onRequest', ({ raw, log }, reply, done) => {
    const { socket } = raw
    if (!(socket instanceof Socket)) return done()
    const before = underWay.get(socket) ?? 0
    if (socket.destroyed || before >= MAX_PIPELINED) {
      // The rest of the piece still arrives here, and nobody is left to be answered.
      if (!socket.destroyed) log.warn('a connection with too many requests at once is cut off')
      socket.destroy()
      return void reply.hijack()
    }
    underWay.set(socket, before + 1)
    whenOver(reply, () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1))
    done()
  })
}
