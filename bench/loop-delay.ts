/**
 * Loaded into a server that is measured (`node --import`): on SIGWINCH it tells on stderr how long its event loop was
 * held up since the last time, in milliseconds, and begins anew. A client's times hold its own delays as well.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
process.on('SIGWINCH', () => {
  const ms = (nanoseconds: number) => Math.round(nanoseconds / 1e4) / 100
  const { max } = delay
  process.stderr.write(`event loop ${JSON.stringify({ p999: ms(delay.percentile(99.9)), max: ms(max) })}\n`)
  delay.reset()
})
