import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatehouseError } from '../../errors.js'
import type { App } from '../app-types.js'
import { whenOver } from '../when-over.js'

/** How long the rest of a refused body is still read, so that the client sees the answer and not a reset. */
const LINGER_MS = 5_000

/**
 * The end of a server's life: from `begin` on new work is refused, while work in flight finishes. The listener stays
 * open meanwhile, so that a load balancer reads the 503 of /readyz instead of a refused connection.
 */
export class Drain {
  #begun = false
  #inFlight = 0
  readonly #waiting: Array<() => void> = []

  get begun(): boolean {
    return this.#begun
  }

  begin(): void {
    if (this.#begun) return
    this.#begun = true
    for (const end of this.#waiting) end()
  }

  /** What waits for something else than its own work is told that it should answer now. */
  onBegin(end: () => void): void {
    this.#waiting.push(end)
  }

  /** Resolves when no request is in flight, or after the bound; answers how many were left. */
  async finished(boundMs: number): Promise<number> {
    const deadline = performance.now() + boundMs
    while (this.#inFlight > 0 && performance.now() < deadline) await sleep(20)
    return this.#inFlight
  }

  enter(): void {
    this.#inFlight++
  }

  leave(): void {
    this.#inFlight--
  }
}

/** Refuses new work while the server shuts down, and counts what is in flight. */
export function drainOnClose(app: App): void {
  const drain = new Drain()
  app.decorate('drain', drain)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config?.alive !== true) {
      if (drain.begun)
        throw new GatehouseError(
          'unavailable',
          'the server is shutting down; ask again, another instance may answer',
        )
      drain.enter()
      whenOver(reply, () => drain.leave())
    }
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (drain.begun) void reply.header('connection', 'close')
    done()
  })
  app.addHook('onClose', (_app, done) => {
    drain.begin()
    done()
  })
  // Node reads on after an early answer (413, 415), for as long as the client sends.
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    const { socket } = raw
    if (socket instanceof Socket && !raw.complete) {
      setTimeout(() => raw.complete || socket.destroy(), LINGER_MS).unref()
    }
    done()
  })
}
