import type { MetricHistoryStore } from '../store/store.js'

const HOUR_MS = 3_600_000
/** After a failure, which is a busy or absent store mostly: this much later the next use tries again. */
const PAUSE_MS = 60_000

/**
 * Keeps that tokens were used: once an hour for each, beside the requests and never in their way. A use that cannot be
 * written is lost, and no request fails for it.
 */
export class TokenUses {
  readonly #store: MetricHistoryStore
  readonly #warn: (error: unknown) => void
  /** The tokens that were noted in the hour. */
  readonly #noted = new Set<string>()
  #hour = -1
  #notBefore = 0
  /** The writes that are under way, one after the other: a locked store must not meet a crowd of them. */
  #writing: Promise<void> = Promise.resolve()

  constructor(store: MetricHistoryStore, warn: (error: unknown) => void) {
    this.#store = store
    this.#warn = warn
  }

  note(tokenId: string): void {
    const now = Date.now()
    const hour = Math.floor(now / HOUR_MS)
    if (hour !== this.#hour) {
      this.#hour = hour
      this.#noted.clear()
    }
    if (this.#noted.has(tokenId) || now < this.#notBefore) return
    this.#noted.add(tokenId)
    this.#writing = this.#writing.then(() => this.#write(tokenId))
  }

  /** Waits until what was noted is written or lost, but no longer than the bound. */
  async settled(boundMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, boundMs)
    })
    await Promise.race([this.#writing, late])
    clearTimeout(timer)
  }

  async #write(tokenId: string): Promise<void> {
    try {
      await this.#store.write((writer) => writer.writeTokenUse(tokenId))
    } catch (error) {
      this.#noted.delete(tokenId)
      this.#notBefore = Date.now() + PAUSE_MS
      this.#warn(error)
    }
  }
}
