import { createHash } from 'node:crypto'
import type { Sliced } from '../../gate/slices.js'
import type { ItemPiece } from '../../store/evals.js'

/** Items of a stored piece: some tens of kilobytes, which are written and read in less than a millisecond. */
export const PIECE = 500

/** A long list as the store keeps it, written piece by piece. */
export function* toPieces<T>(items: readonly T[], encode: (item: T) => object): Sliced<ItemPiece[]> {
  const pieces: ItemPiece[] = []
  for (let position = 0; position < items.length; position += PIECE) {
    if (position > 0) yield
    const some = items.slice(position, position + PIECE).map(encode)
    pieces.push({ position, items: JSON.stringify(some) })
  }
  return pieces
}

/** Reads stored pieces back. */
export function* fromPieces<Wire, T>(pieces: readonly ItemPiece[], decode: (item: Wire) => T): Sliced<T[]> {
  const items: T[] = []
  for (const piece of pieces) {
    for (const item of JSON.parse(piece.items) as Wire[]) items.push(decode(item))
    yield
  }
  return items
}

/**
 * SHA-256 (hex) of what a request said: its fields and its long list, in their order. Of values and not of bytes: how
 * the JSON was written plays no part, nor whether a default was named.
 */
export function* hashContent(fields: unknown, ...lists: ReadonlyArray<readonly ItemPiece[]>): Sliced<string> {
  const hash = createHash('sha256').update(JSON.stringify(fields))
  for (const pieces of lists) {
    hash.update('\n')
    for (const { items } of pieces) {
      // Without its brackets: where a list is cut is no content.
      hash.update(`${items.slice(1, -1)},`)
      yield
    }
  }
  return hash.digest('hex')
}
