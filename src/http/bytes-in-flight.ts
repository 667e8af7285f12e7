/** Counts what requests hold in memory, against a budget. */
export class BytesInFlight {
  readonly #budget: number
  #held = 0

  constructor(budget: number) {
    this.#budget = budget
  }

  get held(): number {
    return this.#held
  }

  /** @returns null where the budget has no room; one request is taken always, whatever it holds */
  take(bytes: number): Hold | null {
    if (this.#held > 0 && this.#held + bytes > this.#budget) return null
    return new Hold(bytes, (change) => (this.#held += change))
  }
}

/** What one request holds. */
export class Hold {
  #bytes = 0
  readonly #change: (bytes: number) => void

  constructor(bytes: number, change: (bytes: number) => void) {
    this.#change = change
    this.resize(bytes)
  }

  /** Never refused: what is there is there. */
  resize(bytes: number): void {
    this.#change(bytes - this.#bytes)
    this.#bytes = bytes
  }
}
