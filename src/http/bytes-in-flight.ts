/** Counts what requests hold in memory, against a budget of which the last part is for small ones alone. */
export class BytesInFlight {
  readonly #budget: number
  readonly #small: { readonly upTo: number; readonly share: number }
  #held = 0

  /** @param small up to how many bytes a request is small, and which share of the budget larger ones leave to those */
  constructor(budget: number, small: { readonly upTo: number; readonly share: number }) {
    this.#budget = budget
    this.#small = small
  }

  get held(): number {
    return this.#held
  }

  /** @returns null where the budget has no room; one request is taken always, whatever it holds */
  take(bytes: number): Hold | null {
    const room = bytes <= this.#small.upTo ? this.#budget : this.#budget * (1 - this.#small.share)
    if (this.#held > 0 && this.#held + bytes > room) return null
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
