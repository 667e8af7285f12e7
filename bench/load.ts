/** A load generator that costs little beside what it measures: raw sockets, each with one request in flight. */
import { connect } from 'node:net'

/**
 * Asks for one URL over and over.
 * @returns answers a second; throws where one is no 200
 */
export async function requestsPerSecond(url: string, seconds: number, connections = 32): Promise<number> {
  const { hostname, port, pathname, search, host } = new URL(url)
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
  const end = performance.now() + seconds * 1_000
  const begun = performance.now()
  const counts = await Promise.all(
    Array.from({ length: connections }, () => ask(Number(port), hostname, request, end)),
  )
  const answers = counts.reduce((sum, count) => sum + count, 0)
  return Math.round(answers / ((performance.now() - begun) / 1_000))
}

function ask(port: number, host: string, request: Buffer, end: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let answers = 0
    let held = ''
    const socket = connect(port, host, () => socket.write(request))
    socket.setNoDelay(true)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      held += chunk.toString('latin1')
      const head = held.indexOf('\r\n\r\n')
      if (head === -1) return
      const length = Number(/content-length: (\d+)/i.exec(held)?.[1] ?? 0)
      if (held.length < head + 4 + length) return
      if (!held.startsWith('HTTP/1.1 200')) return reject(new Error(held.slice(0, 300)))
      held = ''
      answers += 1
      if (performance.now() < end) return void socket.write(request)
      socket.destroy()
      resolve(answers)
    })
  })
}
