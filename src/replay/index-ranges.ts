/**
 * A set of ascending indexes, kept as ranges. The trusted runs that hold a coordinate are mostly consecutive, so that
 * a history of any length takes a few numbers; a list of indexes would grow with every value.
 */
export class IndexRanges {
  /** Start (inclusive) and end (exclusive) of each range in turn, ascending. */
  readonly #bounds: number[] = []
  #count = 0

  /** @param index not smaller than any before; the same again changes nothing */
  add(index: number): void {
    const end = this.#bounds.at(-1)
    if (end === index + 1) return
    if (end === index) this.#bounds[this.#bounds.length - 1] = index + 1
    else this.#bounds.push(index, index + 1)
    this.#count++
  }

  get count(): number {
    return this.#count
  }

  /** Equal for equal sets. */
  get signature(): string {
    return this.#bounds.join()
  }

  /** Picks the members out of a list. */
  pick<T>(from: readonly T[]): T[] {
    const picked: T[] = []
    for (let i = 0; i < this.#bounds.length; i += 2) {
      for (let index = this.#bounds[i]!; index < this.#bounds[i + 1]!; index++) picked.push(from[index]!)
    }
    return picked
  }

  /** How many members both sets have. */
  countCommon(other: IndexRanges): number {
    const a = this.#bounds
    const b = other.#bounds
    let common = 0
    for (let i = 0, j = 0; i < a.length && j < b.length;) {
      common += Math.max(0, Math.min(a[i + 1]!, b[j + 1]!) - Math.max(a[i]!, b[j]!))
      if (a[i + 1]! < b[j + 1]!) i += 2
      else j += 2
    }
    return common
  }
}
