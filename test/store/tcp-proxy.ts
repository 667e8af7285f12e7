/** A way to PostgreSQL that can break: cut, frozen, or closed for a while. */
import { createServer, connect, type Server, type Socket } from 'node:net'
import { once } from 'node:events'

export class TcpProxy {
  readonly #server: Server
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #frozen = false

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

  #serve(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from)
      from.on('data', (data) => {
        if (!this.#frozen) to.write(data)
      })
      from.on('error', () => undefined)
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
    }
  }
}
