import { InputFault } from './input-fault.js'

/** Bytes as they come from a file or a request. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export interface Line {
  /** As a person counts. */
  readonly number: number
  /** With the line feed that ends it; the last line may have none. */
  readonly raw: Uint8Array
}

/**
 * Bytes of the longest line that is taken: a run of 100,000 values with the longest metric keys fits. One line is in
 * memory at a time, so that this bounds what a hostile file costs.
 */
export const MAX_LINE_BYTES = 256 * 2 ** 20

const LINE_FEED = 0x0a

/** Where a line stands, for a fault. */
export function placeOf({ number }: { readonly number: number }): string {
  return `line ${number}`
}

/**
 * Parts bytes into lines, however they are cut into chunks. Only a line feed ends a line.
 * @throws InputFault for a line beyond the limit, as soon as it is
 */
export async function* splitLines(chunks: Chunks, maximum = MAX_LINE_BYTES): AsyncGenerator<Line> {
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  let number = 1
  const bounded = (bytes: number): void => {
    if (bytes <= maximum) return
    throw new InputFault({
      where: placeOf({ number }),
      message: `is longer than ${maximum} bytes; a run of that many values is not taken`,
    })
  }
  for await (const chunk of chunks) {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start) + 1
      if (end === 0) break
      let raw = chunk.subarray(start, end)
      start = end
      bounded(pendingBytes + raw.length)
      if (pending.length > 0) {
        raw = Buffer.concat([...pending, raw])
        pending = []
        pendingBytes = 0
      }
      yield { number, raw }
      number++
    }
    if (start < chunk.length) {
      pending.push(chunk.subarray(start))
      pendingBytes += chunk.length - start
      bounded(pendingBytes)
    }
  }
  if (pendingBytes > 0) yield { number, raw: Buffer.concat(pending) }
}
