import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { openClient, type Client } from './support.js'

/** A server that listens, for what only a real socket shows. */
export interface Wire extends Client {
  readonly port: number
}

/** The whole server on a free port, in this process. */
export async function listen(t: Test, overrides: Parameters<typeof openClient>[1] = {}): Promise<Wire> {
  const client = await openClient(t, overrides)
  await client.app.listen({ host: '127.0.0.1', port: 0 })
  return { ...client, port: (client.app.server.address() as AddressInfo).port }
}

/** A socket that is destroyed at the end of the test. */
export function dial(t: Test, port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  t.teardown(() => socket.destroy())
  return socket
}

/** Everything that comes until the server closes or says no more. */
export async function readAnswer(socket: Socket, quietMs = 300): Promise<string> {
  let text = ''
  let last = performance.now()
  let closed = false
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    last = performance.now()
  })
  socket.on('close', () => (closed = true))
  const start = performance.now()
  while (!closed && performance.now() - start < 10_000 && (text === '' || performance.now() - last < quietMs))
    await sleep(20)
  return text
}
