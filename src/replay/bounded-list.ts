import type { Listed } from './report.js'

/** The newest entries of a list that may grow without end, and how many there were. */
export class BoundedList<T> {
  readonly #limit: number
  /** A ring once it is full: the oldest entry is the next to go. */
  readonly #items: T[] = []
  #total = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  push(item: T): void {
    if (this.#items.length < this.#limit) this.#items.push(item)
    else if (this.#limit > 0) this.#items[this.#total % this.#limit] = item
    this.#total++
  }

  /** Oldest first. */
  list(): Listed<T> {
    const oldest = this.#items.length < this.#limit || this.#limit === 0 ? 0 : this.#total % this.#limit
    return { items: [...this.#items.slice(oldest), ...this.#items.slice(0, oldest)], total: this.#total }
  }
}
