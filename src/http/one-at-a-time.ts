import { GatehouseError } from '../errors.js'

/** Lets each credential have one of its kind under way: what reads a whole history must not pile up. */
export class OneAtATime {
  readonly #what: string
  readonly #busy = new Set<string>()

  constructor(what: string) {
    this.#what = what
  }

  /**
   * @returns frees the place; calling it again does nothing
   * @throws GatehouseError rate_limited while another one of the same owner is under way
   */
  enter(owner: string): () => void {
    if (this.#busy.has(owner)) {
      throw new GatehouseError(
        'rate_limited',
        `${this.#what} is under way with this credential; wait for its end`,
      )
    }
    this.#busy.add(owner)
    return () => this.#busy.delete(owner)
  }
}
