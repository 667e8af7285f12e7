import { GatehouseError } from '../errors.js'

/** A piece of work under way. */
export interface Turn {
  /** What it costs from now on; 0 at its end. Never refused: what is there is there. */
  cost(cost: number): void
}

interface Waiting {
  readonly cost: number
  readonly begin: () => void
}

/**
 * Lets work begin while its estimated cost is within a budget; what is beyond waits in the order of its coming. One
 * piece of work may always run, whatever it costs.
 */
export class Turns {
  readonly #budget: number
  readonly #patienceMs: number
  readonly #waiting: Waiting[] = []
  #spent = 0

  /** @param patienceMs how long a piece of work waits for its turn */
  constructor(budget: number, patienceMs: number) {
    this.#budget = budget
    this.#patienceMs = patienceMs
  }

  /**
   * @throws GatehouseError unavailable when the turn did not come in time
   */
  async enter(cost: number): Promise<Turn> {
    if (this.#waiting.length > 0 || !this.#fits(cost)) await this.#wait(cost)
    else this.#spent += cost
    let current = cost
    return {
      cost: (changed) => {
        this.#spent += changed - current
        current = changed
        this.#admit()
      },
    }
  }

  #fits(cost: number): boolean {
    return this.#spent === 0 || this.#spent + cost <= this.#budget
  }

  #wait(cost: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = {
        cost,
        begin: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(
          new GatehouseError('unavailable', 'the server is busy with other large requests; ask again later'),
        )
        // The next one may be smaller.
        this.#admit()
      }, this.#patienceMs)
      this.#waiting.push(waiting)
    })
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#fits(next.cost); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#spent += next.cost
      next.begin()
    }
  }
}
