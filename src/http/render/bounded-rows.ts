/** Rows of a document that must stay under a size, whatever there is to tell. */
export interface BoundedRows {
  readonly rows: readonly string[]
  /** How many did not fit. */
  readonly left: number
  readonly bytes: number
}

/** Takes rows in order while they fit into `budget` bytes of UTF-8, each with its line feed. */
export function takeRows<T>(items: readonly T[], budget: number, write: (item: T) => string): BoundedRows {
  const rows: string[] = []
  let bytes = 0
  for (const item of items) {
    const row = write(item)
    const size = Buffer.byteLength(row) + 1
    if (bytes + size > budget) break
    rows.push(row)
    bytes += size
  }
  return { rows, left: items.length - rows.length, bytes }
}
