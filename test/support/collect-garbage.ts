/**
 * Loaded into a server process (`--import`) so that a test can tell what it keeps from what it has merely not thrown
 * away yet: SIGWINCH collects all garbage. (The service itself ends at SIGUSR2.)
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
process.on('SIGWINCH', () => {
  // The second time takes what the first one's finalizers let go.
  collect()
  collect()
})
