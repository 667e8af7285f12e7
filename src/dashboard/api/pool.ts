/** Requests that rows of a table make for themselves: some at a time, and none for a row that is out of sight again. */
const AT_A_TIME = 4

interface Waiting {
  readonly signal: AbortSignal
  readonly begin: () => void
}

let running = 0
const waiting: Waiting[] = []

/** Does the work when its turn has come; rejects with the signal's reason where it is given up before. */
export async function pooled<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (running >= AT_A_TIME) {
    await new Promise<void>((begin, giveUp) => {
      const turn: Waiting = { signal, begin }
      waiting.push(turn)
      signal.addEventListener('abort', () => {
        const place = waiting.indexOf(turn)
        if (place === -1) return
        waiting.splice(place, 1)
        giveUp(signal.reason as Error)
      })
    })
  } else running++
  try {
    signal.throwIfAborted()
    return await work()
  } finally {
    // The turn goes on to the next, or back.
    const next = waiting.shift()
    if (next) next.begin()
    else running--
  }
}
