/**
 * Questions to the store of one turn of the event loop that are answered by one question. It is put when the turn ends, so that it begins
 * after all that share it: nobody is told what was true before he asked, and nothing is kept for those who come later.
 *
 * To wait for a question that is under way, and then put one for all who came meanwhile, was rejected: while a database
 * says nothing, the second would wait for the bounds of both.
 */
export class SharedAsks<T> {
  readonly #ask: (key: string) => Promise<T>
  readonly #gathering = new Map<string, Promise<T>>()

  /** @param ask puts the question */
  constructor(ask: (key: string) => Promise<T>) {
    this.#ask = ask
  }

  ask(key: string): Promise<T> {
    const shared = this.#gathering.get(key)
    if (shared !== undefined) return shared
    const asking = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#gathering.delete(key)
      return this.#ask(key)
    })
    this.#gathering.set(key, asking)
    return asking
  }
}
