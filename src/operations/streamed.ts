/** What a consumer that goes away leaves behind for the one who still writes. */
class Unwanted extends Error {
  override readonly name = 'Unwanted'
}

interface Offer<T> {
  readonly item: T
  readonly taken: () => void
  readonly refused: (error: Error) => void
}

/**
 * What `produce` writes, as an iterable: it is not ahead of its consumer by more than one item, so that a transaction
 * can be read at the pace of a slow client. A consumer that stops makes the next write throw, and waits for the end
 * of `produce`, so that nothing is left open.
 */
export async function* streamed<T>(
  produce: (write: (item: T) => Promise<void>) => Promise<void>,
): AsyncGenerator<T, void, undefined> {
  let wake: () => void = () => undefined
  let offer: Offer<T> | null = null
  let ended = false
  let gone = false
  const write = (item: T): Promise<void> =>
    new Promise((resolve, reject) => {
      if (gone) return reject(new Unwanted('nobody reads on'))
      offer = { item, taken: resolve, refused: reject }
      wake()
    })
  const produced = produce(write).finally(() => {
    ended = true
    wake()
  })
  // Told below; without this a failure in between would count as unhandled.
  produced.catch(() => undefined)
  try {
    for (;;) {
      if (offer === null && !ended) await new Promise<void>((resolve) => (wake = resolve))
      const current: Offer<T> | null = offer
      if (current === null) break
      yield (current as Offer<T>).item
      offer = null
      ;(current as Offer<T>).taken()
    }
    await produced
  } finally {
    gone = true
    ;(offer as Offer<T> | null)?.refused(new Unwanted('nobody reads on'))
    await produced.catch(() => undefined)
  }
}
