import type { Listed } from '../replay/report.js'

/** Entries that each list of an answer holds at most; the totals count all. */
export const LIST_LIMIT = 100

/** The first entries of a list that may grow long, and how many there were: as they came, or by an order. */
export class FirstItems<T> {
  readonly #limit: number
  readonly #compare: ((a: T, b: T) => number) | null
  readonly #items: T[] = []
  #total = 0

  constructor(limit: number, compare: ((a: T, b: T) => number) | null = null) {
    this.#limit = limit
    this.#compare = compare
  }

  get total(): number {
    return this.#total
  }

  get isFull(): boolean {
    return this.#items.length >= this.#limit
  }

  push(item: T): void {
    this.#total++
    const items = this.#items
    if (this.#compare === null) {
      if (!this.isFull) items.push(item)
      return
    }
    let place = items.length
    if (place > 0 && this.#compare(item, items[place - 1]!) >= 0) {
      if (!this.isFull) items.push(item)
      return
    }
    // Between its ends the place is found by halves: a long list that comes backwards inserts every item.
    for (let from = 0; from < place;) {
      const middle = (from + place) >>> 1
      if (this.#compare(item, items[middle]!) < 0) place = middle
      else from = middle + 1
    }
    items.splice(place, 0, item)
    if (items.length > this.#limit) items.pop()
  }

  list(): Listed<T> {
    return { items: [...this.#items], total: this.#total }
  }
}
