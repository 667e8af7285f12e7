/** A way to PostgreSQL that can be slow, or break: cut, frozen, forgotten, or closed for a while. */
import { createServer, Socket, type Server } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Slowness {
  /** In each direction. */
  readonly delayMs?: number
  /** Of one connection, in each direction. */
  readonly bytesPerSecond?: number
  /** Before a new connection reaches the database. */
  readonly connectMs?: number
}

export class TcpProxy {
  readonly #server: Server
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #frozen = false
  /** Connections that were opened before this one are dead. */
  #born = 0
  #forgotten = 0
  #slowness: Slowness = {}

  private constructor(target: URL) {
    this.#target = target
    this.#server = createServer((client) => this.#serve(client))
  }

  /** @param url of the database behind it */
  static async start(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(url))
    await proxy.open(0)
    return proxy
  }

  get url(): string {
    const url = new URL(this.#target)
    url.host = `127.0.0.1:${this.port}`
    return url.href
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  /** How many connections there are through it. */
  get connections(): number {
    return this.#sockets.size / 2
  }

  async open(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  /** Refuses new connections and cuts those there are. */
  async close(): Promise<void> {
    this.cut()
    if (!this.#server.listening) return
    await new Promise((resolve) => this.#server.close(resolve))
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Swallows everything from now on, as a network does that lost the other end. */
  freeze(): void {
    this.#frozen = true
  }

  thaw(): void {
    this.#frozen = false
    this.cut()
  }

  /**
   * Swallows what comes over the connections there are, without a word to either end, as a balancer does that lost its
   * table; new ones work.
   */
  forget(): void {
    this.#forgotten = this.#born
  }

  /** From now on; connections that there are keep up with it. */
  slowDown(slowness: Slowness): void {
    this.#slowness = slowness
  }

  #serve(client: Socket): void {
    const born = ++this.#born
    const server = new Socket()
    const connecting = sleep(this.#slowness.connectMs ?? 0).then(() => {
      if (!client.destroyed) server.connect(Number(this.#target.port), this.#target.hostname)
    })
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from)
      // One piece after the other: timers alone would not keep their order.
      let sending: Promise<unknown> = connecting
      let free = 0
      from.on('data', (data) => {
        if (this.#frozen || born <= this.#forgotten) return
        const { delayMs = 0, bytesPerSecond = Infinity } = this.#slowness
        const now = performance.now()
        free = Math.max(free, now) + (data.length / bytesPerSecond) * 1_000
        const due = free + delayMs
        sending = sending.then(async () => {
          const wait = due - performance.now()
          if (wait > 0) await sleep(wait)
          if (!to.destroyed) to.write(data)
        })
      })
      from.on('error', () => undefined)
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
    }
  }
}
